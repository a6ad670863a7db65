// Tactus in JavaScript: the compiled library (tactus_module) behind plain functions and typed arrays.
import createModule from './tactus_module.mjs';
import {Kept, Room, TactusError, counted, numberOf, pairs, posesOf, room, vector} from './memory.mjs';
import {loader} from './loading.mjs';
import {Queries, Shape, kStatuses} from './queries.mjs';
import {contentHash} from './tactus_hash.mjs';

/// Names the build: the hash of the compiled modules that belong to this file.
export {contentHash, TactusError};

const kTouchNumbers = 10;
const kPlanarContactNumbers = 8;
const kBounceNumbers = 7;
const kBodyNumbers = 8;
const kContactNumbers = 10;
const kSoftStatistics = ['step', 'time', 'vertices', 'elements', 'contacts', 'leastGap', 'sweeps', 'rounds', 'converged',
  'corrections', 'heldBack', 'kineticEnergy', 'elasticEnergy', 'contactEnergy', 'potentialEnergy', 'rigidEnergy', 'totalMs'];
const kTouchKinds = ['segment', 'convex', 'concave', 'end'];
const kStatistics = ['step', 'time', 'moving', 'pairs', 'contactPoints', 'deepestPenetration', 'meanPenetration',
  'kineticEnergy', 'potentialEnergy', 'broadMs', 'narrowMs', 'solveMs', 'totalMs'];

class Tactus extends Queries {
  constructor(memory) {
    super(memory);
    memory.module._tactus_enable_classic();
  }

  /// Answers the lines of a query file (text); the lines are those of the program `tactus query`, to the bit.
  query(text, {certificate = false} = {}) {
    const {memory} = this;
    const bytes = memory.encoder.encode(text);
    return memory.with([bytes], (at) => memory.answer(memory.module._tactus_query(at, bytes.length, certificate ? 1 : 0)));
  }

  /// Answers the lines of a planar query file, as `tactus planar query` does.
  planarQuery(text) {
    const {memory} = this;
    const bytes = memory.encoder.encode(text);
    return memory.with([bytes], (at) => memory.answer(memory.module._tactus_planar_query(at, bytes.length)));
  }

  /// One query as an object, and its answer.
  ask(query, options) { return JSON.parse(this.query(JSON.stringify(query ?? {}), options)); }
  askPlanar(query) { return JSON.parse(this.planarQuery(JSON.stringify(query ?? {}))); }

  /// One query of two convex bodies, and its answer with `steps`: those of the algorithm as it ran.
  steps(query) {
    const answer = this.ask({...query, steps: true});
    if (answer.error) throw new TactusError(answer.error);
    let points = [];
    for (const step of answer.steps.filter(({kind}) => kind === 'polytope')) {
      points = step.points = [...points.slice(0, step.kept), ...step.points];
      delete step.kept;
    }
    return answer;
  }

  /// A question of `tactus steps`: what an algorithm over many things did, step by step, and its answer.
  manySteps(question) { return this.askObject('_tactus_many_steps', question); }

  // The JSON that an export answers with to a query as an object.
  askObject(name, query, ...more) {
    const {memory} = this;
    const bytes = memory.encoder.encode(JSON.stringify(query));
    return memory.with([bytes], (at) => JSON.parse(memory.answer(memory.module[name](at, bytes.length, ...more))));
  }

  /// The bodies of a query and their difference A - B as surfaces to draw.
  difference(query) { return this.askObject('_tactus_difference', query); }

  /// f(n), the support function of A - B, on a grid of unit directions n: row by row from +z to -z, twice as many columns as rows.
  directionSphere(query, rows) { return Float64Array.from(this.askObject('_tactus_direction_sphere', query, rows)); }

  /// Microseconds that the library takes for a query: the mean of `count`.
  queryTime(query, count = 100) {
    const {memory} = this;
    const bytes = memory.encoder.encode(JSON.stringify(query));
    return memory.with([bytes], (at) => memory.notNegative(memory.module._tactus_query_time(at, bytes.length, count)));
  }

  /// Asks a query with its certificate, and lets the independent checker prove the answer anew.
  check(query) { return this.askObject('_tactus_check', query); }

  /// A shape as in a query line: prisms, heightfields and decompositions too.
  shape(value) {
    const {memory} = this;
    const bytes = memory.encoder.encode(JSON.stringify(value));
    return new Shape(memory, memory.with([bytes], (at) => memory.positive(memory.module._tactus_shape_open(at, bytes.length))));
  }

