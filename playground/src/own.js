// Your own: dropped meshes, scenes and recordings.
import {Recording} from '../../player/src/recording.js';
import {Replay} from '../../player/src/replay.js';
import {canDraw} from '../../player/src/room/room.js';
import {Cancelled, Engine} from './engine.js';
import {element, fillLegend, fillRows, readState, saveFile, showMessage, wireFiles, wireRange, writeState} from './shell.js';
import {LiveView, newCanvas} from './space/live_view.js';
import {slice} from './space/slice.js';
import {StillView} from './space/still_view.js';

fillLegend([
  ['line', '#c9bfa8', 'first body'],
  ['line', '#7fa8ee', 'second body'],
  ['disc', '#ffb000', 'nearest places, or the ends of the way out'],
  ['line', '#cc3311', 'slice'],
]);

const kMostBytes = 200e6;
const kMeshEndings = /\.(obj|stl|ply|off|xyz|glb|gltf)$/i;
const kPartColours = ['#e4572e', '#2e86ab', '#76b041', '#f2c14e', '#8e5572', '#3bb3a6', '#d67ab1', '#7768ae', '#b56b45', '#5a7d7c'];
const kBoxColours = ['#8d99a8', '#2e86ab', '#76b041', '#e4572e'];
const [kFirst, kSecond] = ['#c9bfa8', '#7fa8ee'];
const kAxes = ['x', 'y', 'z'];
const kPatience = 300; // milliseconds of work after which the page says so
const kSaved = {hull: 'hull', parts: 'parts'}; // what is saved of a view; of others the surface

const state = readState({show: 'mesh', concavity: 0.1, shift: 0.5, axis: 'z', level: 0.5});
if (!kAxes.includes(state.axis)) state.axis = 'z';
const meshes = [null, null]; // {name, bytes, picture, example?}
let view = null;

const engine = Engine.start();

function facts(rows) {
  fillRows(element('facts'), rows.map(([name, text, values]) => ({cells: [name, String(text)], values})));
}

const number = (x) => (x === null ? 'not known' : Number(x).toPrecision(6));

function draw(make) {
  view?.close();
  view = null;
  if (!canDraw()) return showMessage('This browser shows no 3D picture: WebGL 2 is switched off or missing. The figures are complete.');
  view = make(newCanvas());
  return view;
}

// Work that lasts is said, with its seconds and a way to end it.
async function work(text, promise) {
  const start = performance.now();
  const tick = () => {
    const seconds = (performance.now() - start) / 1000;
    element('busy').hidden = seconds < kPatience / 1000;
    element('busy-text').textContent = `${text}: ${seconds.toFixed(0)} s`;
  };
  const timer = setInterval(tick, 100);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    element('busy').hidden = true;
  }
}

// The worker forgets what it has; meshes are read again.
async function cancel() {
  await engine.restart();
  for (const [slot, mesh] of meshes.entries()) {
    if (mesh) await engine.call('openSurface', slot, mesh.name, mesh.bytes);
  }
  showMessage('Cancelled.');
}

// Where the second mesh stands: beside the first, by `shift` of its width.
function offset() {
  const [{picture: a}, {picture: b}] = meshes;
  return [a.upper[0] - b.lower[0] + state.shift * (a.upper[0] - a.lower[0]), 0, 0];
}

function still(things, signs, stage = meshes[0].picture) {
  draw((canvas) => new StillView(canvas, stage, things, signs));
}

const surface = (more = {}) => ({parts: meshes[0].picture.picture, color: kFirst, ...more});

