// Contact points and normals, drawn over the bodies.
import {
  Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion,
  SphereGeometry, Vector3,
} from 'three';
import {mergeGeometries} from 'three/examples/jsm/utils/BufferGeometryUtils.js';

import {isDark} from './room.js';

const kPoint = new Color('#d4145a');
const [kNormal, kNormalByNight] = [new Color('#1b2a41'), new Color('#f2f6fb')];
const kChosen = new Color('#ffb000'); // marks of the chosen body
const kY = new Vector3(0, 1, 0);

export class ContactMarks {
  /// Room for `capacity` marks, sized for bodies of `bodySize`.
  constructor(room, capacity, bodySize) {
    const overlay = (geometry) => {
      const material = new MeshBasicMaterial({depthTest: false, transparent: true, opacity: 0.9, toneMapped: false,
        fog: false});
      const mesh = new InstancedMesh(geometry, material, Math.max(1, capacity));
      mesh.frustumCulled = false;
      mesh.renderOrder = 3;
      mesh.count = 0;
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.setColorAt(0, kPoint);
      room.scene.add(mesh);
      return mesh;
    };
    this.points = overlay(new SphereGeometry(0.045 * bodySize, 10, 8));
    const shaft = new CylinderGeometry(0.012 * bodySize, 0.012 * bodySize, 0.32 * bodySize, 6)
      .translate(0, 0.16 * bodySize, 0);
    const tip = new ConeGeometry(0.04 * bodySize, 0.11 * bodySize, 8).translate(0, 0.37 * bodySize, 0);
    this.normals = overlay(mergeGeometries([shaft, tip]));
  }

  /// Starts a new set of marks.
  clear() {
    this.points.count = this.normals.count = 0;
  }

  /// Adds a mark at a place; `point` and `normal` tell what is drawn, `chosen` marks it.
  add(position, direction, {point, normal, chosen}) {
    const put = (mesh, matrix, colour) => {
      mesh.setMatrixAt(mesh.count, matrix);
      mesh.setColorAt(mesh.count++, colour);
    };
    matrix.compose(position, rotation.setFromUnitVectors(kY, direction), scale.setScalar(chosen ? 1.4 : 1));
    if (point) put(this.points, matrix, chosen ? kChosen : kPoint);
    if (normal) put(this.normals, matrix, chosen ? kChosen : isDark() ? kNormalByNight : kNormal);
  }

  /// Ends a set of marks.
  finish() {
    for (const mesh of [this.points, this.normals]) {
      mesh.visible = mesh.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor.needsUpdate = true;
    }
  }
}

const matrix = new Matrix4();
const rotation = new Quaternion();
const scale = new Vector3();