  /// A polyline, and a region with holes; points as [[x, y], ...] or a Float64Array.
  contour(points, options) { return new Outline(this.memory, [points], {contour: true, ...options}); }
  region(outer, holes = []) { return new Outline(this.memory, [outer, ...holes], {}); }

  /// Signed distance of two regions at poses [x, y, angle], and whether their interiors meet.
  regionDistance(a, poseA, b, poseB) {
    const {memory} = this;
    return memory.with([posesOf(poseA, 1, 3), posesOf(poseB, 1, 3), room(11)], (one, other, out) => {
      memory.positive(memory.module._tactus_region_distance(numberOf(Outline, a, 'a'), one, numberOf(Outline, b, 'b'), other, out));
      const n = memory.doubles(out, 11);
      return {distance: n[0], lower: n[1], upper: n[2], normal: [n[3], n[4]], pointA: [n[5], n[6]], pointB: [n[7], n[8]],
        status: kStatuses[n[9]], overlap: n[10] === 1};
    });
  }

  /// Contacts of two regions that touch, overlap, or are at most `margin` apart: both ends of each stretch, and its deepest place.
  regionContacts(a, poseA, b, poseB, {margin = 0} = {}) {
    const {memory} = this;
    return memory.with([posesOf(poseA, 1, 3), posesOf(poseB, 1, 3)], (one, other) => {
      const count = memory.notNegative(memory.module._tactus_region_contacts(numberOf(Outline, a, 'a'), one, numberOf(Outline, b, 'b'), other, margin));
      return memory.records(count, kPlanarContactNumbers, (n) => ({pointA: [n[0], n[1]], pointB: [n[2], n[3]], normal: [n[4], n[5]],
        depth: n[6], stretch: n[7]}));
    });
  }

  /// Moves a ball {radius, position, velocity} by `dt` seconds between contours, exactly in time: it passes none. `waits`: it has
  /// bounced too often for one step, and goes on with the next.
  advance({radius, position, velocity}, contours, dt, {gravity = [0, -9.81], restitution = 1} = {}) {
    const {memory} = this;
    const ball = Float64Array.of(radius, ...vector(position, 2, 'position'), ...vector(velocity, 2, 'velocity'));
    const push = Float64Array.of(...vector(gravity, 2, 'gravity'), restitution);
    return memory.with([Int32Array.from(contours, (c, i) => numberOf(Outline, c, `contours[${i}]`)), ball, push, new Room(4)], (numbers, at, settings, waits) => {
      const count = memory.notNegative(memory.module._tactus_ball_advance(numbers, contours.length, at, dt, settings, waits));
      const [, x, y, vx, vy] = memory.doubles(at, 5);
      return {ball: {radius, position: [x, y], velocity: [vx, vy]}, waits: memory.integers(waits, 1)[0] === 1,
        bounces: memory.records(count, kBounceNumbers, (n) => ({time: n[0], point: [n[1], n[2]], normal: [n[3], n[4]], contour: n[5], segment: n[6]}))};
    });
  }

  /// The literal rules of the method's source for any number of regions; unsafe, for comparison.
  literalCollision(regions, poses) {
    const {memory} = this;
    return memory.with([Int32Array.from(regions, (r, i) => numberOf(Outline, r, `regions[${i}]`)), posesOf(poses, regions.length, 3)], (numbers, at) =>
      JSON.parse(memory.answer(memory.module._tactus_literal_collision(numbers, at, regions.length))));
  }

  /// Bytes of the module's memory: all objects, and what they left; it never shrinks.
  memoryBytes() { return this.memory.module.HEAPU8.byteLength; }

  /// A live world from a scene (an object, or the text of a scene file).
  world(scene) { return new World(this.memory, typeof scene === 'string' ? scene : JSON.stringify(scene)); }

  /// A world that code builds: `world`, `materials`, `surface_pairs` and `shapes` of a scene, all optional.
  simulation(setup = {}) { return new Simulation(this.memory, setup); }

  /// Live deformables from a scene (an object, or the text of a scene file).
  soft(scene) { return new Soft(this.memory, typeof scene === 'string' ? scene : JSON.stringify(scene)); }

