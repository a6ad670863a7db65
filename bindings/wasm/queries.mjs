// Shapes and queries in numbers: what all modules share.
import {Fields, poseNumbers} from './fields.mjs';
import {Kept, TactusError, doubles, numberOf, posesOf, room} from './memory.mjs';
import {contentHash} from './tactus_hash.mjs';

export const kStatuses = ['converged', 'iteration_limit', 'precision_limit', 'invalid_input', 'unsupported', 'local_minimum'];
const kMethods = ['auto', 'closed_form', 'gjk', 'gjk_nesterov', 'gjk_signed_volumes', 'epa', 'epa_classic', 'mpr', 'chung_wang', 'sat',
  'separating_plane', 'v_clip'];
const kVerdicts = ['no', 'yes', 'undecided'];
// In the order of the library's types.
const kPrimitives = {
  sphere: (f) => [f.number('radius')],
  box: (f) => f.vector('size'),
  capsule: (f) => [f.number('radius'), f.number('length')],
  cylinder: (f) => [f.number('radius'), f.number('length')],
  cone: (f) => [f.number('radius'), f.number('length')],
  ellipsoid: (f) => f.vector('radii'),
  halfspace: (f) => [...f.vector('normal'), f.number('offset')],
};
const kTypes = ['sphere', 'box', 'capsule', 'cylinder', 'cone', 'ellipsoid', 'convex', 'mesh', 'halfspace', 'compound'];
const kDistanceNumbers = 13;

const flat = (list) => doubles(ArrayBuffer.isView(list) ? list : list.flat());

/// A shape that the module keeps.
export class Shape extends Kept {
  static title = 'shape';

  constructor(memory, number) {
    super();
    this.memory = memory;
    this.number = number;
  }

  close() { this.memory.module._tactus_shape_close(this.number); }
}

// The entries of an array, or those of the arrays in it.
function listOf(fields, name) {
  const list = fields.require(name);
  if (ArrayBuffer.isView(list)) return list;
  return Array.isArray(list) ? list.flat() : fields.fail(name, 'must be an array');
}

// The numbers of an array of points, [x, y, z] each or one after the other.
function pointsOf(fields, name) {
  const points = doubles(listOf(fields, name));
  return points.length % 3 === 0 && points.every(Number.isFinite) ? points : fields.fail(name, 'must be three numbers each');
}

// The corners of triangles, three each or one after the other.
function cornersOf(fields, name) {
  const corners = Array.from(listOf(fields, name));
  const whole = corners.every((corner) => Number.isInteger(corner) && corner >= 0 && corner < 2 ** 32);
  return whole && corners.length % 3 === 0 ? Uint32Array.from(corners) : fields.fail(name, 'must be three indices of vertices each');
}

// The number of a new shape of an object as in a query line.
function openShape(memory, value, path) {
  const {module} = memory;
  const fields = new Fields(value, path);
  const type = kTypes[fields.choice('type', kTypes)];
  const rounding = fields.number('rounding', 0);
  let number = 0;
  if (type === 'convex') {
    const points = pointsOf(fields, 'vertices');
    number = memory.with([points], (at) => module._tactus_shape_convex(at, points.length / 3));
  } else if (type === 'mesh') {
    const points = pointsOf(fields, 'vertices'), triangles = cornersOf(fields, 'triangles');
    number = memory.with([points, triangles], (at, list) =>
      module._tactus_shape_mesh(at, points.length / 3, list, triangles.length / 3));
  } else if (type === 'compound') {
    number = openCompound(memory, fields);
  } else {
    const numbers = Float64Array.from(kPrimitives[type](fields));
    number = memory.with([numbers], (at) => module._tactus_shape_primitive(kTypes.indexOf(type), at));
  }
  memory.positive(number);
  let kept = 0;
  try {
    fields.finish();
    kept = rounding === 0 ? number : memory.positive(module._tactus_shape_rounded(number, rounding));
    return kept;
  } finally {
    if (kept !== number) module._tactus_shape_close(number);
  }
}

function openCompound(memory, fields) {
  const {module} = memory;
  const parts = [], poses = [];
  const list = fields.require('parts');
  if (!Array.isArray(list)) fields.fail('parts', 'must be an array');
  try {
    list.forEach((value, i) => fields.within(`parts[${i}]`, () => {
      const part = new Fields(value);
      parts.push(openShape(memory, part.require('shape'), 'shape'));
      poses.push(...part.pose('pose'));
      part.finish();
    }));
    return memory.with([Int32Array.from(parts), Float64Array.from(poses)], (numbers, at) =>
      module._tactus_shape_compound(numbers, at, parts.length));
  } finally {
    for (const part of parts) module._tactus_shape_close(part);
  }
}

/// The number of a shape, or of a new one of an object, which `close` ends.
export function takeShape(memory, value, path) {
  if (value instanceof Shape) return {number: value.number, close: () => {}};
  const number = openShape(memory, value, path);
  return {number, close: () => memory.module._tactus_shape_close(number)};
}

function optionNumbers(options) {
  const fields = new Fields(options, 'options');
  const numbers = [fields.number('tolerance', NaN), fields.number('maxDistance', Infinity), fields.number('margin', NaN),
    fields.choice('method', kMethods, 'auto'), fields.whole('maxIterations', NaN, 1), fields.flag('signed', true) ? 1 : 0,
    fields.flag('unionDepth') ? 1 : 0];
  fields.finish();
  return numbers;
}

// Reads the numbers of an answer one after the other.
class Answer {
  constructor(numbers) {
    this.numbers = numbers;
    this.next = 0;
  }

  number() { return this.numbers[this.next++]; }
  vector() { return [this.number(), this.number(), this.number()]; }
  flag() { return this.number() === 1; }

