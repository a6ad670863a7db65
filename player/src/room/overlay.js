// Marks that are drawn over the bodies, whatever lies before them: balls, and lines between points.
import {Color, DynamicDrawUsage, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3} from 'three';

const kY = new Vector3(0, 1, 0);

/// As many instances of a geometry as are put, at most `capacity`.
export class Overlay {
  constructor(room, geometry, capacity) {
    const material = new MeshBasicMaterial({depthTest: false, transparent: true, opacity: 0.85, toneMapped: false, fog: false});
    this.mesh = new InstancedMesh(geometry, material, Math.max(1, capacity));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 3;
    this.mesh.count = 0;
    this.mesh.visible = false;
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.setColorAt(0, new Color());
    room.scene.add(this.mesh);
  }

  clear() {
    this.mesh.count = 0;
  }

  put(at, colour) {
    this.mesh.setMatrixAt(this.mesh.count, at);
    this.mesh.setColorAt(this.mesh.count++, colour);
  }

  putPoint(point, colour) {
    this.put(matrix.makeTranslation(point), colour);
  }

  /// A line between two points, of a cylinder of length 1 along y.
  putLine(start, end, colour) {
    const along = way.copy(end).sub(start);
    const length = along.length();
    if (length === 0) return;
    turn.setFromUnitVectors(kY, along.divideScalar(length));
    this.put(matrix.compose(middle.copy(start).lerp(end, 0.5), turn, scale.set(1, length, 1)), colour);
  }

  finish() {
    this.mesh.visible = this.mesh.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor.needsUpdate = true;
  }
}

const matrix = new Matrix4();
const [way, middle, scale] = Array.from({length: 3}, () => new Vector3());
const turn = new Quaternion();
