#!/usr/bin/env node
// tools/wasm_test.mjs PROGRAM FOLDER [--queries N]
// Compares the npm package in FOLDER with the native PROGRAM: the same answers, to the bit, to random queries in space and in
// the plane, and the same states of the demo scene and of a run that is acted on. Prints hashes, sizes and times.
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {deflateSync} from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [program, folder] = process.argv.slice(2, 4).map((path) => resolve(path));
const at = process.argv.indexOf('--queries');
const kQueries = at < 0 ? 10_000 : Number(process.argv[at + 1]);
const kLiveSteps = 240;
const scratch = join(root, 'build/wasm/test');
mkdirSync(scratch, {recursive: true});

let failures = 0;
function expect(condition, what) {
  if (condition) return;
  ++failures;
  console.error(`FAILED ${what}`);
}

// A generator of its own, so that every run asks the same.
let state = 2026;
function random(low = 0, high = 1) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return low + (high - low) * (state / 2 ** 32);
}
const below = (n) => Math.floor(random(0, n));
const vector = (reach) => [random(-reach, reach), random(-reach, reach), random(-reach, reach)];

function quaternion() {
  const q = [random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1)];
  const length = Math.hypot(...q) || 1;
  return q.map((x) => x / length);
}

const shapes = [
  () => ({type: 'sphere', radius: random(0.1, 0.6)}),
  () => ({type: 'box', size: [random(0.1, 1), random(0.1, 1), random(0.1, 1)]}),
  () => ({type: 'box', size: [0.5, 0.4, 0.3], rounding: random(0.01, 0.1)}),
  () => ({type: 'capsule', radius: random(0.1, 0.4), length: random(0.1, 1)}),
  () => ({type: 'cylinder', radius: random(0.1, 0.5), length: random(0.1, 1)}),
  () => ({type: 'cone', radius: random(0.1, 0.5), length: random(0.1, 1)}),
  () => ({type: 'ellipsoid', radii: [random(0.1, 0.6), random(0.1, 0.6), random(0.1, 0.6)]}),
  () => ({type: 'convex', vertices: Array.from({length: 4 + below(20)}, () => vector(0.5))}),
  () => ({type: 'halfspace', normal: [0, 0.6, 0.8], offset: random(-0.2, 0.2)}),
  () => ({type: 'mesh', vertices: [[0, 0, 0], [0.9, 0, 0], [0.2, 0.8, 0], [0.3, 0.2, 0.7]],
    triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]}),
];

const kConvex = 8; // the first ones

function spaceLine(id) {
  const ask = ['distance', 'overlap', 'contacts', 'cast', 'impact'][id % 5];
  const pose = () => ({position: vector(0.8), quaternion: quaternion()});
  const line = {id, a: shapes[below(shapes.length)](), pose_a: pose(), b: shapes[below(shapes.length)](), pose_b: pose(), ask};
  if (ask === 'cast') line.motion = {a: vector(1), b: vector(1)};
  if (ask === 'impact') line.motion = {a: {linear: vector(1), angular: vector(2)}, b: {linear: vector(1), angular: vector(2)}};
  // Parameters of classic methods, which add what these say to the answer.
  const own = {0: {method: 'epa_classic', margin: 0.01, eps: 1e-4, spheres: true}, 5: {method: 'mpr', ray: [0.3, 1, -0.2]}}[id % 25];
  if (own) Object.assign(line, own, {a: shapes[below(kConvex)](), b: shapes[below(kConvex)]()});
  return JSON.stringify(line);
}

// Star-shaped about its origin: never crosses itself.
function star(points) {
  return Array.from({length: points}, (_, i) => {
    const [angle, r] = [(2 * Math.PI * i) / points, random(0.3, 1)];
    return [r * Math.cos(angle), r * Math.sin(angle)];
  });
}

function planarLine(id) {
  const ask = ['touches', 'distance', 'overlap'][id % 3];
  const region = () => ({type: 'region', outer: star(3 + below(14))});
  const circle = {type: 'circle', radius: random(0.05, 0.6)};
  const pose = () => [random(-1, 1), random(-1, 1), random(-4, 4)];
  const a = ask === 'touches' ? circle : region();
  const b = ask === 'touches' && below(2) ? {type: 'contour', points: star(5 + below(20)), closed: below(2) === 1} : region();
  return JSON.stringify({id, a, pose_a: pose(), b, pose_b: pose(), ask});
}

const hashOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

function native(args, input) {
  const done = spawnSync(program, args, {input, encoding: 'utf8', maxBuffer: 1 << 30});
  if (done.error) throw done.error;
  return done.stdout;
}

function compare(name, lines, ours, theirs) {
  const expected = native(theirs, lines);
  const start = performance.now();
  const answered = ours(lines);
  const time = performance.now() - start;
  const [mine, right] = [answered.split('\n'), expected.split('\n')];
  const differing = mine.filter((line, i) => line !== right[i]).length + Math.abs(mine.length - right.length);
  console.log(`${name}: ${lines.split('\n').length} queries, WebAssembly ${hashOf(answered)}, native ${hashOf(expected)}, ${time.toFixed(0)} ms`);
  expect(differing === 0, `${name}: ${differing} answers differ, first ${mine.find((line, i) => line !== right[i])}`);
  expect(right.filter((line) => /"converged"/.test(line)).length > 0.8 * kQueries, `${name}: few answers`);
}

const {load, TactusError} = await import(pathToFileURL(join(folder, 'tactus_node.mjs')));
const wasm = readFileSync(join(folder, 'tactus_module.wasm'));
await load({wasm});
const times = [];
for (let i = 0; i < 5; ++i) {
  const start = performance.now();
  await load({wasm});
  times.push(performance.now() - start);
}
const init = times.sort((a, b) => a - b)[2];
console.log(`init: ${init.toFixed(1)} ms`);

const tactus = await load({wasm});
const lines = (make) => Array.from({length: kQueries}, (_, i) => make(i)).join('\n');
compare('space', lines(spaceLine), (text) => tactus.query(text), ['query', '-']);
compare('plane', lines(planarLine), (text) => tactus.planarQuery(text), ['planar', 'query', '-']);

