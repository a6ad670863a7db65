// Reads the recording embedded in the page; the only module that knows its layout, which tactus/io.hpp describes.
import {Quaternion, Vector3} from 'three';

import {sumContacts} from './inspector/contact_sums.js';

const kWordsPerPose = 6;
const kBytesPerContact = 8;
const kReferenceShare = 0.95; // of all contacts have no larger force than the reference
const kReferenceSamples = 20_000;

function bytesOf(id) {
  const text = atob(document.getElementById(id).textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

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

// Octahedral map: the lower half of the sphere is folded outwards over the corners.
function unpackDirection(bytes, at, target) {
  let x = (bytes[at] / 254) * 2 - 1;
  let y = (bytes[at + 1] / 254) * 2 - 1;
  const z = 1 - Math.abs(x) - Math.abs(y);
  if (z < 0) [x, y] = [(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1)];
  return target.set(x, y, z).normalize();
}

/// A recorded run. Bodies are called by their index in `bodies`; pictures follow each other every `pictureTime` seconds.
export class Recording {
  constructor() {
    this.header = JSON.parse(document.getElementById('recording-header').textContent);
    const {title, fps, pictures, up, view, stage, shapes, bodies, joints, periods, shear, surfaces, lower, upper, contacts, path} = this.header;
    this.title = title;
    this.pictures = pictures;
    this.pictureTime = 1 / fps;
    this.duration = (pictures - 1) / fps;
    this.path = path ?? null; // of a robot, with its clearance
    this.start = path?.start ?? 0; // what the time at the first picture is called
    this.up = up;
    this.view = view ?? null;
    this.stage = {lower: stage.lower, upper: stage.upper, bodySize: stage.body_size, markSize: stage.mark_size, topSpeed: stage.top_speed};
    this.shapes = shapes;
    this.bodies = bodies;
    this.joints = joints;
    this.periods = periods; // of a space that repeats along an axis, 0 along others
    this.shear = shear ?? null; // of that space, {flow, gradient, rate}

    let tracks = 0;
    this.track = bodies.map((body) => (body.moving ? tracks++ : -1));
    this.tracks = tracks;
    this.lower = new Vector3(...lower);
    this.step = new Vector3(...upper).sub(this.lower).divideScalar(0xffff);
    this.poses = new Uint16Array(bytesOf('recording-poses').buffer);
    this.contacts = bytesOf('recording-contacts');
    this.contactWords = new Uint16Array(this.contacts.buffer, 0, this.contacts.length >> 1);
    this.partners = new Uint32Array(bytesOf('recording-partners').buffer);
    this.forces = new Float32Array(bytesOf('recording-forces').buffer);
    this.touching = bytesOf('recording-touching');
    // Deformables: their vertices follow each other in each picture.
    this.surfaces = surfaces;
    this.vertices = surfaces.reduce((sum, {vertices}) => sum + vertices, 0);
    this.places = new Uint16Array(bytesOf('recording-surfaces').buffer);
    this.firstContact = [0];
    for (const count of contacts.counts) this.firstContact.push(this.firstContact.at(-1) + count);
    this.mostContacts = contacts.counts.reduce((a, b) => Math.max(a, b), 0);
  }

  /// The picture at or before a time, and the way to the next one in [0, 1).
  pictureAt(time) {
    const at = Math.min(Math.max(time / this.pictureTime, 0), this.pictures - 1);
    // A time that is a picture's own, but for rounding, is that picture.
    const picture = Math.floor(at + 1e-6);
    return {picture, fraction: Math.max(at - picture, 0)};
  }

  position(words, at, target) {
    return target.set(this.lower.x + words[at] * this.step.x, this.lower.y + words[at + 1] * this.step.y,
      this.lower.z + words[at + 2] * this.step.z);
  }

  /// A short name of a rigid body, or of a deformable; contacts count those after the rigid bodies.
  label(body) {
    return body < this.bodies.length ? `#${body + 1}` : this.surfaces[body - this.bodies.length].name;
  }

  /// Has the body entered the world?
  present(body, picture) {
    return picture >= (this.bodies[body].since ?? 0);
  }

  /// Pose of a moving body between a picture and the next.
  pose(body, {picture, fraction}, position, quaternion) {
    const next = Math.min(picture + 1, this.pictures - 1);
    const at = (picture * this.tracks + this.track[body]) * kWordsPerPose;
    const then = (next * this.tracks + this.track[body]) * kWordsPerPose;
    this.position(this.poses, at, position).addScaledVector(this.way(at, then, next), fraction);
    unpackQuaternion(this.poses, at + 3, quaternion)
      .slerp(unpackQuaternion(this.poses, then + 3, scratchQuaternion), fraction);
  }

  // From one place to another one, which belongs to a picture, the shorter way round where space repeats.
  way(from, to, picture) {
    return this.shorten(this.position(this.poses, to, scratchPosition).sub(this.position(this.poses, from, otherPosition)),
      picture * this.pictureTime);
  }

  /// Makes a way that ends at a time the shortest one where space repeats, and returns it.
  shorten(way, time = 0) {
    return shortest(way, this.periods, this.shear, time);
  }

  /// Calls visit(x, y, z) for each vertex of the deformables, in order, between a picture and the next.
  forEachVertex({picture, fraction}, visit) {
    const next = Math.min(picture + 1, this.pictures - 1);
    for (let i = 0; i < this.vertices; ++i) {
      const at = this.position(this.places, 3 * (picture * this.vertices + i), scratchPosition);
      at.lerp(this.position(this.places, 3 * (next * this.vertices + i), otherPosition), fraction);
      visit(at.x, at.y, at.z);
    }
  }

  /// Mean speed of a body's origin from this picture to the next.
  speed(body, picture) {
    const next = Math.min(picture + 1, this.pictures - 1);
    if (this.track[body] < 0 || next === 0 || !this.present(body, picture)) return 0;
    const at = (index) => (index * this.tracks + this.track[body]) * kWordsPerPose;
    return this.way(at(next - 1), at(next), next).length() / this.pictureTime;
  }

  /// Pose of any body at a moment.
  poseOf(body, at, position, quaternion) {
    const {moving, position: fixed, quaternion: turn} = this.bodies[body];
    if (moving) return this.pose(body, at, position, quaternion);
    position.set(...fixed);
    quaternion.set(turn[1], turn[2], turn[3], turn[0]);
  }

  /// Mean velocity of a body's origin, and mean spin (radians per time, world), from this picture to the next: {velocity, spin}, or
  /// null for a body that does not move.
  motion(body, picture) {
    const next = Math.min(picture + 1, this.pictures - 1);
    if (this.track[body] < 0 || next === 0 || !this.present(body, next - 1)) return null;
    const at = (index) => (index * this.tracks + this.track[body]) * kWordsPerPose;
    const velocity = this.way(at(next - 1), at(next), next).clone().divideScalar(this.pictureTime);
    const from = unpackQuaternion(this.poses, at(next - 1) + 3, new Quaternion());
    const turn = unpackQuaternion(this.poses, at(next) + 3, new Quaternion()).multiply(from.invert());
    return {velocity, spin: spinOf(turn, this.pictureTime)};
  }

  /// A force that few contacts of the recording exceed; 0 where there are no forces.
  get referenceForce() {
    if (this.reference !== undefined) return this.reference;
    const count = this.forces.length / 3;
    const every = Math.ceil(count / kReferenceSamples);
    const sizes = [];
    for (let i = 0; i < count; i += every) sizes.push(Math.hypot(...this.forces.subarray(3 * i, 3 * i + 3)));
    sizes.sort((a, b) => a - b);
    this.reference = sizes[Math.floor(kReferenceShare * (sizes.length - 1))] ?? 0;
    return this.reference;
  }

  // Contacts are kept with every few pictures: those of the last one that has some.
  contactPicture(picture) {
    const {every, counts} = this.header.contacts;
    return Math.min(Math.floor(picture / every), counts.length - 1);
  }

  /// Number of other bodies that a moving body touches.
  touchingCount(body, picture) {
    const index = this.contactPicture(picture);
    return index < 0 || this.track[body] < 0 ? 0 : this.touching[index * this.tracks + this.track[body]];
  }

  /// The time of the contacts that are shown with a picture.
  contactTime(picture) {
    return Math.max(this.contactPicture(picture), 0) * this.header.contacts.every * this.pictureTime;
  }

  /// Calls visit(a, b, position, normal, force) for each contact point of a picture, between the bodies a and b
  /// (deformables after the rigid bodies); the force acts on b.
  forEachContact(picture, visit) {
    const index = this.contactPicture(picture);
    if (index < 0) return;
    for (let i = this.firstContact[index]; i < this.firstContact[index + 1]; ++i) {
      const at = i * kBytesPerContact;
      visit(this.partners[2 * i], this.partners[2 * i + 1], this.position(this.contactWords, at / 2, scratchPosition),
        unpackDirection(this.contacts, at + 6, otherPosition), scratchForce.fromArray(this.forces, 3 * i));
    }
  }

  /// A body at a moment, as its panel takes it.
  bodyAt(body, at) {
    const {name, shape, moving, mass, scale} = this.bodies[body];
    const [position, turn] = [new Vector3(), new Quaternion()];
    this.poseOf(body, at, position, turn);
    return {name, shape: this.shapes[shape].name, moving, mass, scale, present: this.present(body, at.picture), position, turn,
      motion: this.motion(body, at.picture)};
  }

  /// As `sumContacts` at a picture.
  contactsOf(body, picture) {
    return sumContacts(body, (visit) => this.forEachContact(picture, visit));
  }

  /// Row of the run's table for the last second that has ended: {time, lines: [[name, value]]}.
  /// Before the first one has, time is null, bodies are counted, and the rest is not known (null).
  statisticsAt(time) {
    const {columns, rows} = this.header.statistics;
    const ended = rows.filter((row) => time >= this.duration || row[0] <= time + 1e-9).at(-1) ?? null;
    const {picture} = this.pictureAt(time);
    const atStart = (name) => (name === 'bodies' ? this.bodies.filter((_, i) => this.present(i, picture)).length : null);
    return {time: ended?.[0] ?? null,
      lines: columns.map((name, i) => [name, ended ? ended[i] : atStart(name)]).slice(1)};
  }
}

/// The spin (radians per time) that turns by `turn`, the shorter way, in `time`.
export function spinOf(turn, time) {
  const sine = Math.hypot(turn.x, turn.y, turn.z);
  const angle = 2 * Math.atan2(sine, Math.abs(turn.w));
  const scale = sine > 0 ? (Math.sign(turn.w) || 1) * angle / (sine * time) : 0;
  return new Vector3(turn.x, turn.y, turn.z).multiplyScalar(scale);
}

const kAxes = ['x', 'y', 'z'];

/// Makes a way that ends at `time` the shortest one in a space that repeats, and returns it. `periods`: along each axis, 0 where it
/// does not; `shear`: {flow, gradient, rate} of a space whose images across the gradient move along the flow, or null.
export function shortest(way, periods, shear, time) {
  const shorten = (axis) => {
    const passed = periods[axis] > 0 ? Math.round(way[kAxes[axis]] / periods[axis]) : 0;
    way[kAxes[axis]] -= passed * periods[axis];
    return passed;
  };
  if (shear) way[kAxes[shear.flow]] -= shorten(shear.gradient) * shear.rate * periods[shear.gradient] * time;
  kAxes.forEach((_, axis) => shorten(axis));
  return way;
}

const scratchPosition = new Vector3();
const scratchForce = new Vector3();
const otherPosition = new Vector3();
const scratchQuaternion = new Quaternion();