const kShows = {
  async mesh() {
    const {name, picture} = meshes[0];
    still([surface()]);
    facts([['file', name], ['vertices', picture.vertices], ['triangles', picture.triangles],
      ['size', picture.upper.map((x, i) => number(x - picture.lower[i])).join(' x ')]]);
  },
  async report() {
    const report = await work('Report', engine.call('report', 0));
    still([surface()]);
    const text = (value) => (Array.isArray(value) ? value.flat().map(number).join(', ') : typeof value === 'number' && !Number.isInteger(value) ? number(value)
      : value === null ? 'none: no inside' : value === true ? 'yes' : value === false ? 'no' : value);
    facts(Object.entries(report).map(([name, value]) => [name.replaceAll('_', ' '), text(value), {[name]: value}]));
  },
  async hull() {
    const hull = await work('Hull', engine.call('hull', 0));
    still([surface(), ...(hull.picture ? [{parts: hull.picture, color: '#0077bb', opacity: 0.3}] : [])]);
    facts([['dimension', hull.dimension], ['vertices', hull.vertices], ['faces', hull.faces],
      ...(hull.dimension === 3 ? [['volume', number(hull.volume), {volume: hull.volume}]] : []), ['proved', hull.proved ? 'yes' : 'no']]);
  },
  async boxes() {
    const {boxes} = await work('Boxes', engine.call('boxes', 0));
    still([surface(), ...boxes.map(({center, quaternion, size}, i) => (
      {parts: [{type: 'box', size, position: center, quaternion}], color: kBoxColours[i], opacity: 0.18}))]);
    facts(boxes.map(({method, volume, lower}) => [method, `${number(volume)}${lower ? `, least of all: at least ${number(lower)}` : ''}`, {volume}]));
  },
  async parts() {
    const found = await work('Parts', engine.call('parts', 0, state.concavity));
    still(found.parts.map((parts, i) => ({parts, color: kPartColours[i % kPartColours.length]})));
    facts([['parts', found.parts.length], ['concavity', `${number(found.lower)} .. ${number(found.upper)}`], ['status', found.status],
      ['surface', found.closed ? 'closed' : 'open']]);
  },
  async slice() {
    const {lower, upper, picture} = meshes[0].picture;
    const axis = kAxes.indexOf(state.axis);
    const level = lower[axis] + state.level * (upper[axis] - lower[axis]);
    const cut = slice(picture, axis, level);
    still([surface({opacity: 0.35})], {lines: cut.segments});
    facts([['plane', `${state.axis} = ${number(level)}`], ['segments', cut.segments.length], ['length', number(cut.length), {length: cut.length}],
      ['area', number(cut.area), {area: cut.area}]]);
  },
  async distance() {
    if (!meshes[1]) {
      still([surface()]);
      facts([['second body', 'none yet: drop a second mesh']]);
      return;
    }
    const at = offset();
    const r = await work('Distance', engine.call('between', at));
    const [a, b] = meshes.map(({picture}) => picture);
    const upper = a.upper.map((x, i) => Math.max(x, b.upper[i] + at[i]));
    const lower = a.lower.map((x, i) => Math.min(x, b.lower[i] + at[i]));
    still([surface({opacity: 0.6}), {parts: b.picture, color: kSecond, opacity: 0.6, position: at}],
      {marks: r.status === 'unsupported' ? [] : [[r.point_a, r.point_b]]}, {lower, upper});
    const ends = r.distance < 0 ? [-r.upper, -r.lower] : [r.lower, r.upper];
    facts([['status', r.status], [r.distance < 0 ? 'depth' : 'distance', number(Math.abs(r.distance)), r],
      ['bracket', ends.map(number).join(' .. ')], ['normal', r.normal.map((x) => x.toFixed(4)).join(', ')]]);
  },
};

function showBodies() {
  fillRows(element('bodies'), meshes.map((mesh, i) => ({cells: [i === 0 ? 'First' : 'Second', mesh ? mesh.name : 'none yet']})));
  element('swap').disabled = !meshes[1];
  for (const [name, at] of [['show', state.show], ['axis', state.axis]]) {
    for (const button of document.querySelectorAll(`[data-${name}]`)) button.setAttribute('aria-pressed', button.dataset[name] === at);
  }
  element('concavity-label').hidden = state.show !== 'parts';
  element('slice-tools').hidden = state.show !== 'slice';
  element('shift-label').hidden = state.show !== 'distance';
}

