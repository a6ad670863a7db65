// Shapes that stand still in the player's picture room.
import {Vector3} from 'three';

import {Bodies} from '../../../player/src/room/bodies.js';
import {ContactMarks} from '../../../player/src/room/contact_marks.js';
import {PictureRoom} from '../../../player/src/room/room.js';

export class StillView {
  /// `things`: [{parts, color, opacity, position}]; `marks`: pairs of places that a line of marks joins.
  constructor(canvas, {lower, upper}, things, marks = []) {
    const size = Math.hypot(...upper.map((x, i) => x - lower[i]));
    const shapes = things.map(({parts}) => ({parts}));
    const bodies = things.map(({color, opacity = 1, position = [0, 0, 0]}, shape) => ({shape, scale: 1, moving: false, color, opacity,
      position, quaternion: [1, 0, 0, 0]}));
    this.room = new PictureRoom(canvas, {up: [0, 0, 1], lower, upper, ground: null, view: null});
    this.bodies = new Bodies(this.room, shapes, bodies);
    this.marks = new ContactMarks(this.room, 2 * marks.length + 1, size);
    for (const [from, to] of marks) {
      const direction = new Vector3(...to).sub(new Vector3(...from));
      if (direction.lengthSq() > 0) direction.normalize();
      else direction.set(0, 0, 1);
      for (const place of [from, to]) this.marks.add(new Vector3(...place), direction, {point: true, normal: false, chosen: true});
    }
    this.marks.finish();
    this.room.setQuality({pixelRatio: Math.min(window.devicePixelRatio, 2), shadows: 0});
    this.dirty = true;
    this.alive = true;
    this.observer = new ResizeObserver(() => { this.room.resize(); this.dirty = true; });
    this.observer.observe(canvas);
    this.room.orbit.controls.addEventListener('change', () => { this.dirty = true; });
    requestAnimationFrame(() => this.tick());
  }

  tick() {
    if (!this.alive) return;
    this.room.orbit.update();
    if (this.dirty) this.room.render();
    this.dirty = false;
    requestAnimationFrame(() => this.tick());
  }

  close() {
    this.alive = false;
    this.observer.disconnect();
    this.room.renderer.dispose();
  }
}