  /// Contours in a picture: `rgba` as a canvas gives it (four bytes per pixel, rows from the top); options of `tactus contour`.
  trace(rgba, width, height, options = {}) {
    const {memory} = this;
    if (!(width > 0 && height > 0) || rgba.byteLength !== 4 * width * height) throw new TactusError('image: must have four bytes per pixel');
    const wishes = memory.encoder.encode(JSON.stringify(options));
    const found = memory.with([rgba, wishes], (pixels, at) =>
      JSON.parse(memory.answer(memory.module._tactus_trace(pixels, width, height, at, wishes.length))));
    const points = memory.doubles(memory.module._tactus_trace_points(), memory.module._tactus_trace_numbers());
    let next = 0;
    const taken = (contour) => ({...contour, points: points.slice(next, next += 2 * contour.points)});
    return {...found, regions: found.regions.map(({outer, holes}) => ({outer: taken(outer), holes: holes.map(taken)}))};
  }

  /// A triangle surface from a file's bytes; the name's ending decides on the format (obj, stl, ply, off, glb, gltf, xyz).
  surface(name, bytes) { return new Surface(this.memory, name, bytes); }

  /// The blocks of a page that plays a recording of the scene.
  recording(scene, bytes) {
    const {memory} = this;
    const text = memory.encoder.encode(scene);
    return memory.with([text, bytes], (at, content) =>
      memory.answer(memory.module._tactus_recording(at, text.length, content, bytes.byteLength)));
  }
}

class Outline extends Kept {
  static title = 'contour or region';

  constructor(memory, contours, {contour = false, closed = true, crossing = false}) {
    super();
    this.memory = memory;
    const arrays = contours.map(pairs);
    const all = new Float64Array(arrays.reduce((sum, array) => sum + array.length, 0));
    let filled = 0;
    for (const array of arrays) {
      all.set(array, filled);
      filled += array.length;
    }
    const counts = Int32Array.from(arrays, (array) => array.length >> 1);
    const {module} = memory;
    this.number = memory.with([all, counts], (xy, at) => memory.positive(contour
      ? module._tactus_contour_open(xy, counts[0], closed ? 1 : 0, crossing ? 1 : 0)
      : module._tactus_region_open(xy, at, counts.length)));
  }

  /// Area, centroid, inertia and radius of a region.
  mass() {
    const {memory} = this;
    return memory.with([room(5)], (out) => {
      memory.positive(memory.module._tactus_region_mass(this.number, out));
      const [area, x, y, inertia, radius] = memory.doubles(out, 5);
      return {area, centroid: [x, y], inertia, radius};
    });
  }

  /// Touches of circles at many centres (x, y one after the other): for each centre a list of touches.
  touches(centres, radius, {pose = [0, 0, 0], threshold = 0} = {}) {
    const {memory} = this;
    const xy = pairs(centres);
    const count = xy.length >> 1;
    return memory.with([posesOf(pose, 1, 3), xy, new Room(4 * count)], (at, points, counts) => {
      const found = memory.notNegative(
        memory.module._tactus_touches(this.number, at, radius, threshold, points, count, counts));
      const numbers = memory.doubles(memory.module._tactus_numbers(), found * kTouchNumbers);
      let next = 0;
      return Array.from(memory.integers(counts, count), (touches) => Array.from({length: touches}, () => {
        const n = numbers.subarray(next, next += kTouchNumbers);
        return {point: [n[0], n[1]], normal: [n[2], n[3]], angle: n[4], depth: n[5], part: n[6], segment: n[7], contour: n[8],
          kind: kTouchKinds[n[9]]};
      }));
    });
  }

  /// Every touch by the literal rule of the method's source for a circle and a contour, for comparison.
  literalTouches(centre, radius, {pose = [0, 0, 0]} = {}) {
    const {memory} = this;
    return memory.with([posesOf(pose, 1, 3), vector(centre, 2, 'centre')], (at, point) =>
      JSON.parse(memory.answer(memory.module._tactus_literal_touches(this.number, at, radius, point))));
  }

  /// The nearest place alone by that rule, touching or not; `corners` with its rule for convex corners.
  literalTouch(centre, radius, {pose = [0, 0, 0], corners = false} = {}) {
    const {memory} = this;
    return memory.with([posesOf(pose, 1, 3), vector(centre, 2, 'centre'), room(9)], (at, point, out) => {
      memory.positive(memory.module._tactus_literal_touch(this.number, at, radius, point, corners ? 1 : 0, out));
      const n = memory.doubles(out, 9);
      return {found: n[0] === 1, touching: n[1] === 1, segment: n[2], part: n[3], distance: n[4], point: [n[5], n[6]],
        angle: n[7], corner: n[8] === 1};
    });
  }

  close() { this.memory.module._tactus_outline_close(this.number); }
}

