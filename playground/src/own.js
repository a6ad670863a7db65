// Your own: dropped meshes, robots, scenes and recordings.
import {Recording} from '../../player/src/recording.js';
import {Replay} from '../../player/src/replay.js';
import {rampStyle} from '../../player/src/room/colours.js';
import {canDraw} from '../../player/src/room/room.js';
import {Cancelled, Engine} from './engine.js';
import {armFile, bracketFile, kArmBent, ringFile} from './own/examples.js';
import {kMeshEndings, meshOf, pathOf} from './own/files.js';
import {HeatDesk, kInside, leastRows} from './own/heat_desk.js';
import {RobotDesk} from './own/robot.js';
import {element, fillLegend, fillRows, readState, saveFile, showMessage, wireFiles, wireLine, wireRange, writeState} from './shell.js';
import {LiveView, newCanvas} from './space/live_view.js';
import {slice} from './space/slice.js';
import {StageView} from './space/stage_view.js';

fillLegend([
  ['line', '#c9bfa8', 'first body'],
  ['line', '#7fa8ee', 'second body'],
  ['disc', '#ffb000', 'nearest places, or the ends of the way out; links of a robot that are nearest'],
  ['disc', '#1b2a41', 'nearest points of these links (red: they touch)'],
  ['line', '#cc3311', 'slice'],
  ['ramp', rampStyle, 'heat map: distance, from 0 to the end of its scale'],
  ['area', kInside, 'heat map: inside of the second body'],
]);

const kMostBytes = 200e6;
const kPartColours = ['#e4572e', '#2e86ab', '#76b041', '#f2c14e', '#8e5572', '#3bb3a6', '#d67ab1', '#7768ae', '#b56b45', '#5a7d7c'];
const kBoxColours = ['#8d99a8', '#2e86ab', '#76b041', '#e4572e'];
const [kFirst, kSecond] = ['#c9bfa8', '#7fa8ee'];
const kAxes = ['x', 'y', 'z'];
const kPatience = 300; // milliseconds of work after which the page says so
const kSaved = {hull: 'hull', parts: 'parts'}; // what is saved of a view; of others the surface

const kMostNotes = 3; // that are shown

const state = readState({show: 'mesh', concavity: 0.1, shift: 0.5, shiftY: 0, shiftZ: 0, axis: 'z', level: 0.5, example: 'bracket', joints: kArmBent, visual: false});
if (!kAxes.includes(state.axis)) state.axis = 'z';
const meshes = [null, null]; // {name, file: {name, bytes}, picture, example?}
let view = null;
let heat = null; // of the heat map, while it is shown
let ownArm = false; // the robot is the example, whose joints the address keeps

const engine = Engine.start();
const setShift = {};
const robot = engine && new RobotDesk(engine, {facts, work, draw: (stage, things) => still(things, {}, stage),
  changed: (configuration) => {
    if (!ownArm) return;
    state.joints = [...configuration];
    writeState(state);
  }});

function facts(rows) {
  fillRows(element('facts'), rows.map(([name, text, values]) => ({cells: [name, String(text)], values})));
}

const number = (x) => (x === null ? 'not known' : Number(x).toPrecision(6));

function draw(make) {
  view?.close();
  heat?.close();
  view = heat = null;
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
    if (mesh) await engine.call('openSurface', slot, mesh.file.name, mesh.file.bytes);
  }
  heat = null;
  if (robot.robot) await robot.reopen();
  showMessage('Cancelled.');
}

// Where the second mesh stands: beside the first, by `shift` of its width, and shifted across.
function offset() {
  const [{picture: a}, {picture: b}] = meshes;
  const width = a.upper[0] - a.lower[0];
  return [a.upper[0] - b.lower[0] + state.shift * width, state.shiftY * width, state.shiftZ * width];
}

// The second mesh is dragged to an offset.
function moveTo([x, y, z]) {
  const [{picture: a}, {picture: b}] = meshes;
  const width = a.upper[0] - a.lower[0] || 1;
  const shifts = {shift: (x - a.upper[0] + b.lower[0]) / width, shiftY: y / width, shiftZ: z / width};
  for (const [name, value] of Object.entries(shifts)) {
    state[name] = value;
    setShift[name](value);
  }
  writeState(state);
  return heat.put(offset());
}

// The box that holds both meshes.
function stageOfBoth(at) {
  const [a, b] = meshes.map(({picture}) => picture);
  return {upper: a.upper.map((x, i) => Math.max(x, b.upper[i] + at[i])), lower: a.lower.map((x, i) => Math.min(x, b.lower[i] + at[i]))};
}