// A run of the mixed scene with every kind of act, replayed natively.
function runLive(name, scene, steps, acts) {
  const world = tactus.world(scene);
  const start = performance.now();
  for (let i = 0; i < steps; ++i) {
    for (const act of acts[i] ?? []) world.act(act);
    world.step();
  }
  const time = (performance.now() - start) / steps;
  const line = world.line();
  const {hash} = JSON.parse(native(['live', '-'], `${line}\n`));
  console.log(`${name}: ${steps} steps, WebAssembly ${world.hash()}, native ${hash}, ${time.toFixed(2)} ms per step`);
  expect(hash === world.hash(), `${name}: the states differ`);
  world.close();
}
const mixed = readFileSync(join(root, 'scenes/mixed.json'), 'utf8');
runLive('live', mixed, kLiveSteps, {
  20: [{do: 'set', gravity: [1, 0, -8], substeps: 6}, {do: 'push', body: 10, impulse: [3, 0, 5], point: [0, 0, 1]}],
  60: [{do: 'add', like: 12, pose: {position: [0, 0, 3], quaternion: [1, 0, 0, 0]}, linear_velocity: [0, 0, -3]}],
  90: [{do: 'pull', body: 8, point: [0.05, 0, 0], to: [0.3, 0.2, 1.5]}],
  150: [{do: 'release'}, {do: 'set', friction: 0.1, restitution: 0.5}],
});
// The demo scene; the models that it names are given as their points.
if (existsSync(join(root, 'build/models/bunny.obj'))) {
  const plain = JSON.parse(readFileSync(join(root, 'scenes/demo.json'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''));
  for (const shape of Object.values(plain.shapes)) {
    if (!shape.file) continue;
    shape.vertices = Array.from({length: 40}, () => vector(0.11 / shape.scale));
    delete shape.file;
  }
  runLive('demo', JSON.stringify(plain), 60, {});
}

// Soft bodies that are pulled, by both responses.
let contacts = 0; // numbers of them, of all runs
function runSoft(name, scene, steps, acts) {
  const soft = tactus.soft(scene);
  const start = performance.now();
  for (let i = 0; i < steps; ++i) {
    for (const act of acts[i] ?? []) soft.act(act);
    soft.step();
  }
  const time = (performance.now() - start) / steps;
  const {hash} = JSON.parse(native(['live', '-'], `${soft.line()}\n`));
  console.log(`${name}: ${steps} steps, WebAssembly ${soft.hash()}, native ${hash}, ${time.toFixed(2)} ms per step, ${soft.crossings()} crossings`);
  expect(hash === soft.hash(), `${name}: the states differ`);
  const {positions, energies} = soft.vertices({energies: true});
  expect(positions.length === 3 * soft.statistics().vertices && energies.length === soft.statistics().vertices &&
    [...positions, ...energies].every(Number.isFinite), `${name}: the vertices are none`);
  expect(soft.poses().length === 8 * scene.bodies.length && soft.poses().every(Number.isFinite), `${name}: the bodies are none`);
  // Those of rigid bodies come on top.
  const touching = soft.contacts();
  const more = touching.length / 10 - soft.statistics().contacts;
  expect(scene.bodies.every(({type}) => type === 'fixed') ? more === 0 : more >= 0, `${name}: ${touching.length} numbers of contacts`);
  expect(touching.every(Number.isFinite), `${name}: contacts are no numbers`);
  contacts += touching.length;
  const crossings = soft.crossings();
  soft.close();
  return crossings;
}
const ground = {type: 'fixed', shape: {type: 'halfspace', normal: [0, 0, 1], offset: 0}};
const ballAt = (x, z) => ({structure: {type: 'sphere', radius: 0.2, edge: 0.12}, material: {young: 3e4},
  pose: {position: [x, 0, z], quaternion: [1, 0, 0, 0]}});
const softScene = {title: 'soft', bodies: [ground], deformables: [ballAt(0, 0.3), ballAt(0.05, 0.8)]};
const pulls = {10: [{do: 'pull', body: 2, vertex: 3, to: [0.3, 0.2, 1.2], reach: 0.1}],
  20: [{do: 'pull', body: 2, vertex: 3, to: [-0.5, 0, 0.4], reach: 0.1}, {do: 'set', young: 1e5, gravity: [0, 0, -3]}],
  30: [{do: 'release'}]};
expect(runSoft('soft, continuous', softScene, 50, pulls) === 0, 'soft bodies cross each other');
runSoft('soft, discrete', softScene, 50, {...pulls, 0: [{do: 'set', response: 'discrete'}]});

// A rigid ball that falls on a soft one and moves it.
const onSoft = {...softScene, bodies: [ground, {type: 'moving', shape: {type: 'sphere', radius: 0.1}, pose: {position: [0.02, 0, 0.75], quaternion: [1, 0, 0, 0]}}],
  deformables: [ballAt(0, 0.3)]};
expect(runSoft('soft and rigid', onSoft, 40, {20: [{do: 'set', gravity: [0, 1, -5]}]}) === 0, 'a soft body is crossed');
expect(contacts > 0, 'no soft body touches anything');

// Outlines of a picture; the same pixels go to the program as a PNG file.
function pngOf(rgba, width, height) {
  const table = Array.from({length: 256}, (_, n) => {
    for (let k = 0; k < 8; ++k) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n >>> 0;
  });
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const words = Buffer.alloc(8);
    words.writeUInt32BE(data.length, 0);
    words.writeUInt32BE((~body.reduce((c, byte) => (c >>> 8) ^ table[(c ^ byte) & 255], 0xffffffff)) >>> 0, 4);
    return Buffer.concat([words.subarray(0, 4), body, words.subarray(4)]);
  };
  const rows = Buffer.concat(Array.from({length: height}, (_, y) =>
    Buffer.concat([Buffer.from([0]), Buffer.from(rgba.subarray(4 * width * y, 4 * width * (y + 1)))])));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6], 8);
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0))]);
}
const [kWide, kHigh] = [160, 120];
for (const channel of ['grey', 'alpha']) {
  const pixels = new Uint8Array(4 * kWide * kHigh);
  for (let i = 0; i < kWide * kHigh; ++i) {
    const [x, y] = [(i % kWide) - 70.3, Math.floor(i / kWide) - 61.7];
    const ring = Math.min(45 - Math.hypot(x, y), Math.hypot(x - 4, y) - 17.3);
    const covered = Math.round(255 * Math.min(Math.max(ring + 0.5, 0), 1));
    pixels.set(channel === 'grey' ? [255 - covered, 250 - covered, 240 * (1 - covered / 255), 255].map((v) => Math.max(v, 0)) : [9, 8, 7, covered], 4 * i);
  }
  const [picture, file] = [join(scratch, `${channel}.png`), join(scratch, `${channel}.json`)];
  writeFileSync(picture, pngOf(pixels, kWide, kHigh));
  native(['contour', picture, '-o', file, '--points', '40'], '');
  const {regions} = tactus.trace(pixels, kWide, kHigh, {points: 40});
  const rings = (list, of) => list.map(({outer, holes}) => [of(outer), ...holes.map(of)]);
  const ours = rings(regions, ({points}) => Array.from({length: points.length / 2}, (_, i) => [points[2 * i], points[2 * i + 1]]));
  const theirs = rings(JSON.parse(readFileSync(file, 'utf8')).regions, (points) => points);
  expect(ours.length === 1 && ours[0].length === 2 && JSON.stringify(ours) === JSON.stringify(theirs), `${channel}: trace() is not what the program traces`);
}

