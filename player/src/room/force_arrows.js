// Forces as arrows, drawn over the bodies: as long as they are large, from the point where they act.
import {Color, ConeGeometry, CylinderGeometry, Matrix4, Quaternion, Vector3} from 'three';

import {Overlay} from './overlay.js';

const kForce = new Color('#d4145a');
const kY = new Vector3(0, 1, 0);

// Lengths in body sizes.
const kReach = 1.5; // of the reference force
const kLongest = 3; // larger forces are drawn as long as this
const kShaftRadius = 0.025;
const kTipRadius = 0.075;
const kTipLength = 0.2;

export class ForceArrows {
  /// Room for `capacity` arrows, sized for bodies of `bodySize`; a force of `reference` is drawn one and a half of these long.
  constructor(room, capacity, bodySize, reference) {
    this.bodySize = bodySize;
    this.capacity = capacity;
    this.reference = reference;
    this.shafts = new Overlay(room, new CylinderGeometry(kShaftRadius * bodySize, kShaftRadius * bodySize, 1, 8), capacity);
    this.tips = new Overlay(room, new ConeGeometry(kTipRadius * bodySize, kTipLength * bodySize, 12).translate(0, kTipLength * bodySize / 2, 0), capacity);
  }

  clear() {
    this.shafts.clear();
    this.tips.clear();
  }

  /// Length of the arrow of a force; 0 where none can be told.
  lengthOf(force) {
    return this.reference > 0 ? Math.min(kReach * force / this.reference, kLongest) * this.bodySize : 0;
  }

  add(place, force) {
    const length = this.lengthOf(force.length());
    if (!(length > 0) || this.tips.mesh.count >= this.capacity) return;
    direction.copy(force).normalize();
    end.copy(place).addScaledVector(direction, length);
    this.shafts.putLine(place, end, kForce);
    this.tips.put(matrix.compose(end, turn.setFromUnitVectors(kY, direction), kOne), kForce);
  }

  finish() {
    this.shafts.finish();
    this.tips.finish();
  }
}

const kOne = new Vector3(1, 1, 1);
const [direction, end] = [new Vector3(), new Vector3()];
const matrix = new Matrix4();
const turn = new Quaternion();