const snapshotNumber = (value) => {
  if (!Number.isSafeInteger(value)) throw new TactusError('snapshot: must be what save() returned');
  return value;
};

class World extends Kept {
  constructor(memory, scene) {
    super();
    this.memory = memory;
    const bytes = memory.encoder.encode(scene);
    this.number = memory.with([bytes], (at) => memory.positive(memory.module._tactus_world_open(at, bytes.length)));
  }

  /// Shapes and bodies as the picture room takes them, stage, view and settings.
  picture() { return JSON.parse(this.memory.answer(this.memory.module._tactus_world_picture(this.number))); }

  /// Does something before the next step: {do: 'set' | 'push' | 'pull' | 'release' | 'add', ...}, see README.
  act(act) {
    const {memory} = this;
    const bytes = memory.encoder.encode(JSON.stringify(act));
    memory.with([bytes], (at) => memory.positive(memory.module._tactus_world_act(this.number, at, bytes.length)));
  }

  step(count = 1) { this.memory.positive(this.memory.module._tactus_world_step(this.number, counted(count))); }

  /// Eight numbers per body: position, quaternion w, x, y, z, and scale (0: not yet there). A view of the module's memory that
  /// stands until the next call.
  poses() {
    const {memory} = this;
    const at = memory.module._tactus_world_poses(this.number);
    if (at === 0) memory.fail();
    return memory.doubles(at, kBodyNumbers * memory.module._tactus_world_bodies(this.number));
  }

  /// Ten numbers per contact point: bodies (indices), point, normal, depth, impulse. A view, as `poses`.
  contacts() {
    const {memory} = this;
    const count = memory.notNegative(memory.module._tactus_world_find_contacts(this.number));
    return memory.doubles(memory.module._tactus_world_contacts(this.number), kContactNumbers * count);
  }

  /// The force of each contact point on its second body, three numbers each, in the order of `contacts`. A view, as `poses`.
  forces() {
    const {memory} = this;
    memory.notNegative(memory.module._tactus_world_find_forces(this.number));
    return memory.found();
  }

  statistics() {
    const {memory} = this;
    return memory.with([room(kStatistics.length)], (out) => {
      memory.positive(memory.module._tactus_world_statistics(this.number, out));
      const numbers = memory.doubles(out, kStatistics.length);
      return Object.fromEntries(kStatistics.map((name, i) => [name, numbers[i]]));
    });
  }

  /// The first body on a ray, and where: {body (index), distance, point (in the body's frame)}, or null.
  ray(origin, direction) {
    const {memory} = this;
    return memory.with([vector(origin, 3, 'origin'), vector(direction, 3, 'direction'), room(5)], (from, along, out) => {
      if (memory.module._tactus_world_ray(this.number, from, along, out) === 0) return null;
      const [body, distance, x, y, z] = memory.doubles(out, 5);
      return {body, distance, point: [x, y, z]};
    });
  }

  /// Description of one body, by its index.
  body(index) { return JSON.parse(this.memory.answer(this.memory.module._tactus_world_body(this.number, index))); }

  /// The run so far as one line of JSON, which `tactus live` replays to the same bits.
  line() { return this.memory.answer(this.memory.module._tactus_world_line(this.number)); }

  /// All that the run's future depends on, and the acts that led here; `restore` goes on from there with the same bits.
  save() { return this.memory.positive(this.memory.module._tactus_world_save(this.number)); }
  restore(snapshot) { this.memory.positive(this.memory.module._tactus_world_restore(this.number, snapshotNumber(snapshot))); }
  forget(snapshot) { this.memory.positive(this.memory.module._tactus_world_forget(this.number, snapshotNumber(snapshot))); }
  /// Bytes that a snapshot takes.
  snapshotBytes(snapshot) { return this.memory.notNegative(this.memory.module._tactus_world_snapshot_bytes(this.number, snapshotNumber(snapshot))); }

  /// Hash of the state, 16 hexadecimal digits.
  hash() { return this.memory.answer(this.memory.module._tactus_world_hash(this.number)); }

  close() { this.memory.module._tactus_world_close(this.number); }
}

// A question's selection of bodies, for a request.
const selected = ({mask, ignored, sensors} = {}) =>
  (mask === undefined && ignored === undefined && sensors === undefined ? {} : {selection: {mask, ignored, sensors}});
const bounded = (maxDistance) => (Number.isFinite(maxDistance) ? {max_distance: maxDistance} : {});