function still(things, signs, stage = meshes[0].picture) {
  return draw((canvas) => new StageView(canvas, stage, things, signs));
}

function showOneBody() {
  still([surface()]);
  facts([['second body', 'none yet: drop a second mesh']]);
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
    if (!meshes[1]) return showOneBody();
    const at = offset();
    const r = await work('Distance', engine.call('between', at));
    still([surface({opacity: 0.6}), {parts: meshes[1].picture.picture, color: kSecond, opacity: 0.6, position: at}],
      {marks: r.status === 'unsupported' ? [] : [[r.point_a, r.point_b]]}, stageOfBoth(at));
    facts([['status', r.status], ...leastRows(r), ['normal', r.normal.map((x) => x.toFixed(4)).join(', ')]]);
  },
  async heat() {
    if (!meshes[1]) return showOneBody();
    const at = offset();
    const picture = await work('Heat map', engine.call('openHeat'));
    still([{parts: meshes[1].picture.picture, color: kSecond, opacity: 0.5, moving: true}], {}, stageOfBoth(at));
    heat = new HeatDesk(engine, view, picture, {moved: moveTo, facts});
    await heat.put(at);
  },
};
const kOfTwo = ['distance', 'heat'];

function showBodies() {
  fillRows(element('bodies'), meshes.map((mesh, i) => ({cells: [i === 0 ? 'First' : 'Second', mesh ? mesh.name : 'none yet']})));
  element('swap').disabled = !meshes[1];
  for (const [name, at] of [['show', state.show], ['axis', state.axis]]) {
    for (const button of document.querySelectorAll(`[data-${name}]`)) button.setAttribute('aria-pressed', button.dataset[name] === at);
  }
  element('concavity-label').hidden = state.show !== 'parts';
  element('slice-tools').hidden = state.show !== 'slice';
  element('shift-tools').hidden = !kOfTwo.includes(state.show);
  element('heat-scale').hidden = true; // until it is known
}

const kSections = {mesh: ['mesh-bodies', 'mesh-tools'], robot: ['robot-tools', 'robot-line', 'nearest'], recording: ['player-tools'], scene: []};

// Shows the sections for a mesh, a robot, a scene or a recording; nothing of another kind goes on.
async function enter(kind) {
  for (const [name, ids] of Object.entries(kSections)) for (const id of ids) element(id).hidden = name !== kind;
  engine.onframe = () => {};
  await engine.call('play', false);
  if (kind !== 'robot' && robot.robot) await robot.close();
}

async function show(what) {
  if (!meshes[0]) return showMessage('Drop a mesh first, or take the example.');
  state.show = what in kShows ? what : 'mesh';
  showBodies();
  writeState(state);
  await enter('mesh');
  await kShows[state.show]();
}

// The first of many notes.
function showNotes(notes) {
  const more = notes.length - kMostNotes;
  showMessage([...notes.slice(0, kMostNotes), ...(more > 0 ? [`and ${more} more`] : [])].join('; '));
}

async function openMesh(slot, name, file, more = {}) {
  const picture = await work(`Reading ${name}`, engine.call('openSurface', slot, file.name, file.bytes));
  meshes[slot] = {name, file, picture, ...more};
}

async function openFile(slot, file, more = {}) {
  const notes = [];
  await openMesh(slot, file.name, await meshOf(file, notes), more);
  if (notes.length > 0) showNotes(notes);
}

async function drop(slot) {
  meshes[slot] = null;
  await engine.call('closeSurface', slot);
}

// The first file is the first body, the second one the second, two at once those two; the example makes room.
async function takeMeshes(files) {
  if (files.length > 1 || !meshes[0] || meshes[0].example) {
    await openFile(0, files[0]);
    if (meshes[1] && files.length === 1) await drop(1);
    if (files.length > 1) await openFile(1, files[1]);
  } else {
    await openFile(1, files[0]);
  }
  if (files.length > 2) showMessage(`Two bodies at once: ${files.slice(2).map(({name}) => name).join(', ')} left out.`);
  await showFitting();
}

// Shows the present view, where it fits one body or two.
function showFitting() {
  const ofTwo = kOfTwo.includes(state.show);
  return show(meshes[1] ? (ofTwo ? state.show : 'distance') : ofTwo ? 'mesh' : state.show);
}

const kExamples = {
  async bracket() {
    if (meshes[1]) await drop(1);
    await openFile(0, bracketFile(), {example: true});
    await showFitting();
  },
  async pair() {
    await openFile(0, bracketFile(), {example: true});
    await openFile(1, ringFile(), {example: true});
    await showFitting();
  },
  robot: () => openRobot([armFile()], [armFile()], {example: true, joints: state.joints}),
};