// Five hundred poses in one read.
const grid = {title: 'reading', shapes: {ball: {type: 'sphere', radius: 0.1}}, bodies: Array.from({length: 500}, (_, i) => ({
  shape: 'ball', pose: {position: [i % 10, Math.floor(i / 10) % 10, Math.floor(i / 100)], quaternion: [1, 0, 0, 0]}}))};
const world = tactus.world(grid);
let sum = 0;
for (let i = 0; i < 1000; ++i) sum += world.poses()[8];
const start = performance.now();
for (let i = 0; i < 1000; ++i) sum += world.poses()[8];
const reading = (performance.now() - start) / 1000;
console.log(`500 poses: ${(1000 * reading).toFixed(1)} us`);
expect(Math.abs(sum - 2000) < 1e-9, 'the poses are not those of the scene');

function expectRefusal(f, pattern) {
  try {
    f();
    expect(false, `no refusal that says ${pattern}`);
  } catch (error) {
    expect(error instanceof TactusError && pattern.test(error.message), `${error.name}: ${error.message} instead of ${pattern}`);
  }
}
expectRefusal(() => tactus.shape({type: 'sphere', radius: -1}), /radius/);
expectRefusal(() => tactus.world('{"bodies":[]}'), /bodies/);
expectRefusal(() => tactus.world('nonsense'), /syntax|parse|JSON|unexpected/i);
expectRefusal(() => world.act({do: 'pull', body: 900, point: [0, 0, 0], to: [0, 0, 0]}), /body/);
expectRefusal(() => tactus.soft({title: 'none', bodies: [ground]}), /deformables/);
expectRefusal(() => tactus.soft({...softScene, bodies: [{...ground, shape: {type: 'sphere', radius: 0.1}}]}).act({do: 'set', response: 'discrete'}), /response/);
expectRefusal(() => tactus.soft(softScene).act({do: 'pull', body: 3, vertex: 0, to: [0, 0, 0], reach: 1}), /body/);
expectRefusal(() => tactus.trace(new Uint8Array(4), 1, 1), /image/);
expectRefusal(() => tactus.trace(new Uint8Array(16), 2, 2, {threshold: 2}), /threshold|image/);
expectRefusal(() => tactus.contour([[0, 0], [1, 1], [1, 0], [0, 1]]), /cross/);
expectRefusal(() => tactus.contour([[0, 0], [NaN, 1]]), /points\[1\]/);
expectRefusal(() => tactus.surface('garbage.stl', new Uint8Array(100)), /garbage\.stl/);
expectRefusal(() => tactus.surface('thing.xyzzy', new Uint8Array(100)), /format/);

// The typed calls say what the lines say.
const poses = Array.from({length: 50}, () => [...vector(1), ...quaternion()]);
const still = poses.map(() => [0, 0, 0, 1, 0, 0, 0]);
const [boxValue, ballValue] = [{type: 'box', size: [1, 0.6, 0.4]}, {type: 'cylinder', radius: 0.3, length: 0.5}];
const rows = tactus.distances(tactus.shape(boxValue), still.flat(), tactus.shape(ballValue), poses.flat());
poses.forEach(([x, y, z, ...q], i) => {
  const answer = tactus.ask({a: boxValue, b: ballValue, pose_b: {position: [x, y, z], quaternion: q}, ask: 'distance'});
  expect([answer.distance, answer.lower, answer.upper, ...answer.normal].every((n, k) => n === rows[13 * i + k]),
    `distances()[${i}] is not what the line says`);
});
const outline = Array.from({length: 12}, (_, i) => [Math.cos, Math.sin].map((f) => (0.7 + 0.1 * (i % 3)) * f((Math.PI * i) / 6)));
const region = tactus.region(outline);
const found = region.touches([[0.9, 0.1]], 0.4)[0];
const line = tactus.askPlanar({a: {type: 'circle', radius: 0.4}, pose_a: [0.9, 0.1, 0], b: {type: 'region', outer: outline}, ask: 'touches'});
expect(found.length > 0 && JSON.stringify(found.map((t) => [t.point, t.depth, t.kind])) ===
  JSON.stringify(line.touches.map((t) => [t.point, t.depth, t.kind])), 'touches() is not what the line says');