class Simulation extends Kept {
  constructor(memory, setup) {
    super();
    this.memory = memory;
    const bytes = memory.encoder.encode(JSON.stringify(setup));
    this.number = memory.with([bytes], (at) =>
      memory.positive(memory.module._tactus_simulation_open(at, bytes.length)));
  }

  call(what, values) {
    const {memory} = this;
    const bytes = memory.encoder.encode(JSON.stringify({do: what, ...values}));
    return JSON.parse(memory.with([bytes], (at) =>
      memory.answer(memory.module._tactus_simulation_call(this.number, at, bytes.length))));
  }

  addBody(body) { return this.call('add_body', body).body; }
  removeBodies(...bodies) { this.call('remove_bodies', {bodies}); }
  addJoint(joint) { return this.call('add_joint', joint).joint; }
  removeJoint(joint) { this.call('remove_joint', {joint}); }
  setMotor(joint, motor) { this.call('set_motor', {joint, ...(motor && {speed: motor.speed, max_force: motor.maxForce})}); }
  setDrive(joint, drive) { this.call('set_drive', {joint, ...(drive && {drive})}); }

  setPose(body, pose) { this.call('set_pose', {body, pose}); }
  setVelocity(body, linear, angular = [0, 0, 0]) { this.call('set_velocity', {body, linear, angular}); }
  moveTo(body, pose, duration) { this.call('move_to', {body, pose, duration}); }
  push(body, impulse, point) { this.call('push', {body, impulse, point}); }
  applyForce(body, force, point) { this.call('force', {body, force, point}); }
  applyTorque(body, torque) { this.call('torque', {body, torque}); }

  step(count = 1) {
    this.memory.positive(this.memory.module._tactus_simulation_step(this.number, counted(count)));
  }

  /// Ids and, eight numbers each, poses of all bodies. Views of the module's memory that stand until the next call.
  bodies() {
    const {memory} = this;
    const count = memory.notNegative(memory.module._tactus_simulation_find_bodies(this.number));
    return {ids: memory.doubles(memory.module._tactus_simulation_ids(this.number), count),
      poses: memory.doubles(memory.module._tactus_simulation_poses(this.number), kBodyNumbers * count)};
  }

  /// Ten numbers per contact point: bodies (ids), point, normal, depth, impulse. A view, as `bodies`.
  contacts() {
    const {memory} = this;
    const count = memory.notNegative(memory.module._tactus_simulation_find_contacts(this.number));
    return memory.doubles(memory.module._tactus_simulation_contacts(this.number), kContactNumbers * count);
  }

  body(body) { return this.call('body', {body}); }
  joint(joint) { return this.call('joint', {joint}); }
  touches() { return this.call('touches'); }
  rayCast(origin, direction, {maxDistance, mask} = {}) {
    return this.call('ray', {origin, direction, ...bounded(maxDistance), ...selected({mask})}).hit;
  }
  castShape(shape, pose, motion, selection) { return this.call('cast', {shape, pose, motion, ...selected(selection)}).hit; }
  overlapping(shape, pose, selection) { return this.call('overlapping', {shape, pose, ...selected(selection)}).bodies; }
  nearest(shape, pose, {maxDistance, ...selection} = {}) {
    return this.call('nearest', {shape, pose, ...bounded(maxDistance), ...selected(selection)}).hit;
  }

  /// All bodies, joints and motions as they are now; `restore` brings them back to the bit.
  save() { return this.call('save').snapshot; }
  restore(snapshot) { this.call('restore', {snapshot}); }
  forget(snapshot) { this.call('forget', {snapshot}); }

  hash() { return this.memory.answer(this.memory.module._tactus_simulation_hash(this.number)); }
  close() { this.memory.module._tactus_simulation_close(this.number); }
}

class Soft extends Kept {
  constructor(memory, scene) {
    super();
    this.memory = memory;
    const bytes = memory.encoder.encode(scene);
    this.number = memory.with([bytes], (at) => memory.positive(memory.module._tactus_soft_open(at, bytes.length)));
  }

  /// Surfaces of the deformables, shapes and bodies of the obstacles, stage.
  picture() { return JSON.parse(this.memory.answer(this.memory.module._tactus_soft_picture(this.number))); }

  /// Does something before the next step: {do: 'set' | 'pull' | 'release', ...}, see README.
  act(act) {
    const {memory} = this;
    const bytes = memory.encoder.encode(JSON.stringify(act));
    memory.with([bytes], (at) => memory.positive(memory.module._tactus_soft_act(this.number, at, bytes.length)));
  }

  step(count = 1) { this.memory.positive(this.memory.module._tactus_soft_step(this.number, counted(count))); }