async function takeExample(name) {
  showMessage('');
  state.example = name in kExamples ? name : 'bracket';
  await kExamples[state.example]();
  writeState(state);
}

async function swap() {
  const [a, b] = meshes;
  await openMesh(0, b.name, b.file);
  await openMesh(1, a.name, a.file);
  await show(state.show);
}

// Opens the first of the `robots` among `files`; the others can be chosen.
async function openRobot(robots, files, {example = false, joints = []} = {}) {
  const choice = element('robot-file');
  choice.replaceChildren(...robots.map((file, i) => new Option(pathOf(file), i)));
  element('robot-choice').hidden = robots.length < 2;
  const openChosen = async (at = []) => {
    showMessage('');
    ownArm = example;
    const notes = await robot.open(robots[choice.value], files, state.visual ? 'visual' : 'collision', at);
    await enter('robot');
    if (notes.length > 0) showNotes(notes);
  };
  choice.onchange = () => safely(openChosen());
  element('visual').onchange = () => {
    state.visual = element('visual').checked;
    safely(openChosen(robot.configuration));
  };
  await openChosen(joints);
}

async function save(ending) {
  if (!meshes[0]) return showMessage('Drop a mesh first, or take the example.');
  const what = kSaved[state.show] ?? 'surface';
  const bytes = await work('File', engine.call('surfaceFile', 0, what, ending));
  saveFile(`${meshes[0].name.replace(/\.[^.]*$/, '')}${what === 'surface' ? '' : `-${what}`}.${ending}`, bytes);
}

async function runScene(text) {
  const opened = await engine.call('openWorld', text);
  await enter('scene');
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
  await enter('recording');
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

// Descriptions of robots: URDF, also where it is called XML.
async function robotsAmong(files) {
  const robots = files.filter(({name}) => /\.urdf$/i.test(name));
  if (robots.length > 0) return robots;
  const texts = await Promise.all(files.map((file) => (/\.xml$/i.test(file.name) ? file.text() : '')));
  return files.filter((_, i) => /<(robot|mujoco)\b/.test(texts[i]));
}

async function take(files) {
  showMessage('');
  const large = files.find((file) => file.size > kMostBytes);
  if (large) {
    return showMessage(`${large.name}: ${(large.size / 1e6).toFixed(0)} MB; a page takes files up to ${kMostBytes / 1e6} MB. ` +
      'The program tactus has no such limit.');
  }
  const robots = await robotsAmong(files);
  if (robots.length > 0) return openRobot(robots, files);
  const other = files.find(({name}) => /\.(sdf|xacro)$/i.test(name));
  if (other) return showMessage(`${other.name}: the page reads URDF alone; the program tactus reads MJCF and SDF too, and xacro is to be expanded first`);
  const unknown = files.find(({name}) => !kMeshEndings.test(name) && !/\.(json|tactus)$/i.test(name));
  if (unknown) return showMessage(`${unknown.name}: no known kind of file (obj, stl, ply, off, xyz, glb, gltf, dae, urdf, json, tactus)`);
  const recording = files.find(({name}) => /\.tactus$/i.test(name));
  const scene = files.find(({name}) => /\.json$/i.test(name));
  if (recording && !scene) return showMessage(`${recording.name}: a recording is played with its scene; drop both files together.`);
  if (recording) return playRecording(await scene.text(), recording);
  if (scene) return runScene(await scene.text());
  await takeMeshes(files);
}

const safely = (promise) => promise?.catch?.((error) => { if (!(error instanceof Cancelled)) showMessage(error.message); });

if (engine) {
  wireFiles((files) => safely(take(files)));
  const acts = {example: () => takeExample('bracket'), 'example-pair': () => takeExample('pair'), 'example-robot': () => takeExample('robot'), swap, cancel};
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
  for (const name of ['shift', 'shiftY', 'shiftZ']) {
    setShift[name] = wireRange(name, state[name], (value) => {
      state[name] = value;
      writeState(state);
      if (heat) safely(heat.put(offset()));
      else later('distance');
    }, (value) => value.toFixed(2));
  }
  wireRange('level', state.level, (value) => { state.level = value; later('slice'); }, (value) => `${Math.round(100 * value)} %`);
  element('visual').checked = state.visual;
  wireLine();
  engine.ready.then(() => safely(takeExample(state.example)));
}
globalThis.tactusPage = {state, engine, meshes, robot, get view() { return view; }, get heat() { return heat; }};