async function show(what) {
  if (!meshes[0]) return showMessage('Drop a mesh first, or take the example.');
  state.show = what in kShows ? what : 'mesh';
  showBodies();
  writeState(state);
  element('player-tools').hidden = true;
  element('mesh-tools').hidden = false;
  engine.onframe = () => {};
  await engine.call('play', false);
  await kShows[state.show]();
}

async function open(slot, name, bytes, more = {}) {
  const picture = await work(`Reading ${name}`, engine.call('openSurface', slot, name, bytes));
  meshes[slot] = {name, bytes, picture, ...more};
}

async function drop(slot) {
  meshes[slot] = null;
  await engine.call('closeSurface', slot);
}

// The first file is the first body, the second one the second, two at once those two; the example makes room.
async function takeMeshes(files) {
  const given = await Promise.all(files.slice(0, 2).map(async (file) => ({name: file.name, bytes: new Uint8Array(await file.arrayBuffer())})));
  if (given.length === 2 || !meshes[0] || meshes[0].example) {
    await open(0, given[0].name, given[0].bytes);
    if (meshes[1] && given.length === 1) await drop(1);
    if (given.length === 2) await open(1, given[1].name, given[1].bytes);
  } else {
    await open(1, given[0].name, given[0].bytes);
  }
  if (files.length > 2) showMessage(`Two bodies at once: ${files.slice(2).map(({name}) => name).join(', ')} left out.`);
  await show(meshes[1] ? 'distance' : state.show === 'distance' ? 'mesh' : state.show);
}

async function takeExample() {
  showMessage('');
  const file = exampleMesh();
  if (meshes[1]) await drop(1);
  await open(0, file.name, new Uint8Array(await file.arrayBuffer()), {example: true});
  await show(state.show === 'distance' ? 'mesh' : state.show);
}

async function swap() {
  const [a, b] = meshes;
  await open(0, b.name, b.bytes);
  await open(1, a.name, a.bytes);
  await show(state.show);
}

async function save(ending) {
  if (!meshes[0]) return showMessage('Drop a mesh first, or take the example.');
  const what = kSaved[state.show] ?? 'surface';
  const bytes = await work('File', engine.call('surfaceFile', 0, what, ending));
  saveFile(`${meshes[0].name.replace(/\.[^.]*$/, '')}${what === 'surface' ? '' : `-${what}`}.${ending}`, bytes);
}

async function runScene(text) {
  const opened = await engine.call('openWorld', text);
  element('mesh-tools').hidden = true;
  const live = draw((canvas) => new LiveView(canvas, engine, opened, {contacts: false, normals: false}));
  engine.onframe = (frame) => {
    live?.show(frame);
    facts([['scene', opened.picture.title], ['time', `${frame.statistics.time.toFixed(2)} s`], ['moving bodies', frame.statistics.moving],
      ['contact points', frame.statistics.contactPoints], ['step', `${frame.statistics.totalMs.toFixed(2)} ms`]]);
  };
  engine.onframe(opened.frame);
  await engine.call('play', true);
}

async function playRecording(scene, file) {
  const blocks = await engine.call('recording', scene, new Uint8Array(await file.arrayBuffer()));
  document.getElementById('recording-blocks')?.remove();
  const holder = document.createElement('div');
  holder.id = 'recording-blocks';
  holder.hidden = true;
  holder.innerHTML = blocks;
  document.body.append(holder);
  const recording = new Recording();
  element('player-tools').hidden = false;
  element('mesh-tools').hidden = true;
  const input = element('time');
  draw((canvas) => {
    const replay = new Replay(canvas, recording);
    replay.room.setQuality({pixelRatio: Math.min(window.devicePixelRatio, 1.5), shadows: 0});
    const render = () => replay.draw(Number(input.value) * recording.duration, {colouring: 'shape', points: false, normals: false, chosen: null});
    replay.room.orbit.controls.addEventListener('change', render);
    input.oninput = () => {
      input.parentElement.querySelector('output').textContent = (Number(input.value) * recording.duration).toFixed(2);
      render();
    };
    input.value = 1;
    input.oninput();
    return {close: () => replay.room.renderer.dispose()};
  });
  facts([['recording', recording.title], ['duration', `${recording.duration} s`], ['bodies', recording.bodies.length]]);
}