const [l, t] = [[[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], [[-0.5, 0], [0.5, 0], [0.5, 0.4], [-0.5, 0.4]]];
const meeting = tactus.regionContacts(tactus.region(l), [0, 0, 0], tactus.region(t), [1.5, 1, 0], {margin: 0.01});
const told = tactus.askPlanar({a: {type: 'region', outer: l}, b: {type: 'region', outer: t}, pose_b: [1.5, 1, 0], ask: 'contacts', threshold: 0.01});
expect(meeting.length >= 2 && JSON.stringify(meeting.map((c) => [c.pointA, c.pointB, c.normal, c.depth, c.stretch])) ===
  JSON.stringify(told.contacts.map((c) => [c.point_a, c.point_b, c.normal, c.depth, c.stretch])), 'regionContacts() is not what the line says');
expectRefusal(() => tactus.regionContacts(tactus.region(l), [0, 0, 0], tactus.contour(t), [0, 0, 0]), /inside/);

// Straight down on a level floor: the ball comes to it after sqrt(2 h / g), and leaves it at that speed. It flies along chords.
const level = tactus.contour([[-5, 0], [5, 0]], {closed: false});
let flying = {radius: 0.25, position: [0, 1.25], velocity: [0, 0]};
const landings = [];
for (let i = 0; i < 1000; ++i) {
  const {ball, bounces} = tactus.advance(flying, [level], 1e-3, {gravity: [0, -8], restitution: 1});
  landings.push(...bounces.map((bounce) => ({...bounce, time: bounce.time + i * 1e-3})));
  flying = ball;
}
expect(landings.length === 1 && Math.abs(landings[0].time - 0.5) < 1e-3 && landings[0].normal[1] === 1, `a ball falls for ${JSON.stringify(landings)}`);
expect(Math.abs(flying.position[1] - 1.25) < 0.02, `a ball that loses nothing comes up to ${flying.position}`);
expectRefusal(() => tactus.advance({radius: -1, position: [0, 1], velocity: [0, 0]}, [level], 1), /radius/);
expectRefusal(() => tactus.advance({radius: 1, position: [0, 1], velocity: [0, 0]}, [level], 1, {restitution: 2}), /restitution/);

// A surface's report and files are those of the program.
const corner = 'OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n';
writeFileSync(join(scratch, 'corner.off'), corner);
const surface = tactus.surface('corner.off', Buffer.from(corner));
const {file: _, ...facts} = JSON.parse(native(['mesh', join(scratch, 'corner.off'), '--json'], ''));
expect(JSON.stringify(surface.report()) === JSON.stringify(facts), `report() says ${JSON.stringify(surface.report())}, the program ${JSON.stringify(facts)}`);
expectRefusal(() => surface.file('parts', 'stl'), /parts/);
expectRefusal(() => surface.file('surface', 'xyz'), /ending/);
surface.parts();
for (const what of ['surface', 'hull', 'parts']) {
  for (const ending of ['stl', 'glb']) {
    const again = tactus.surface(`${what}.${ending}`, surface.file(what, ending)).report();
    expect(again.closed && Math.abs(again.volume - facts.volume) < 1e-12, `${what}.${ending} holds ${JSON.stringify(again)}`);
  }
}
expect(JSON.parse(new TextDecoder().decode(surface.file('surface', 'json'))).triangles.length === 4, 'a surface as JSON has no triangles');

const hull = tactus.hull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.1, 0.1]);
expect(hull.vertices.length === 12 && hull.triangles.length === 12, 'the hull of a tetrahedron is none');

// A module of another build is refused.
const foreign = Uint8Array.from(wasm);
foreign[foreign.length - 1] ^= 1;
await load({wasm: foreign}).then(() => expect(false, 'a module of another build is taken'),
  (error) => expect(/another build/.test(error.message), `${error.message} of a module of another build`));

writeFileSync(join(scratch, 'init.json'), JSON.stringify({init, reading}));
console.log(failures === 0 ? 'the package answers as the program does' : `${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
