// Your own: dropped meshes, scenes and recordings.
import {Recording} from '../../player/src/recording.js';
import {Replay} from '../../player/src/replay.js';
import {canDraw} from '../../player/src/room/room.js';
import {Engine} from './engine.js';
import {element, fillRows, readState, showMessage, wireFiles, wireRange, writeState} from './shell.js';
import {LiveView, newCanvas} from './space/live_view.js';
import {StillView} from './space/still_view.js';

const kMostBytes = 200e6;
const kMeshEndings = /\.(obj|stl|ply|off|xyz)$/i;
const kPartColours = ['#e4572e', '#2e86ab', '#76b041', '#f2c14e', '#8e5572', '#3bb3a6', '#d67ab1', '#7768ae', '#b56b45', '#5a7d7c'];
const kBoxColours = ['#8d99a8', '#2e86ab', '#76b041', '#e4572e'];
const state = readState({show: 'mesh', concavity: 0.1, shift: 0.5});
const meshes = [null, null]; // {name, picture}
let view = null;

const engine = Engine.start();

function facts(rows) {
  fillRows(element('facts'), rows.map(([name, text, values]) => ({cells: [name, text], values})));
}

const number = (x) => (x === null ? 'not known' : Number(x).toPrecision(6));

function draw(make) {
  view?.close();
  view = null;
  if (!canDraw()) return showMessage('This browser shows no 3D picture: WebGL 2 is switched off or missing. The figures are complete.');
  view = make(newCanvas());
  return view;
}

// Where the second mesh stands: beside the first, by `shift` of its width.
function offset() {
  const [{picture: a}, {picture: b}] = meshes;
  return [a.upper[0] - b.lower[0] + state.shift * (a.upper[0] - a.lower[0]), 0, 0];
}

function still(things, marks, stage = meshes[0].picture) {
  draw((canvas) => new StillView(canvas, stage, things, marks));
}

const kShows = {
  async mesh() {
    const {name, picture} = meshes[0];
    still([{parts: picture.picture, color: '#c9bfa8'}]);
    facts([['file', name], ['vertices', picture.vertices], ['triangles', picture.triangles],
      ['size', picture.upper.map((x, i) => number(x - picture.lower[i])).join(' x ')]]);
  },
  async hull() {
    const hull = await engine.call('hull', 0);
    still([{parts: meshes[0].picture.picture, color: '#c9bfa8'}, ...(hull.picture ? [{parts: hull.picture, color: '#2f6fde', opacity: 0.3}] : [])]);
    facts([['dimension', hull.dimension], ['vertices', hull.vertices], ['faces', hull.faces],
      ...(hull.dimension === 3 ? [['volume', number(hull.volume), {volume: hull.volume}]] : []), ['proved', hull.proved ? 'yes' : 'no']]);
  },
  async boxes() {
    const {boxes} = await engine.call('boxes', 0);
    still([{parts: meshes[0].picture.picture, color: '#c9bfa8'}, ...boxes.map(({center, quaternion, size}, i) => (
      {parts: [{type: 'box', size, position: center, quaternion}], color: kBoxColours[i], opacity: 0.18}))]);
    facts(boxes.map(({method, volume, lower}) => [method, `${number(volume)}${lower ? `, least of all: at least ${number(lower)}` : ''}`, {volume}]));
  },
  async parts() {
    const found = await engine.call('parts', 0, state.concavity);
    still(found.parts.map((parts, i) => ({parts, color: kPartColours[i % kPartColours.length]})));
    facts([['parts', found.parts.length], ['concavity', `${number(found.lower)} .. ${number(found.upper)}`], ['status', found.status],
      ['surface', found.closed ? 'closed' : 'open']]);
  },
  async distance() {
    if (!meshes[1]) return showMessage('Drop a second mesh first.');
    const at = offset();
    const r = await engine.call('between', at);
    const [a, b] = meshes.map(({picture}) => picture);
    const upper = a.upper.map((x, i) => Math.max(x, b.upper[i] + at[i]));
    const lower = a.lower.map((x, i) => Math.min(x, b.lower[i] + at[i]));
    still([{parts: a.picture, color: '#c9bfa8', opacity: 0.6}, {parts: b.picture, color: '#7fa8ee', opacity: 0.6, position: at}],
      r.status === 'unsupported' ? [] : [[r.point_a, r.point_b]], {lower, upper});
    facts([['status', r.status], ['distance', number(r.distance), r], ['bracket', `${number(r.lower)} .. ${number(r.upper)}`]]);
  },
};

async function show(what) {
  if (!meshes[0]) return showMessage('Drop a mesh first, or take the example.');
  state.show = what in kShows ? what : 'mesh';
  for (const button of document.querySelectorAll('[data-show]')) button.setAttribute('aria-pressed', button.dataset.show === state.show);
  writeState(state);
  element('player-tools').hidden = true;
  engine.onframe = () => {};
  await engine.call('play', false);
  await kShows[state.show]();
}

async function takeMesh(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const slot = meshes[0] && !meshes[1] ? 1 : 0;
  if (slot === 0) meshes[1] = null;
  const picture = await engine.call('openSurface', slot, file.name, bytes);
  meshes[slot] = {name: file.name, picture};
  await show(slot === 1 ? 'distance' : state.show === 'distance' ? 'mesh' : state.show);
}

async function runScene(text) {
  const opened = await engine.call('openWorld', text);
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
  if (unknown) return showMessage(`${unknown.name}: no known kind of file (obj, stl, ply, off, xyz, json, tactus)`);
  const recording = files.find(({name}) => /\.tactus$/i.test(name));
  const scene = files.find(({name}) => /\.json$/i.test(name));
  if (recording && !scene) return showMessage(`${recording.name}: a recording is played with its scene; drop both files together.`);
  if (recording) return playRecording(await scene.text(), recording);
  if (scene) return runScene(await scene.text());
  for (const file of files) await takeMesh(file);
}

const safely = (promise) => promise.catch((error) => showMessage(error.message));

// A bracket of two walls and a floor: not convex, closed.
function exampleMesh() {
  const outline = [[0, 0], [4, 0], [4, 3], [3, 3], [3, 1], [1, 1], [1, 3], [0, 3]];
  const lines = [0, 1.5].flatMap((y) => outline.map(([x, z]) => `v ${x} ${y} ${z}`));
  const quad = (...v) => lines.push(`f ${v.map((i) => i + 1).join(' ')}`);
  outline.forEach((_, i) => quad(i, (i + 1) % 8, 8 + ((i + 1) % 8), 8 + i));
  for (const corners of [[0, 1, 4, 5], [1, 2, 3, 4], [0, 5, 6, 7]]) {
    quad(...[...corners].reverse());
    quad(...corners.map((i) => i + 8));
  }
  return new File([lines.join('\n')], 'bracket.obj');
}

if (engine) {
  wireFiles((files) => safely(take(files)));
  element('example').addEventListener('click', () => safely(take([exampleMesh()])));
  for (const button of document.querySelectorAll('[data-show]')) button.addEventListener('click', () => safely(show(button.dataset.show)));
  let timer = 0;
  const later = (what) => {
    clearTimeout(timer);
    timer = setTimeout(() => { if (meshes[0] && state.show === what) safely(show(what)); }, 200);
  };
  wireRange('concavity', state.concavity, (value) => { state.concavity = value; later('parts'); });
  wireRange('shift', state.shift, (value) => { state.shift = value; later('distance'); });
  engine.ready.then(() => safely(take([exampleMesh()])));
}
globalThis.tactusPage = {state, engine, meshes, get view() { return view; }};