  places() { return {normal: this.vector(), pointA: this.vector(), pointB: this.vector()}; }

  end() {
    return {status: kStatuses[this.number()], method: kMethods[this.number()], iterations: this.number(), unique: this.flag(),
      partA: this.number(), partB: this.number()};
  }

  distance() {
    const bracket = {distance: this.number(), lower: this.number(), upper: this.number()};
    return {...bracket, ...this.places(), ...this.end(), triangleA: this.number(), triangleB: this.number()};
  }

  cast() {
    const times = {hit: kVerdicts[this.number()], time: this.number(), timeUpper: this.number(), distance: this.number()};
    return {...times, ...this.places(), ...this.end()};
  }

  patch() {
    const patch = {normal: this.vector(), partA: this.number(), partB: this.number()};
    const count = this.number();
    return {...patch, points: Array.from({length: count}, () => ({pointA: this.vector(), pointB: this.vector(), depth: this.number()}))};
  }
}

const motionNumbers = (motion, name) => {
  const fields = new Fields(motion ?? {}, name);
  const numbers = [...fields.vector('linear', [0, 0, 0]), ...fields.vector('angular', [0, 0, 0])];
  fields.finish();
  return numbers;
};
const three = (numbers, name) => new Fields({[name]: numbers}).vector(name);

export class Queries {
  constructor(memory) {
    this.memory = memory;
    this.contentHash = contentHash;
  }

  /// A shape as in a query line.
  shape(value) { return new Shape(this.memory, openShape(this.memory, value, '')); }

  // Calls an export with two shapes, their poses, options and more; it answers in numbers.
  pair(name, a, poseA, b, poseB, options, ...more) {
    const {memory} = this;
    const [one, other] = [numberOf(Shape, a, 'a'), numberOf(Shape, b, 'b')];
    const numbers = Float64Array.of(...poseNumbers(poseA, 'poseA'), ...poseNumbers(poseB, 'poseB'), ...optionNumbers(options), ...more.flat());
    memory.with([numbers], (at) => memory.positive(memory.module[name](one, other, at)));
    return new Answer(memory.found());
  }

  /// Signed distance with its proof: `lower` and `upper` hold the truth between them.
  distance(a, poseA, b, poseB, options = {}) { return this.pair('_tactus_pair_distance', a, poseA, b, poseB, options).distance(); }

  /// Do the bodies share a point? 'yes', 'no', or 'undecided' of a touch within rounding.
  overlap(a, poseA, b, poseB, options = {}) {
    const answer = this.pair('_tactus_pair_overlap', a, poseA, b, poseB, options);
    return {overlap: kVerdicts[answer.number()], proof: answer.distance()};
  }

  /// Contact patches up to the gap `margin`, and the distance of the pair.
  contacts(a, poseA, b, poseB, options = {}) {
    const answer = this.pair('_tactus_pair_contacts', a, poseA, b, poseB, options);
    const distance = answer.distance();
    return {distance, patches: Array.from({length: answer.number()}, () => answer.patch())};
  }

  /// First contact of bodies that move by `motionA` and `motionB` without turning: not before `time`, some contact up to `timeUpper`.
  cast(a, poseA, motionA, b, poseB, motionB, options = {}) {
    return this.pair('_tactus_pair_cast', a, poseA, b, poseB, options, three(motionA, 'motionA'), three(motionB, 'motionB')).cast();
  }

  /// First contact of bodies that move and turn at constant velocities {linear, angular} from time 0 to 1.
  impact(a, poseA, motionA, b, poseB, motionB, options = {}) {
    return this.pair('_tactus_pair_impact', a, poseA, b, poseB, options, motionNumbers(motionA, 'motionA'),
      motionNumbers(motionB, 'motionB')).cast();
  }

  /// Where origin + t * direction, 0 <= t <= maxTime, first meets a shape.
  ray(shape, pose, origin, direction, maxTime = Infinity) {
    const {memory} = this;
    const number = numberOf(Shape, shape, 'shape');
    const numbers = Float64Array.of(...poseNumbers(pose), ...three(origin, 'origin'), ...three(direction, 'direction'), maxTime);
    memory.with([numbers], (at) => memory.positive(memory.module._tactus_shape_ray(number, at)));
    return new Answer(memory.found()).cast();
  }

  /// Signed distances of one pair of shapes at many poses (seven numbers each: position, quaternion w, x, y, z). Thirteen
  /// numbers each: distance, lower, upper, normal, point on A, point on B, status.
  distances(a, posesA, b, posesB) {
    const {memory} = this;
    const [shapeA, shapeB] = [numberOf(Shape, a, 'a'), numberOf(Shape, b, 'b')];
    const count = posesA.length / 7;
    const [one, other] = [posesOf(posesA, count, 7), posesOf(posesB, count, 7)];
    const size = count * kDistanceNumbers;
    return memory.with([one, other, room(size)], (atA, atB, out) => {
      memory.positive(memory.module._tactus_distances(shapeA, shapeB, count, atA, atB, out));
      return memory.doubles(out, size).slice();
    });
  }

  /// The convex hull of points (x, y, z one after the other).
  hull(points) {
    const {memory} = this;
    const xyz = flat(points);
    if (xyz.length % 3 !== 0) throw new TactusError(`points: must be three numbers each, not ${xyz.length} in all`);
    return memory.with([xyz], (at) => {
      const triangles = memory.notNegative(memory.module._tactus_hull(at, xyz.length / 3));
      return {vertices: memory.found().slice(), triangles: memory.integers(memory.module._tactus_hull_triangles(), 3 * triangles).slice()};
    });
  }
}
