// Shapes on a stage of their own in the player's picture room: they stand still until they are placed anew.
import {Quaternion, Vector3} from 'three';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';
import {LineSegments2} from 'three/examples/jsm/lines/LineSegments2.js';
import {LineSegmentsGeometry} from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

import {Bodies} from '../../../player/src/room/bodies.js';
import {ContactMarks} from '../../../player/src/room/contact_marks.js';
import {PictureRoom} from '../../../player/src/room/room.js';

const kMarkSize = 0.3; // of the stage: a mark is a hundredth of it
const kLineWidth = 3; // pixels

export class StageView {
  /// `things`: [{parts, color, opacity, position, moving}]; `marks`: pairs of places that are marked and joined; `lines`: pairs of places.
  constructor(canvas, {lower, upper}, things, {marks = [], lines = []} = {}) {
    this.canvas = canvas;
    this.size = Math.hypot(...upper.map((x, i) => x - lower[i]));
    const shapes = things.map(({parts}) => ({parts}));
    const bodies = things.map(({color, opacity = 1, position = [0, 0, 0], moving = false}, shape) => ({shape, scale: 1, moving, color, opacity,
      position, quaternion: [1, 0, 0, 0]}));
    this.room = new PictureRoom(canvas, {up: [0, 0, 1], lower, upper, ground: null, view: null});
    this.bodies = new Bodies(this.room, shapes, bodies);
    bodies.forEach(({moving, position: at, quaternion}, i) => { if (moving) this.place(i, [...at, ...quaternion]); });
    this.marks = new ContactMarks(this.room, 2 * marks.length + 1, kMarkSize * this.size);
    this.addLines(marks, '#ffb000');
    this.addLines(lines, '#cc3311');
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

  /// Places a moving thing at a pose of seven numbers.
  place(index, [x, y, z, qw, qx, qy, qz]) {
    this.bodies.place(index, position.set(x, y, z), rotation.set(qx, qy, qz, qw), 1);
    this.dirty = true;
  }

  addLines(pairs, color) {
    if (pairs.length === 0) return;
    const material = new LineMaterial({color, linewidth: kLineWidth, depthTest: false, toneMapped: false});
    const lines = new LineSegments2(new LineSegmentsGeometry().setPositions(pairs.flat(2)), material);
    lines.renderOrder = 4;
    this.room.scene.add(lines);
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

const position = new Vector3();
const rotation = new Quaternion();
