// Reads the recording embedded in the page; the layout is described in tactus/io.hpp.
import {Quaternion, Vector3} from 'three';

function bytesOf(id) {
  const text = atob(document.getElementById(id).textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

const kWordsPerPose = 6;
const kBytesPerContact = 8;

// Three components of a unit quaternion, the largest left out; 15 bits each, its index in the two spare bits.
function unpackQuaternion(words, at, target) {
  const largest = (words[at] >> 15) | ((words[at + 1] >> 15) << 1);
  const q = [0, 0, 0, 0];
  let rest = 1;
  for (let i = 0, k = 0; i < 4; ++i) {
    if (i === largest) continue;
    q[i] = (((words[at + k++] & 0x7fff) / 0x7fff) * 2 - 1) * Math.SQRT1_2;
    rest -= q[i] * q[i];
  }
  q[largest] = Math.sqrt(Math.max(0, rest));
  return target.set(q[1], q[2], q[3], q[0]);
}

export class Recording {
  constructor() {
    this.header = JSON.parse(document.getElementById('recording-header').textContent);
    this.poses = new Uint16Array(bytesOf('recording-poses').buffer);
    this.contacts = bytesOf('recording-contacts');
    this.contactWords = new Uint16Array(this.contacts.buffer, 0, this.contacts.length >> 1);
    this.touching = bytesOf('recording-touching');
    const {lower, upper, pictures, contacts} = this.header;
    this.lower = new Vector3(...lower);
    this.step = new Vector3(...upper).sub(this.lower).divideScalar(0xffff);
    this.pictures = pictures;
    this.duration = (pictures - 1) / this.header.fps;
    this.moving = this.header.bodies.filter((body) => body.moving).length;
    this.firstContact = [0];
    for (const count of contacts.counts) this.firstContact.push(this.firstContact.at(-1) + count);
  }

  position(words, at, target) {
    return target.set(this.lower.x + words[at] * this.step.x, this.lower.y + words[at + 1] * this.step.y,
      this.lower.z + words[at + 2] * this.step.z);
  }

  /// Pose of a moving body at a time between two pictures: `picture` plus `fraction` of the way to the next.
  pose(body, picture, fraction, position, quaternion) {
    const next = Math.min(picture + 1, this.pictures - 1);
    const at = (picture * this.moving + body) * kWordsPerPose;
    const then = (next * this.moving + body) * kWordsPerPose;
    this.position(this.poses, at, position).lerp(this.position(this.poses, then, scratchPosition), fraction);
    unpackQuaternion(this.poses, at + 3, quaternion)
      .slerp(unpackQuaternion(this.poses, then + 3, scratchQuaternion), fraction);
  }

  /// Mean speed of a moving body's origin from this picture to the next.
  speed(body, picture) {
    const next = Math.min(picture + 1, this.pictures - 1);
    if (next === 0) return 0;
    const first = next - 1;
    this.position(this.poses, (first * this.moving + body) * kWordsPerPose, scratchPosition);
    this.position(this.poses, (next * this.moving + body) * kWordsPerPose, otherPosition);
    return scratchPosition.distanceTo(otherPosition) * this.header.fps;
  }

  contactPicture(picture) {
    const {every, counts} = this.header.contacts;
    return Math.min(Math.floor(picture / every), counts.length - 1);
  }

  /// Number of other bodies that a moving body touches.
  touchingCount(body, picture) {
    const index = this.contactPicture(picture);
    return index < 0 ? 0 : this.touching[index * this.moving + body];
  }

  contactCount(picture) {
    const index = this.contactPicture(picture);
    return index < 0 ? 0 : this.header.contacts.counts[index];
  }

  /// Calls visit(i, position, normal) for each contact of a picture.
  forEachContact(picture, visit) {
    const index = this.contactPicture(picture);
    if (index < 0) return;
    for (let i = this.firstContact[index]; i < this.firstContact[index + 1]; ++i) {
      const at = i * kBytesPerContact;
      this.position(this.contactWords, at / 2, scratchPosition);
      // Octahedral map: the lower half of the sphere is folded outwards over the corners.
      let x = (this.contacts[at + 6] / 254) * 2 - 1;
      let y = (this.contacts[at + 7] / 254) * 2 - 1;
      const z = 1 - Math.abs(x) - Math.abs(y);
      if (z < 0) [x, y] = [(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1)];
      visit(i - this.firstContact[index], scratchPosition, otherPosition.set(x, y, z).normalize());
    }
  }
}

const scratchPosition = new Vector3();
const otherPosition = new Vector3();
const scratchQuaternion = new Quaternion();
