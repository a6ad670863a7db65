// Runs the calls of the package's README in a folder that knows the package alone.
import assert from 'node:assert';

import {load, TactusError} from 'tactus';

const tactus = await load();
const answer = tactus.ask({a: {type: 'box', size: [1, 1, 1]}, b: {type: 'sphere', radius: 0.5},
  pose_b: {position: [1.2, 0, 0], quaternion: [1, 0, 0, 0]}, ask: 'distance'});
assert(answer.lower <= answer.distance && answer.distance <= answer.upper);
assert(Math.abs(answer.distance - 0.2) < 1e-15);

const box = tactus.shape({type: 'box', size: [1, 1, 1]});
const ball = tactus.shape({type: 'sphere', radius: 0.5});
const still = [0, 0, 0, 1, 0, 0, 0];
const rows = tactus.distances(box, [...still, ...still], ball, [2, 0, 0, 1, 0, 0, 0, 3, 0, 0, 1, 0, 0, 0]);
assert.deepEqual([rows[0], rows[13]], [1, 2]);

const world = tactus.world({
  shapes: {ball: {type: 'sphere', radius: 0.5}},
  bodies: [
    {type: 'fixed', shape: {type: 'halfspace', normal: [0, 0, 1], offset: 0}},
    {shape: 'ball', pose: {position: [0, 0, 3], quaternion: [1, 0, 0, 0]}},
  ],
});
world.act({do: 'push', body: 2, impulse: [200, 0, 0], point: [0, 0, 3]});
world.step(60);
assert(world.poses()[8] > 0 && Math.abs(world.poses()[10] - 0.5) < 0.01);
assert.match(world.line(), /"hash":"[0-9a-f]{16}"/);
const run = tactus.simulation({materials: {ice: {friction: 0}}, shapes: {crate: {type: 'box', size: [1, 1, 1]}}});
run.addBody({type: 'fixed', shape: {type: 'halfspace', normal: [0, 0, 1], offset: 0}});
const at = (x, y, z) => ({position: [x, y, z], quaternion: [1, 0, 0, 0]});
const crate = run.addBody({shape: 'crate', material: 'ice', pose: at(0, 0, 0.6)});
run.step(30);
assert(run.touches().touching.length === 1);
assert(Math.abs(run.rayCast([0, 0, 9], [0, 0, -1]).distance - 8) < 1e-3);
assert.deepEqual(run.overlapping({type: 'sphere', radius: 0.5}, at(0, 0, 1.2), {ignored: 1}), [crate]);
const snapshot = run.save(), before = run.hash();
run.push(crate, [300, 0, 0]);
run.step(10);
const pushed = run.hash();
run.removeBodies(crate);
run.restore(snapshot);
assert.equal(run.hash(), before);
run.push(crate, [300, 0, 0]);
run.step(10);
assert.equal(run.hash(), pushed);
assert(run.bodies().ids[1] === crate && run.bodies().poses[8] > 0);
assert.throws(() => run.step(-1), TactusError);
assert.throws(() => run.addBody({shape: 'create'}), /shape: there is no shape named/);
run[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
assert.throws(() => run.step(), TactusError);
assert.throws(() => tactus.hull([1, 2, 3, 4, 5]), TactusError);
assert.throws(() => tactus.shape({type: 'sphere', radius: -1}), TactusError);
// Queries alone, and worlds without texts.
const {load: loadQueries} = await import('tactus/queries');
const alone = await loadQueries();
const [cube, drop] = [alone.shape({type: 'box', size: [1, 1, 1]}), alone.shape({type: 'sphere', radius: 0.5})];
assert(Math.abs(alone.distance(cube, undefined, drop, [1.2, 0, 0, 1, 0, 0, 0]).distance - 0.2) < 1e-15);
const {load: loadWorlds} = await import('tactus/worlds');
const game = (await loadWorlds()).simulation({shapes: {crate: {type: 'box', size: [1, 1, 1]}}});
game.addBody({shape: 'crate', pose: at(0, 0, 1)});
game.step(2);
assert(game.bodies().poses[2] < 1);
console.log('installed from its package, tactus answers');
