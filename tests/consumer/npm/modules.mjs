// The three modules of the package answer alike: `modules.mjs [FOLDER]`. Queries in numbers have the bits of query lines, and a
// world built in numbers those of one built in JSON, through all of its calls.
import assert from 'node:assert';

const [folder] = process.argv.slice(2);
const module = async (name) => (await import(folder ? new URL(`${folder}/tactus${name && `_${name}`}_node.mjs`, `file://${process.cwd()}/`) :
  `tactus${name && `/${name}`}`)).load();
const [all, queries, worlds] = [await module(''), await module('queries'), await module('worlds')];

const kQueries = 1500;
let state = 7;
const random = (low = 0, high = 1) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return low + (high - low) * (state / 2 ** 32);
};
const pick = (list) => list[Math.floor(random(0, list.length))];
const vector = (reach) => [random(-reach, reach), random(-reach, reach), random(-reach, reach)];
const sizes = () => [random(0.1, 1), random(0.1, 1), random(0.1, 1)];
function quaternion() {
  const q = [random(-1, 1), ...vector(1)], length = Math.hypot(...q) || 1;
  return q.map((x) => x / length);
}
const pose = (reach = 1) => ({position: vector(reach), quaternion: quaternion()});
const at = (...position) => ({position, quaternion: [1, 0, 0, 0]});

const solids = [
  () => ({type: 'sphere', radius: random(0.1, 1)}),
  () => ({type: 'box', size: sizes()}),
  () => ({type: 'box', size: sizes(), rounding: random(0.01, 0.2)}),
  () => ({type: 'capsule', radius: random(0.1, 0.5), length: random(0.1, 1)}),
  () => ({type: 'cylinder', radius: random(0.1, 0.5), length: random(0.1, 1)}),
  () => ({type: 'cone', radius: random(0.1, 0.5), length: random(0.1, 1)}),
  () => ({type: 'ellipsoid', radii: sizes()}),
  () => ({type: 'convex', vertices: Array.from({length: 12}, () => vector(0.6))}),
];
const shapes = [...solids,
  () => ({type: 'halfspace', normal: vector(1), offset: random(-0.5, 0.5)}),
  () => ({type: 'mesh', vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}),
  () => ({type: 'compound', parts: [{shape: {type: 'sphere', radius: 0.3}, pose: pose(0.5)}, {shape: {type: 'box', size: sizes()}}]}),
];

// The fields of an answer in numbers are those of the line; JSON leaves out those that there are not.
const alike = (numbers, line, names) => {
  for (const [name, written] of Object.entries(names)) if (line[written] != null) assert.deepEqual(numbers[name], line[written], `${name}: ${JSON.stringify(line)}`);
};
const kPlaces = {normal: 'normal', pointA: 'point_a', pointB: 'point_b', status: 'status', method: 'method', iterations: 'iterations'};

for (let i = 0; i < kQueries; ++i) {
  const query = {a: pick(shapes)(), pose_a: pose(), b: pick(shapes)(), pose_b: pose()};
  const [a, b] = [queries.shape(query.a), queries.shape(query.b)];
  const pair = [a, query.pose_a, b, query.pose_b];
  const distance = all.ask({...query, ask: 'distance'});
  alike(queries.distance(...pair), distance, {distance: 'distance', lower: 'lower', upper: 'upper', ...kPlaces});
  const [one, other] = [query.pose_a, query.pose_b].map(({position, quaternion: q}) => [...position, ...q]);
  assert.equal(queries.distances(a, one, b, other)[1], queries.distance(...pair).lower);
  const contacts = all.ask({...query, ask: 'contacts', threshold: 0.1});
  const patches = queries.contacts(...pair, {margin: 0.1}).patches;
  const points = contacts.contacts ?? (contacts.manifolds ?? []).flatMap((m) => m.points ?? m.contacts);
  assert.deepEqual(patches.flatMap((p) => p.points.map(({pointA}) => pointA)), points.map(({point_a: point}) => point));
  const {overlap} = all.ask({...query, ask: 'overlap'});
  if (typeof overlap === 'boolean') assert.equal(queries.overlap(...pair).overlap, overlap ? 'yes' : 'no');
  const [moveA, moveB] = [vector(2), vector(2)];
  const cast = all.ask({...query, ask: 'cast', motion: {a: moveA, b: moveB}});
  if (!cast.error) alike(queries.cast(a, query.pose_a, moveA, b, query.pose_b, moveB), cast, {time: 'time', timeUpper: 'time_upper', ...kPlaces});
  if (i % 10 === 0) {
    const motion = {a: {linear: moveA, angular: vector(2)}, b: {linear: moveB, angular: vector(2)}};
    const impact = all.ask({...query, ask: 'impact', motion});
    if (!impact.error) alike(queries.impact(a, query.pose_a, motion.a, b, query.pose_b, motion.b), impact, {time: 'time', ...kPlaces});
  }
  const ray = queries.ray(a, query.pose_a, vector(3), vector(1));
  assert(ray.status === 'unsupported' || ray.hit !== 'yes' || ray.time <= ray.timeUpper);
  for (const shape of [a, b]) shape.close();
}
const cloud = Float64Array.from({length: 90}, () => random(-1, 1));
assert.deepEqual(queries.hull(cloud), all.hull(cloud));

