// Joints, drawn over the bodies: their anchors, the axes that they turn about or slide along, and lines between the anchors of distances.
import {Color, CylinderGeometry, DynamicDrawUsage, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3} from 'three';

const kAnchor = new Color('#0b7a75');
const kAxis = new Color('#6c3fb5');
const kLine = new Color('#1b2a41');
const kSpring = new Color('#e07a00');
const kY = new Vector3(0, 1, 0);

// Radii and length in body sizes.
const kAnchorRadius = 0.05;
const kLineRadius = 0.014;
const kAxisLength = 0.9;

export class JointMarks {
  /// Room for the marks of `joints`: [{a, b, anchor_a, anchor_b, axis?, line?, spring?}], with anchors and axis seen from the
  /// bodies (the axis from `a`), sized for bodies of `bodySize`. The anchor of `b` is drawn where the way from that of `a` is
  /// the shortest: shorten(way) makes it so where space repeats.
  constructor(room, joints, bodySize, shorten) {
    this.joints = joints.map(({anchor_a: a, anchor_b: b, axis, ...rest}) => ({...rest, anchorA: new Vector3(...a),
      anchorB: new Vector3(...b), axis: axis ? new Vector3(...axis) : null}));
    this.bodySize = bodySize;
    this.shorten = shorten;
    const overlay = (geometry, capacity) => {
      const material = new MeshBasicMaterial({depthTest: false, transparent: true, opacity: 0.85, toneMapped: false, fog: false});
      const mesh = new InstancedMesh(geometry, material, Math.max(1, capacity));
      mesh.frustumCulled = false;
      mesh.renderOrder = 3;
      mesh.count = 0;
      mesh.visible = false;
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.setColorAt(0, kAnchor);
      room.scene.add(mesh);
      return mesh;
    };
    this.anchors = overlay(new SphereGeometry(kAnchorRadius * bodySize, 10, 8), 2 * joints.length);
    this.lines = overlay(new CylinderGeometry(kLineRadius * bodySize, kLineRadius * bodySize, 1, 6), joints.length);
  }

  /// Draws the joints where the bodies are, or none; place(body, position, quaternion) tells the pose of a body.
  draw(shown, place) {
    this.anchors.count = this.lines.count = 0;
    if (shown) for (const joint of this.joints) this.add(joint, place);
    for (const mesh of [this.anchors, this.lines]) {
      mesh.visible = mesh.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor.needsUpdate = true;
    }
  }

  add({a, b, anchorA, anchorB, axis, line, spring}, place) {
    place(b, position, rotation);
    to.copy(anchorB).applyQuaternion(rotation).add(position);
    place(a, position, rotation);
    from.copy(anchorA).applyQuaternion(rotation).add(position);
    to.copy(this.shorten(way.copy(to).sub(from))).add(from);
    for (const anchor of [from, to]) put(this.anchors, matrix.makeTranslation(anchor), kAnchor);
    if (line) this.addLine(from, to, spring ? kSpring : kLine);
    if (!axis) return;
    const half = direction.copy(axis).applyQuaternion(rotation).multiplyScalar(0.5 * kAxisLength * this.bodySize);
    this.addLine(to.copy(from).sub(half), from.add(half), kAxis);
  }

  addLine(start, end, colour) {
    const along = way.copy(end).sub(start);
    const length = along.length();
    if (length === 0) return;
    turn.setFromUnitVectors(kY, along.divideScalar(length));
    put(this.lines, matrix.compose(middle.copy(start).lerp(end, 0.5), turn, scale.set(1, length, 1)), colour);
  }
}

function put(mesh, at, colour) {
  mesh.setMatrixAt(mesh.count, at);
  mesh.setColorAt(mesh.count++, colour);
}

const matrix = new Matrix4();
const [position, from, to, direction, way, middle, scale] = Array.from({length: 7}, () => new Vector3());
const rotation = new Quaternion();
const turn = new Quaternion();
