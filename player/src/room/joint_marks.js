// Joints, drawn over the bodies: their anchors, the axes that they turn about or slide along, and lines between the anchors of distances.
import {Color, CylinderGeometry, Quaternion, SphereGeometry, Vector3} from 'three';

import {Overlay} from './overlay.js';

const kAnchor = new Color('#0b7a75');
const kAxis = new Color('#6c3fb5');
const kLine = new Color('#1b2a41');
const kSpring = new Color('#e07a00');

// Radii and length in body sizes.
const kAnchorRadius = 0.05;
const kLineRadius = 0.014;
const kAxisLength = 0.9;

export class JointMarks {
  /// Room for the marks of `joints`: [{a, b, anchor_a, anchor_b, axis?, line?, spring?, until?}], with anchors and axis seen from the
  /// bodies (the axis from `a`), broken from the picture `until` on, sized for bodies of `bodySize`. The anchor of `b` is drawn where the way from that of `a` is
  /// the shortest: shorten(way) makes it so where space repeats.
  constructor(room, joints, bodySize, shorten) {
    this.joints = joints.map(({anchor_a: a, anchor_b: b, axis, ...rest}) => ({...rest, anchorA: new Vector3(...a),
      anchorB: new Vector3(...b), axis: axis ? new Vector3(...axis) : null}));
    this.bodySize = bodySize;
    this.shorten = shorten;
    this.balls = new Overlay(room, new SphereGeometry(kAnchorRadius * bodySize, 10, 8), 2 * joints.length);
    this.rods = new Overlay(room, new CylinderGeometry(kLineRadius * bodySize, kLineRadius * bodySize, 1, 6), joints.length);
    this.anchors = this.balls.mesh;
    this.lines = this.rods.mesh;
  }

  /// Draws the joints that hold in a picture where the bodies are, or none; place(body, position, quaternion) tells the pose of a
  /// body.
  draw(shown, picture, place) {
    this.balls.clear();
    this.rods.clear();
    if (shown) for (const joint of this.joints) if (picture < (joint.until ?? Infinity)) this.add(joint, place);
    this.balls.finish();
    this.rods.finish();
  }

  add({a, b, anchorA, anchorB, axis, line, spring}, place) {
    place(b, position, rotation);
    to.copy(anchorB).applyQuaternion(rotation).add(position);
    place(a, position, rotation);
    from.copy(anchorA).applyQuaternion(rotation).add(position);
    to.copy(this.shorten(way.copy(to).sub(from))).add(from);
    for (const anchor of [from, to]) this.balls.putPoint(anchor, kAnchor);
    if (line) this.rods.putLine(from, to, spring ? kSpring : kLine);
    if (!axis) return;
    const half = direction.copy(axis).applyQuaternion(rotation).multiplyScalar(0.5 * kAxisLength * this.bodySize);
    this.rods.putLine(to.copy(from).sub(half), from.add(half), kAxis);
  }
}

const [position, from, to, direction, way] = Array.from({length: 5}, () => new Vector3());
const rotation = new Quaternion();