// All that a run of one set-up tells.
function run(library, setup) {
  state = 77;
  const w = library.simulation({...setup, materials: {ice: {friction: 0.05}}, shapes: {crate: {type: 'box', size: [1, 0.8, 0.6]}}});
  w.addBody({type: 'fixed', shape: {type: 'halfspace', normal: [0, 0, 1], offset: 0}});
  const ids = Array.from({length: 40}, (_, i) => w.addBody({shape: i % 3 ? pick(solids)() : 'crate', pose: {position: [...vector(2).slice(0, 2), 1 + i / 2], quaternion: quaternion()},
    material: i % 2 ? 'ice' : {friction: 0.6, restitution: 0.2}, angular_velocity: vector(3), mass: i % 5 ? undefined : 3,
    lock: i % 11 ? undefined : ['x', 'rz'], filter: i % 7 ? undefined : {category: 2, mask: 3}, gravity_scale: i % 9 ? 1 : 0.5}));
  const belt = w.addBody({type: 'kinematic', shape: {type: 'box', size: [3, 3, 0.2]}, pose: at(4, 0, 0.5), surface_velocity: [1, 0, 0]});
  // Three pairs beside them, held by joints.
  const held = Array.from({length: 6}, (_, i) => w.addBody({shape: 'crate', pose: at(1.5 * (i % 2), 8 + 2 * Math.floor(i / 2), 2)}));
  const hinge = w.addJoint({type: 'hinge', bodies: [held[0], held[1]], anchor: [0.75, 8, 2], axis: [0, 1, 0], limits: [-1, 1], motor: {speed: 2, max_force: 50}});
  const ball = w.addJoint({type: 'ball', bodies: [held[2], held[3]], anchor: [0.75, 10, 2], swing: 1, axis: [0, 0, 1], drive: {stiffness: 2, damping: 1}});
  const spring = w.addJoint({type: 'distance', bodies: [held[4], held[5]], anchors: [[0, 12, 2], [1.5, 12, 2]], spring: {frequency: 3, damping_ratio: 0.2}});
  w.step(20);
  w.push(ids[6], [5, 0, 0]);
  w.applyForce(ids[7], [0, 100, 0], [0, 0, 1]);
  w.applyTorque(ids[8], [0, 0, 5]);
  w.step(10);
  const snapshot = w.save(), told = [w.hash()];
  w.setMotor(hinge, {speed: -1, maxForce: 20});
  w.setDrive(ball, null);
  w.moveTo(belt, at(4, 1, 0.5), 0.5);
  w.setVelocity(ids[9], [0, 0, 5]);
  w.setPose(ids[10], at(-4, 0, 3));
  w.step(20);
  told.push(w.hash(), w.body(ids[0]), w.joint(hinge), w.joint(spring), w.touches(), Array.from(w.bodies().ids), Array.from(w.bodies().poses), Array.from(w.contacts()),
    w.rayCast([0, 0, 9], [0, 0, -1]), w.rayCast([0, 0, 9], [0, 0, -1], {maxDistance: 2, mask: 2}), w.castShape('crate', at(0, 0, 9), [0, 0, -9]),
    w.overlapping({type: 'sphere', radius: 2}, at(0, 0, 1), {ignored: ids[0]}), w.nearest({type: 'sphere', radius: 0.1}, at(0, 0, 6)));
  w.removeJoint(ball);
  w.removeBodies(ids[11], ids[12]);
  w.step(5);
  told.push(w.hash());
  w.restore(snapshot);
  told.push(w.hash());
  w.step(7);
  told.push(w.hash());
  w.forget(snapshot);
  assert.throws(() => w.restore(snapshot), /snapshot: was forgotten/);
  w.close();
  return told;
}
for (const world of [undefined, {sleep_time: 0.5}, {quality: 'fast'}, {plane: 'xy', gravity: [0, -5, 0]},
  {substeps: 6, gravity: [0, 1, -5], step_rate: 120, linear_damping: 0.1, contact_threshold: 0.02}])
  assert.deepEqual(run(worlds, world ? {world} : {}), run(all, world ? {world} : {}));