async function take(files) {
  showMessage('');
  const large = files.find((file) => file.size > kMostBytes);
  if (large) {
    return showMessage(`${large.name}: ${(large.size / 1e6).toFixed(0)} MB; a page takes files up to ${kMostBytes / 1e6} MB. ` +
      'The program tactus has no such limit.');
  }
  const unknown = files.find(({name}) => !kMeshEndings.test(name) && !/\.(json|tactus)$/i.test(name));
  if (unknown && /\.dae$/i.test(unknown.name)) {
    return showMessage(`${unknown.name}: COLLADA is read by the program alone: tactus mesh ${unknown.name} -o ${unknown.name.replace(/dae$/i, 'glb')}`);
  }
  if (unknown) return showMessage(`${unknown.name}: no known kind of file (obj, stl, ply, off, xyz, glb, gltf, json, tactus)`);
  const recording = files.find(({name}) => /\.tactus$/i.test(name));
  const scene = files.find(({name}) => /\.json$/i.test(name));
  if (recording && !scene) return showMessage(`${recording.name}: a recording is played with its scene; drop both files together.`);
  if (recording) return playRecording(await scene.text(), recording);
  if (scene) return runScene(await scene.text());
  await takeMeshes(files);
}

const safely = (promise) => promise?.catch?.((error) => { if (!(error instanceof Cancelled)) showMessage(error.message); });

// A bracket of two walls and a floor: not convex, closed.
function exampleMesh() {
  const outline = [[0, 0], [4, 0], [4, 3], [3, 3], [3, 1], [1, 1], [1, 3], [0, 3]];
  const lines = [0, 1.5].flatMap((y) => outline.map(([x, z]) => `v ${x} ${y} ${z}`));
  // The outline runs counter-clockwise in x and z, whose right-handed third axis is -y: faces are turned to look outwards.
  const quad = (...v) => lines.push(`f ${v.map((i) => i + 1).reverse().join(' ')}`);
  outline.forEach((_, i) => quad(i, (i + 1) % 8, 8 + ((i + 1) % 8), 8 + i));
  for (const corners of [[0, 1, 4, 5], [1, 2, 3, 4], [0, 5, 6, 7]]) {
    quad(...[...corners].reverse());
    quad(...corners.map((i) => i + 8));
  }
  return new File([lines.join('\n')], 'bracket.obj');
}

if (engine) {
  wireFiles((files) => safely(take(files)));
  const acts = {example: takeExample, swap, cancel};
  for (const [id, act] of Object.entries(acts)) element(id).addEventListener('click', () => safely(act()));
  for (const button of document.querySelectorAll('[data-show]')) button.addEventListener('click', () => safely(show(button.dataset.show)));
  for (const button of document.querySelectorAll('[data-save]')) button.addEventListener('click', () => safely(save(button.dataset.save)));
  for (const button of document.querySelectorAll('[data-axis]')) {
    button.addEventListener('click', () => { state.axis = button.dataset.axis; safely(show('slice')); });
  }
  let timer = 0;
  const later = (what) => {
    clearTimeout(timer);
    timer = setTimeout(() => { if (meshes[0] && state.show === what) safely(show(what)); }, 200);
  };
  wireRange('concavity', state.concavity, (value) => { state.concavity = value; later('parts'); });
  wireRange('shift', state.shift, (value) => { state.shift = value; later('distance'); });
  wireRange('level', state.level, (value) => { state.level = value; later('slice'); }, (value) => `${Math.round(100 * value)} %`);
  engine.ready.then(() => safely(takeExample()));
}
globalThis.tactusPage = {state, engine, meshes, get view() { return view; }};
