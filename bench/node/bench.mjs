#!/usr/bin/env node
// node bench/node/bench.mjs [--bodies 500,2000] [--settle 300] [--steps 60] [--write FILE]
// Settled cubes, balls and cylinders in the npm package `tactus` (make wasm) and in Rapier, in one run on one thread: processor time
// per step, penetration, size, start, reading poses, and how far each is from what is asked. `npm ci` in this folder first. --write
// leaves the page docs/results/browser.md, above what was written there by hand.
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {gzipSync} from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const kCounts = option('bodies', '500,2000').split(',').map(Number);
const kSettle = Number(option('settle', 300));
const kSteps = Number(option('steps', 60));
const kSize = 0.5; // of each body
const kRate = 60; // steps per second
const kColumns = 10; // of the pit, each way
const kStarts = 9; // in processes of their own, of which the least counts
const kMostGzipped = 400; // kB, asked
const kMostStart = 30; // milliseconds, asked
const kMostReading = 0.02; // milliseconds for 500 poses, asked
const kByHand = '\n## Why\n'; // begins the part of the page that is written by hand
const kReads = 200;
const kNear = 0.9; // distance of centres from which on two bodies cannot touch: the longest diagonal, 0.866

// Where bodies start: layers of a pit, a little off the grid so that nothing balances on an edge.
// The commit of the working folder's sources.
function commit() {
  const git = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=10'], {encoding: 'utf8'});
  return (git.stdout ?? '').trim() || 'unknown';
}

function start(count) {
  let seed = 7;
  const jitter = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return 0.06 * (seed / 2 ** 32 - 0.5);
  };
  return Array.from({length: count}, (_, i) => {
    const layer = Math.floor(i / kColumns ** 2);
    const [x, y] = [i % kColumns, Math.floor(i / kColumns) % kColumns].map((k) => (k - (kColumns - 1) / 2) * 1.15 * kSize + jitter());
    return {kind: i % 3, position: [x, y, 0.3 + layer * 1.15 * kSize]};
  });
}
const kHalf = (kColumns * 1.15 * kSize) / 2 + 0.05; // of the pit
const kWalls = [[1, 0], [-1, 0], [0, 1], [0, -1]];

const processorTime = () => process.cpuUsage().user / 1000; // milliseconds
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

// Milliseconds that the code takes in a new process, whose engine has compiled nothing before.
function startTime(code) {
  return Math.min(...Array.from({length: kStarts}, () => {
    const program = `const began = performance.now(); ${code} console.log(performance.now() - began); process.exit(0);`;
    return Number(spawnSync(process.execPath, ['--input-type=module', '-e', program], {cwd: here, encoding: 'utf8'}).stdout);
  }));
}

async function tactusEngines() {
  const address = pathToFileURL(join(root, 'build/wasm/npm/tactus.mjs')).href;
  const {load} = await import(address);
  const tactus = await load();
  const files = ['tactus_module.wasm', 'tactus_module.mjs', 'tactus.mjs', 'queries.mjs', 'fields.mjs', 'memory.mjs', 'loading.mjs'].map((name) => readFileSync(join(root, 'build/wasm/npm', name)));
  const start = startTime(`const {load} = await import('${address}'); await load();`);
  return [['tactus', {}], ['tactus, 8 substeps', {substeps: 8, load_overlap: 0}]].map(([name, settings]) => ({
    name, settings, start, library: tactus, gzipped: files.reduce((sum, bytes) => sum + gzipSync(bytes, {level: 9}).length, 0),
    make(bodies) {
      const shapes = ['cube', 'ball', 'cylinder'];
      const world = tactus.world({
        title: 'bench', world: {gravity: [0, 0, -9.81], ...settings},
        shapes: {cube: {type: 'box', size: [kSize, kSize, kSize]}, ball: {type: 'sphere', radius: kSize / 2},
          cylinder: {type: 'cylinder', radius: kSize / 2, length: kSize}},
        bodies: [{type: 'fixed', shape: {type: 'halfspace', normal: [0, 0, 1], offset: 0}},
          ...kWalls.map(([x, y]) => ({type: 'fixed', shape: {type: 'halfspace', normal: [-x, -y, 0], offset: -kHalf}})),
          ...bodies.map(({kind, position}) => ({shape: shapes[kind], pose: {position, quaternion: [1, 0, 0, 0]}}))],
      });
      this.substeps = world.picture().settings.substeps;
      return {
        step: () => world.step(),
        parts() {
          const {broadMs, narrowMs, solveMs} = world.statistics();
          return [broadMs, narrowMs, solveMs];
        },
        poses() {
          const all = world.poses();
          return bodies.map((_, i) => [...all.subarray(8 * (i + 5), 8 * (i + 5) + 7)]);
        },
        read: () => world.poses()[8 * 5],
        close: () => world.close(),
      };
    },
  }));
}

