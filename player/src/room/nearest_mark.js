// The nearest points of a robot's pair of bodies, and the line between them, drawn over the bodies.
import {Color, CylinderGeometry, SphereGeometry, Vector3} from 'three';

import {Overlay} from './overlay.js';

const kFar = new Color('#1b2a41');
const kNear = new Color('#d62839');

// Radii in body sizes.
const kPointRadius = 0.05;
const kLineRadius = 0.016;

export class NearestMark {
  constructor(room, bodySize) {
    this.points = new Overlay(room, new SphereGeometry(kPointRadius * bodySize, 12, 10), 2);
    this.line = new Overlay(room, new CylinderGeometry(kLineRadius * bodySize, kLineRadius * bodySize, 1, 8), 1);
  }

  /// `nearest`: {points: [x, y, z, x, y, z], near}, or null for none.
  draw(nearest) {
    this.points.clear();
    this.line.clear();
    if (nearest) {
      const colour = nearest.near ? kNear : kFar;
      from.set(...nearest.points.slice(0, 3));
      to.set(...nearest.points.slice(3));
      for (const point of [from, to]) this.points.putPoint(point, colour);
      this.line.putLine(from, to, colour);
    }
    this.points.finish();
    this.line.finish();
  }
}

const from = new Vector3();
const to = new Vector3();
