// Calls what the package has with arguments drawn at random: `random_calls.mjs [MODULE [SEED [COUNT]]]`. Errors of JavaScript are
// welcome; a trap of WebAssembly, which leaves the module broken, is not.
const [source = 'tactus', seed = '1', count = '4000'] = process.argv.slice(2);
const {load} = await import(source.endsWith('.mjs') ? new URL(source, `file://${process.cwd()}/`) : source);
const tactus = await load();

const kKept = 20; // objects
let state = Number(seed) >>> 0;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const pick = (list) => list[Math.floor(random() * list.length)];
const numbers = (n) => Array.from({length: n}, () => pick([0, 1, -1, 0.5, 4 * random(), 2 * random() - 1, 2 * random() - 1]));

const square = [[0, 0], [1, 0], [1, 1], [0, 1]];
const ball = {type: 'sphere', radius: 0.5};
const scene = {shapes: {ball}, bodies: [{shape: {type: 'halfspace', normal: [0, 0, 1], offset: 0}, type: 'fixed'},
  {shape: 'ball', pose: {position: [0, 0, 1], quaternion: [1, 0, 0, 0]}}]};
const file = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
const makers = Object.entries({shape: [{type: 'box', size: [1, 1, 1]}], region: [square], contour: [square], world: [scene], simulation: [],
  surface: ['a.obj', new TextEncoder().encode(file)]}).filter(([name]) => tactus[name]).map(([name, values]) => () => tactus[name](...values));
const objects = [];

function argument(depth = 0) {
  const inner = () => argument(depth + 1);
  return pick([
    () => pick([NaN, Infinity, -1, 1e300, -0, 2 ** 31, 2 ** 32, 2 ** 53, 0.5, 1e-300, 7]),
    () => Math.floor(6 * random()),
    () => numbers(pick([0, 1, 2, 3, 3, 4, 6, 7, 7, 12])),
    () => Float64Array.from(numbers(pick([2, 3, 6, 7, 14]))),
    () => pick([undefined, null, '', 'x', 'obj', 'stl', '{}', true, false]),
    () => pick([ball, {shape: ball}, {margin: random()}, {do: 'set', body: 1, pose: numbers(7)}]),
    () => new Uint8Array(pick([0, 4, 64])),
    () => (depth < 3 ? [inner(), inner()] : 1),
    () => (depth < 3 ? {radius: inner(), position: inner(), velocity: inner(), pose: inner()} : 1),
    () => pick(objects),
    () => pick(objects),
  ])();
}

function methodsOf(object) {
  const names = new Set();
  for (let type = object; type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    for (const name of Object.getOwnPropertyNames(type)) if (name !== 'constructor' && typeof object[name] === 'function') names.add(name);
  }
  return [...names];
}

let returned = 0;
for (let i = 0; i < Number(count); ++i) {
  let call = 'a new object';
  try {
    if (objects.length < 4 || random() < 0.1) {
      objects.push(pick(makers)());
      if (objects.length > kKept) objects.splice(Math.floor(kKept * random()), 1);
      continue;
    }
    const owner = random() < 0.35 ? tactus : pick(objects);
    const name = pick(methodsOf(owner));
    const values = Array.from({length: Math.max(0, owner[name].length + pick([-1, 0, 0, 0, 1]))}, () => argument());
    if (name === 'step' && values[0] > 100) continue; // allowed, and long
    call = `${owner.constructor.name}.${name}(${values.map((value) => (objects.includes(value) ? value.constructor.name : String(value))).join(', ')})`;
    owner[name](...values);
    ++returned;
  } catch (error) {
    if (!(error instanceof TypeError || error.name === 'TactusError')) {
      console.error(`seed ${seed}, call ${i}: ${call.slice(0, 300)}: ${error.stack}`);
      process.exit(1);
    }
  }
}
if (returned < Number(count) / 5) {
  console.error(`of ${count} calls only ${returned} returned`);
  process.exit(1);
}
console.log(`${returned} of ${count} random calls returned, the others were refused`);