// Balls alone: springs, and a space that is sheared.
function runBalls(library, world) {
  state = 78;
  const w = library.simulation({world});
  for (let i = 0; i < 20; ++i)
    w.addBody({shape: {type: 'sphere', radius: random(0.1, 0.2)}, pose: at(0.45 * (i % 4), 0.45 * (Math.floor(i / 4) % 3), 0.45 * Math.floor(i / 12)), linear_velocity: vector(1)});
  w.step(20);
  return w.hash();
}
const periodic = {x: [-0.2, 1.7], y: [-0.2, 1.7], z: [-0.2, 1.7]};
for (const world of [{elastic: {young: 1e6}}, {elastic: {young: 1e6, poisson: 0.1, rayleigh_part: 0.3}, periodic},
  {gravity: [0, 0, 0], periodic, shear: {flow: 'x', gradient: 'z', rate: 0.5}}])
  assert.equal(runBalls(worlds, world), runBalls(all, world));
assert.throws(() => worlds.simulation({world: {elastic: {}}}), /^TactusError: world.elastic.young/);

// Both refuse what is wrong, and name the field.
for (const [bad, field] of [[{type: 'sphere'}, 'radius'], [{type: 'sphere', radius: -1}, 'radius'], [{type: 'sphere', radius: 1, size: 2}, 'size'],
  [{type: 'bal', radius: 1}, 'type'], [{type: 'convex', vertices: [1, 2]}, 'vertices'], [{type: 'convex', vertices: 5}, 'vertices'], [{type: 'compound', parts: []}, 'parts'],
  [{type: 'mesh', vertices: [[0, 0, 0]], triangles: [[0, 0, 9]]}, 'triangles'],
  [{type: 'mesh', vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 1.5]]}, 'triangles'],
  [{type: 'compound', parts: [{shape: {type: 'box', size: [1, 1]}}]}, 'parts\\[0\\].shape.size']]) {
  for (const library of [all, queries, worlds]) assert.throws(() => library.shape(bad), new RegExp(`^TactusError: ${field}`));
}
const region = all.region([[0, 0], [1, 0], [0, 1]]), shape = all.shape({type: 'sphere', radius: 1});
assert.throws(() => all.distance(region, undefined, shape, undefined), /a: must be a shape/);
assert.throws(() => all.regionDistance(shape, [0, 0, 0], region, [0, 0, 0]), /a: must be a contour or region/);
const world = worlds.simulation();
for (const [call, field] of [[() => world.addBody({shape: 'none'}), 'shape'], [() => world.addBody({}), 'shape'], [() => world.setPose(9, at(0, 0, 0)), 'body|id'],
  [() => world.addBody({shape: {type: 'sphere', radius: 1}, masses: 2}), 'masses'], [() => worlds.simulation({world: {substeps: 0.5}}), 'world.substeps'],
  [() => world.step(-1), 'count'], [() => world.rayCast([0, 0], [0, 0, 1]), 'origin']])
  assert.throws(call, new RegExp(`^TactusError: (${field})`));
console.log(`${kQueries} queries and the worlds of all modules are equal`);