  /// Three numbers per vertex of all bodies, one after the other; with `energies` also the density of the elastic energy there.
  /// Views of the module's memory that stand until the next call.
  vertices({energies = false} = {}) {
    const {memory} = this;
    const count = memory.notNegative(memory.module._tactus_soft_find(this.number, energies ? 1 : 0));
    return {positions: memory.doubles(memory.module._tactus_soft_positions(this.number), 3 * count),
      energies: energies ? memory.doubles(memory.module._tactus_soft_energies(this.number), count) : null};
  }

  /// Eight numbers per rigid body of the scene: position, quaternion w x y z, scale. A view, as `vertices`.
  poses() {
    const {memory} = this;
    const count = memory.notNegative(memory.module._tactus_soft_bodies(this.number));
    return memory.doubles(memory.module._tactus_soft_poses(this.number), kBodyNumbers * count);
  }

  /// Ten numbers per contact of the last step, of rigid bodies and of deformables: bodies (indices, deformables after the rigid
  /// ones), point, normal, depth, normal force; in single precision, for pictures. A view, as `vertices`.
  contacts() {
    const {memory} = this;
    const count = memory.notNegative(memory.module._tactus_soft_find_contacts(this.number));
    return memory.doubles(memory.module._tactus_soft_contacts(this.number), kContactNumbers * count);
  }

  statistics() {
    const {memory} = this;
    return memory.with([room(kSoftStatistics.length)], (out) => {
      memory.positive(memory.module._tactus_soft_statistics(this.number, out));
      const numbers = memory.doubles(out, kSoftStatistics.length);
      return Object.fromEntries(kSoftStatistics.map((name, i) => [name, numbers[i]]));
    });
  }

  /// Edges that meet a triangle now, decided exactly.
  crossings() { return this.memory.notNegative(this.memory.module._tactus_soft_crossings(this.number)); }

  /// The run so far as one line of JSON, which `tactus live` replays to the same bits.
  line() { return this.memory.answer(this.memory.module._tactus_soft_line(this.number)); }

  /// Hash of the state, 16 hexadecimal digits.
  hash() { return this.memory.answer(this.memory.module._tactus_soft_hash(this.number)); }

  close() { this.memory.module._tactus_soft_close(this.number); }
}

class Surface extends Kept {
  static title = 'surface';

  constructor(memory, name, bytes) {
    super();
    this.memory = memory;
    const title = memory.encoder.encode(name);
    this.number = memory.with([title, bytes], (at, content) =>
      memory.positive(memory.module._tactus_surface_open(at, title.length, content, bytes.byteLength)));
  }

  ask(f, ...rest) { return JSON.parse(this.memory.answer(this.memory.module[`_tactus_surface_${f}`](this.number, ...rest))); }

  /// Counts, box and picture.
  picture() { return this.ask('picture'); }
  /// Counts, measures and faults, as `tactus mesh` tells them.
  report() { return this.ask('report'); }
  hull() { return this.ask('hull'); }
  boxes() { return this.ask('boxes'); }
  /// Few convex parts, to a bound of the distance to the surface, of the model scaled to [-1, 1].
  parts({concavity = 0.05, most = 64} = {}) { return this.ask('parts', concavity, most); }

  /// The bytes of a file: `what` is 'surface', 'hull', or 'parts' (those of the last call of `parts`, which must have been this
  /// surface's); `ending` is 'stl', 'glb' (both in single precision) or 'json', a shape of queries and scenes.
  file(what, ending) {
    const {memory} = this;
    const [name, kind] = [what, ending].map((text) => memory.encoder.encode(text));
    return memory.with([name, kind], (at, of) => memory.bytes(memory.module._tactus_surface_file(this.number, at, name.length, of, kind.length)));
  }

  /// Distance to another surface; poses of seven numbers.
  distance(pose, other, otherPose) {
    const {memory} = this;
    return memory.with([posesOf(pose, 1, 7), posesOf(otherPose, 1, 7)], (a, b) =>
      JSON.parse(memory.answer(memory.module._tactus_surface_distance(this.number, a, numberOf(Surface, other, 'other'), b))));
  }

  close() { this.memory.module._tactus_surface_close(this.number); }
}

/// Reads the compiled library: from beside this file, or from `wasm` (an address, bytes, or a compiled module). Throws
/// TactusError when it is of another build than this file.
export const load = loader(createModule, () => new URL('./tactus_module.wasm', import.meta.url), (memory) => new Tactus(memory));
