// A live world in a picture room: the room is the player's.
import {Quaternion, Vector3} from 'three';

import {Bodies, groundHeight} from '../../../player/src/room/bodies.js';
import {ContactMarks} from '../../../player/src/room/contact_marks.js';
import {ForceArrows} from '../../../player/src/room/force_arrows.js';
import {Quality, qualityLevels} from '../../../player/src/room/quality.js';
import {PictureRoom} from '../../../player/src/room/room.js';
import {onTap} from '../../../player/src/taps.js';
import {markContacts, mostMarks} from './contacts.js';
import {Grip, rayThrough} from './grip.js';

const kBodyNumbers = 8;
const kSpare = 240; // bodies that may be poured
const kReference = 4; // mean weights of a body: the force whose arrow has the length of a reference force
const kGravity = 9.81; // of the mean weight where nothing pulls

/// The force that others are drawn by: some mean weights of a moving body.
function referenceForce({bodies, settings: {gravity}}) {
  const masses = bodies.flatMap(({moving, mass}) => (moving && mass > 0 ? [mass] : []));
  const mean = masses.reduce((sum, mass) => sum + mass, 0) / Math.max(masses.length, 1);
  return kReference * mean * (Math.hypot(...gravity) || kGravity);
}

/// A canvas of its own, so that a room can be built anew.
export function newCanvas(id = 'canvas') {
  const old = document.getElementById(id);
  const canvas = old.cloneNode(false);
  old.replaceWith(canvas);
  return canvas;
}

export class LiveView {
  /// `picture` and `frame` as the worker's openWorld hands them out; `look`: {contacts, normals}.
  constructor(canvas, engine, {picture, frame}, look) {
    const {shapes, up, view = null, stage} = picture;
    this.canvas = canvas;
    this.engine = engine;
    this.look = look;
    this.chosen = null;
    this.own = picture.bodies.length;
    this.moving = picture.bodies.flatMap((body, i) => (body.moving ? [i] : []));
    // Bodies that are poured are copies of the moving ones, one after the other.
    this.spare = this.moving.length === 0 ? [] : Array.from({length: kSpare}, (_, i) => this.moving[i % this.moving.length]);
    this.poured = 0;
    const bodies = [...picture.bodies, ...this.spare.map((like) => picture.bodies[like])];
    this.stage = stage;
    this.room = new PictureRoom(canvas, {up, view, lower: stage.lower, upper: stage.upper, ground: groundHeight(shapes, bodies, up)});
    this.known = bodies; // those that may be poured too
    this.bodies = new Bodies(this.room, shapes, bodies);
    this.marks = new ContactMarks(this.room, mostMarks, stage.body_size);
    this.forces = new ForceArrows(this.room, mostMarks, stage.body_size, referenceForce(picture));
    this.quality = new Quality(qualityLevels(window.devicePixelRatio));
    this.quality.change(1);
    this.room.setQuality(this.quality.settings);
    this.shown = bodies.length;
    this.frame = frame;
    this.dirty = true;
    this.alive = true;
    this.onchoose = (body) => this.choose(body);
    this.wire();
    requestAnimationFrame((now) => this.tick(now));
  }

  show(frame) {
    this.frame = frame;
    this.dirty = true;
  }

  /// The world went back to another state: bodies that it has no more are poured anew.
  restored(frame) {
    this.poured = frame.poses.length / kBodyNumbers - this.own;
    this.show(frame);
  }

  close() {
    this.alive = false;
    this.room.renderer.dispose();
    this.observer.disconnect();
  }

  tick(now) {
    if (!this.alive) return;
    const seconds = (now - (this.last ?? now)) / 1000;
    this.last = now;
    this.room.orbit.update();
    if (this.dirty) {
      this.dirty = false;
      this.draw();
      if (this.wasDirty && this.quality.measure(seconds)) this.room.setQuality(this.quality.settings);
      this.wasDirty = true;
      this.engine.call('drawn');
    } else {
      this.wasDirty = false;
    }
    requestAnimationFrame((next) => this.tick(next));
  }

  draw() {
    const {poses} = this.frame;
    for (let i = 0, at = 0; at < poses.length; ++i, at += kBodyNumbers) {
      this.bodies.place(i, position.set(poses[at], poses[at + 1], poses[at + 2]),
        rotation.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]), poses[at + 7]);
    }
    const count = poses.length / kBodyNumbers;
    for (let i = count; i < this.shown; ++i) this.bodies.place(i, kNowhere, kUpright, 0);
    this.shown = count;
    if (this.bodies.chosen !== this.chosen) this.bodies.choose(this.chosen);
    this.bodies.followChosen();
    markContacts(this.marks, this.frame, this.look, this.chosen, this.forces);
    this.room.render();
  }

  wire() {
    const {canvas, room} = this;
    this.observer = new ResizeObserver(() => { room.resize(); this.dirty = true; });
    this.observer.observe(canvas);
    room.orbit.controls.addEventListener('change', () => { this.dirty = true; });
    onTap(canvas, (x, y, reach) => this.onchoose(this.bodies.pick(x, y, reach)));
    this.grip = new Grip(canvas, room, {find: (x, y, reach) => this.find(x, y, reach), pull: (held, to) => this.pull(held, to),
      release: ({pulled}) => { if (pulled) this.engine.call('act', {do: 'release'}); }});
  }

  /// Marks a body, or none (null). `onchoose(body)` is told who is pressed.
  choose(body) {
    this.chosen = body;
    this.dirty = true;
  }

  get held() { return this.grip.held; }

  // The body under the pointer, held at the point that the library finds on it.
  find(x, y, reach) {
    const body = this.bodies.pick(x, y, reach);
    if (body === null || !(this.moving.includes(body) || body >= this.own)) return null;
    const ray = rayThrough(this.room, x, y).clone();
    const held = {body, point: [0, 0, 0], pulled: false};
    const at = this.frame.poses.slice(body * kBodyNumbers, body * kBodyNumbers + 3);
    held.place = this.engine.call('ray', ray.origin.toArray(), ray.direction.toArray()).then((hit) => {
      if (!hit || hit.body !== body) return new Vector3(...at);
      held.point = hit.point;
      return ray.origin.addScaledVector(ray.direction, hit.distance);
    });
    return held;
  }

  pull(held, to) {
    held.pulled = true;
    this.engine.call('act', {do: 'pull', body: held.body + 1, point: held.point, to});
  }

  /// The acts that pour one more body from above the stage; none where there is no room for its picture.
  pour() {
    if (this.poured >= this.spare.length) return [];
    const like = this.spare[this.poured++];
    const {lower, upper, body_size: size} = this.stage;
    // A golden-ratio walk over the middle of the stage, no two at one place.
    const walk = (k) => (this.poured * k) % 1 - 0.5;
    const between = (a, t) => (lower[a] + upper[a]) / 2 + t * 0.5 * (upper[a] - lower[a]);
    const place = [between(0, walk(0.618033988749895)), between(1, walk(0.754877666246693)), upper[2] + 2 * size];
    return [{do: 'add', like: like + 1, pose: {position: place, quaternion: [1, 0, 0, 0]}, linear_velocity: [0, 0, -2]}];
  }
}

const kNowhere = new Vector3();
const kUpright = new Quaternion();
const position = new Vector3();
const rotation = new Quaternion();
