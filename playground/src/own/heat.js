// The distance of each point of one surface to another one, measured from coarse to fine within a given time.
import {coarseFirst, refined} from './heat_points.js';
import {kStill} from '../space/poses.js';
import {surfaceShape} from './surface_shape.js';

const kBatch = 32; // points between two looks at the clock

export class Heat {
  constructor(tactus, a, b) {
    const shown = surfaceShape(a);
    this.tactus = tactus;
    this.own = shown.vertices.length; // of the file; the others are put between
    const {vertices, triangles} = refined(shown);
    Object.assign(this, {vertices, triangles}, coarseFirst(vertices));
    this.point = tactus.shape({type: 'sphere', radius: 0});
    this.other = tactus.shape(surfaceShape(b));
    this.signed = tactus.distance(this.point, kStill, this.other, kStill).status !== 'unsupported'; // an open surface has no inside
    this.distances = new Float64Array(vertices.length);
  }

  picture() {
    return {vertices: Float32Array.from(this.vertices.flat()), triangles: this.triangles.flat(), own: this.own, signed: this.signed};
  }

  /// Measures on from the point number `from` of the order, for `milliseconds`, with the other surface at `offset`: {distances,
  /// measured, of}. Points that are not measured yet have the distance of one of their neighbourhood.
  look(offset, from, milliseconds) {
    const {tactus, order, parents, vertices, distances} = this;
    const end = performance.now() + milliseconds;
    const there = [...offset, 1, 0, 0, 0];
    const pose = [...kStill];
    let next = from;
    while (next < order.length && performance.now() < end) {
      for (const batchEnd = Math.min(next + kBatch, order.length); next < batchEnd; ++next) {
        [pose[0], pose[1], pose[2]] = vertices[order[next]];
        distances[order[next]] = tactus.distance(this.point, pose, this.other, there, {signed: this.signed}).distance;
      }
    }
    for (let k = next; k < order.length; ++k) distances[order[k]] = distances[parents[order[k]]];
    return {distances: distances.slice(), measured: next, of: order.length};
  }

  close() {
    this.point.close();
    this.other.close();
  }
}