async function rapierEngine(name) {
  const {default: R} = await import(name);
  // Its start says on the console that its parameters are old ones.
  const {warn} = console;
  console.warn = () => {};
  await R.init();
  console.warn = warn;
  const folder = join(here, 'node_modules', name);
  const {main, module, version} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return {
    name: `${name.replace('@dimforge/', '')} ${version}`, start: startTime(`const {default: R} = await import('${name}'); await R.init();`), gzipped: gzipSync(readFileSync(join(folder, module ?? main)), {level: 9}).length,
    make(bodies) {
      const world = new R.World({x: 0, y: 0, z: -9.81});
      world.timestep = 1 / kRate;
      const fixed = (desc, x, y, z) => world.createCollider(desc, world.createRigidBody(R.RigidBodyDesc.fixed().setTranslation(x, y, z)));
      fixed(R.ColliderDesc.cuboid(20, 20, 5), 0, 0, -5);
      for (const [x, y] of kWalls) fixed(R.ColliderDesc.cuboid(x === 0 ? 20 : 5, y === 0 ? 20 : 5, 40), x * (kHalf + 5), y * (kHalf + 5), 30);
      const made = bodies.map(({kind, position: [x, y, z]}) => {
        const body = world.createRigidBody(R.RigidBodyDesc.dynamic().setTranslation(x, y, z).setCanSleep(false));
        // Its cylinders stand along y.
        const desc = [() => R.ColliderDesc.cuboid(kSize / 2, kSize / 2, kSize / 2), () => R.ColliderDesc.ball(kSize / 2),
          () => R.ColliderDesc.cylinder(kSize / 2, kSize / 2).setRotation({x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2})][kind]();
        world.createCollider(desc.setDensity(1000).setFriction(0.5).setRestitution(0), body);
        return body;
      });
      return {
        step: () => world.step(),
        poses: () => made.map((body) => {
          const [p, q] = [body.translation(), body.rotation()];
          return [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
        }),
        read() {
          let sum = 0;
          for (const body of made) sum += body.translation().x + body.rotation().w;
          return sum;
        },
        close: () => world.free(),
      };
    },
  };
}

// Depths of all pairs of bodies that overlap, by the exact answers of one library for all engines.
function depths(library, bodies, poses) {
  const shapes = [library.shape({type: 'box', size: [kSize, kSize, kSize]}), library.shape({type: 'sphere', radius: kSize / 2}),
    library.shape({type: 'cylinder', radius: kSize / 2, length: kSize})];
  const groups = Array.from({length: 9}, () => [[], []]);
  const unit = ([x, y, z, ...q]) => {
    const length = Math.hypot(...q);
    return [x, y, z, ...q.map((v) => v / length)];
  };
  const order = poses.map((_, i) => i).sort((a, b) => poses[a][2] - poses[b][2]);
  order.forEach((i, at) => {
    for (let k = at + 1; k < order.length && poses[order[k]][2] - poses[i][2] < kNear; ++k) {
      const j = order[k];
      if (Math.hypot(poses[i][0] - poses[j][0], poses[i][1] - poses[j][1], poses[i][2] - poses[j][2]) > kNear) continue;
      const [a, b] = groups[3 * bodies[i].kind + bodies[j].kind];
      a.push(...unit(poses[i]));
      b.push(...unit(poses[j]));
    }
  });
  const found = [];
  groups.forEach(([a, b], group) => {
    if (a.length === 0) return;
    const rows = library.distances(shapes[Math.floor(group / 3)], a, shapes[group % 3], b);
    for (let at = 0; at < rows.length; at += 13) if (rows[at] < 0) found.push(-rows[at]);
  });
  shapes.forEach((shape) => shape.close());
  return found;
}

function measure(engine, library, count) {
  const bodies = start(count);
  const world = engine.make(bodies);
  for (let i = 0; i < kSettle; ++i) world.step();
  const times = [];
  const parts = [];
  for (let i = 0; i < kSteps; ++i) {
    const began = processorTime();
    world.step();
    times.push(processorTime() - began);
    if (world.parts) parts.push(world.parts());
  }
  const began = processorTime();
  for (let i = 0; i < kReads; ++i) world.read();
  const read = (processorTime() - began) / kReads;
  const deep = depths(library, bodies, world.poses());
  world.close();
  const mean = deep.reduce((sum, d) => sum + d, 0) / Math.max(deep.length, 1);
  return {count, step: median(times), parts: [0, 1, 2].map((k) => median(parts.map((part) => part[k]))), read, pairs: deep.length,
    mean, deepest: Math.max(0, ...deep)};
}

// Goals of an engine beside the plain and the SIMD build of Rapier: [goal, measured, most, unit].
function asked(engine, rows, plain, simd) {
  const of = (other, count) => rows.find((row) => row.engine === other && row.count === count);
  const list = kCounts.flatMap((count) => {
    const [own, one, two] = [engine, plain, simd].map((other) => of(other, count));
    return [[`${count} bodies, a step: that of ${plain.name}`, own.step, one.step, 'ms'],
      [`${count} bodies, a step: twice that of ${simd.name}`, own.step, 2 * two.step, 'ms'],
      [`${count} bodies, mean penetration: half of the lesser of theirs`, 1000 * own.mean, 500 * Math.min(one.mean, two.mean), 'mm']];
  });
  const reading = of(engine, 500);
  if (reading) list.push(['500 poses read', reading.read, kMostReading, 'ms']);
  return [...list, ['start', engine.start, kMostStart, 'ms'], ['size, gzipped', engine.gzipped / 1000, kMostGzipped, 'kB']];
}

const short = (x) => x.toPrecision(3);
const verdict = ([, measured, most, unit]) =>
  `${short(measured)} ${unit}${measured <= most ? '' : `, **${(measured / most).toFixed(1)} times as much**`}`;

const [tactus, coarse] = await tactusEngines();
const [plain, simd] = [await rapierEngine('@dimforge/rapier3d-compat'), await rapierEngine('@dimforge/rapier3d-simd-compat')];
const engines = [tactus, coarse, plain, simd];
const rows = [];
for (const count of kCounts) {
  for (const engine of engines) {
    const result = measure(engine, tactus.library, count);
    rows.push({engine, ...result});
    console.error(`${engine.name}, ${count} bodies: ${result.step.toFixed(2)} ms per step, mean penetration ${(1000 * result.mean).toFixed(3)} mm`);
  }
}
const own = rows.filter(({engine}) => engine.settings);
const [asIs, fewer] = [tactus, coarse].map((engine) => asked(engine, rows, plain, simd));
const share = (part, all) => `${Math.round((100 * part) / all)} %`;
const page = `# Worlds in Node.js

Written by \`node bench/node/bench.mjs --write docs/results/browser.md\`
on ${new Date().toISOString().slice(0, 10)}, ${cpus()[0].model}, ${cpus().length} processors, commit ${commit()}, Node.js ${process.versions.node}.

Cubes, balls and cylinders of ${kSize} m are dropped into a pit and settle for ${kSettle} steps of 1/${kRate} s without sleeping; the time is the median of ${kSteps} more, processor
time of one thread. Penetration is that of all pairs of bodies that overlap, asked of one library for all engines. Rapier and the first row of Tactus run
with their own defaults: Tactus with ${tactus.substeps} substeps, up to eight times as many while loads would overlap, in double precision and with equal bits on every machine;
Rapier in single precision. The second row of Tactus has always ${coarse.substeps} substeps (\`"substeps": ${coarse.substeps}, "load_overlap": 0\`).

| bodies | engine | ms per step | mean penetration, mm | deepest, mm | overlapping pairs | all poses, ms |
|---|---|---|---|---|---|---|
${rows.map((r) => `| ${r.count} | ${r.engine.name} | ${r.step.toFixed(2)} | ${(1000 * r.mean).toFixed(3)} | ${(1000 * r.deepest).toFixed(2)} | ${r.pairs} | ${r.read.toFixed(4)} |`).join('\n')}

| engine | gzipped, kB | start, ms |
|---|---|---|
${[tactus, plain, simd].map((e) => `| ${e.name} | ${(e.gzipped / 1000).toFixed(0)} | ${e.start.toFixed(1)} |`).join('\n')}

The start holds reading and compiling the module in a new process, on the clock, the least of ${kStarts}. Tactus's size holds queries, worlds, the plane, hulls,
decomposition, soft bodies and tracing.

## What is asked

| what | at most | tactus | ${coarse.name} |
|---|---|---|---|
${asIs.map((row, i) => `| ${row[0]} | ${short(row[2])} ${row[3]} | ${verdict(row)} | ${verdict(fewer[i])} |`).join('\n')}

## Where a step of Tactus goes

| bodies | engine | pairs | contacts | solver |
|---|---|---|---|---|
${own.map((r) => `| ${r.count} | ${r.engine.name} | ${r.parts.map((x) => share(x, r.parts.reduce((sum, y) => sum + y))).join(' | ')} |`).join('\n')}
`;
// The part of the page that a person wrote below the figures.
function byHand(file) {
  const old = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const at = old.indexOf(kByHand);
  return at < 0 ? '' : old.slice(at);
}
const target = option('write', null);
if (target) writeFileSync(target, page + byHand(target));
else console.log(page);
process.exit(0);
