// Machines: the same bodies in a World and in an ImpulseWorld, side by side.
import {canDraw} from '../../player/src/room/room.js';
import {Engine} from './engine.js';
import {element, fillLegend, fillRows, readState, setPressed, showLine, showMessage, wireKeys, wireLine, wireRange, writeState} from './shell.js';
import {LiveView, newCanvas} from './space/live_view.js';
import {machineScene, machineScenes} from './space/machine_scenes.js';
import {median} from './space/profile.js';
import {Transport} from './space/transport.js';
import {prefersStill} from './theme.js';

fillLegend([
  ['letter', '', 'World: contacts that last', 'left'],
  ['letter', '', 'ImpulseWorld: single collisions (below on a phone)', 'right'],
  ['disc', '#ffb000', 'chosen body'],
]);

const kParameters = ['gravity', 'friction', 'restitution'];
const kUnits = {gravity: (value) => `${value} m/s²`};

const state = readState({scene: 'drop', gravity: 9.81, friction: 0.5, restitution: 0.7, playing: !prefersStill()});
if (!(state.scene in machineScenes)) state.scene = 'drop';
for (const [name, low, high] of [['gravity', -5, 20], ['friction', 0, 1.5], ['restitution', 0, 1]]) {
  state[name] = Math.min(Math.max(Number(state[name]) || 0, low), high);
}
const look = {contacts: false, normals: false};
let unseen = null; // tells the workers that frames arrive, where nothing is drawn

/// One world with its own worker and picture.
class Side {
  constructor(engine, type, canvas) {
    Object.assign(this, {engine, type, canvas, view: null, frame: null});
    engine.onframe = (frame) => this.show(frame);
  }

  show(frame) {
    this.frame = frame;
    this.view?.show(frame);
    showStatistics();
  }

  async open() {
    const opened = await this.engine.latest('openWorld', JSON.stringify(machineScene(state, this.type)));
    if (opened === null) return; // a later restart counts
    this.view?.close();
    this.view = canDraw() ? new LiveView(newCanvas(this.canvas), this.engine, opened, look) : null;
    this.show(opened.frame);
  }
}

const engines = [Engine.start(), Engine.start()];
const sides = engines[0] && engines[1]
  ? [new Side(engines[0], 'contact', 'canvas'), new Side(engines[1], 'impulse', 'canvas-impulse')] : [];
const onBoth = (f) => Promise.all(sides.map(f));
const transport = new Transport(state, (on) => onBoth(async (side) => side.show(await side.engine.call('play', on))),
  () => onBoth(async (side) => side.show(await side.engine.call('stepWorld', 1))));

function showStatistics() {
  const frames = sides.map(({frame}) => frame);
  if (!frames.every(Boolean)) return;
  const row = (name, value) => ({cells: [name, ...frames.map(value)]});
  fillRows(element('statistics'), [
    row('step', ({statistics: s}) => s.step), row('kinetic energy', ({statistics: s}) => s.kineticEnergy.toPrecision(4)),
    row('contacts', ({statistics: s}) => s.contactPoints), row('mean penetration', ({statistics: s}) => `${(100 * s.meanPenetration).toFixed(4)} %`),
    row('median', ({times}) => `${median(times).toFixed(2)} ms`),
  ]);
}

async function restart() {
  element('remark').textContent = machineScenes[state.scene].remark;
  for (const name of Object.keys(machineScenes)) setPressed(`scene-${name}`, name === state.scene);
  await onBoth((side) => side.open());
  if (!canDraw()) {
    showMessage('This browser shows no 3D picture: WebGL 2 is switched off or missing. The worlds run all the same, as the figures tell.');
    unseen ??= setInterval(() => onBoth(({engine}) => engine.call('drawn')), 100);
  }
  showLine('');
  await transport.setPlaying(state.playing);
}

async function change(name, value) {
  state[name] = value;
  writeState(state);
  const act = name === 'gravity' ? {gravity: [0, 0, -value]} : {[name]: value};
  await onBoth(({engine}) => engine.call('act', {do: 'set', ...act}));
}

function showParameters() {
  for (const name of kParameters) {
    element(name).value = state[name];
    element(name).parentElement.querySelector('output').textContent = (kUnits[name] ?? String)(state[name]);
  }
}

async function choose(scene) {
  const {gravity, restitution} = machineScenes[scene];
  Object.assign(state, {scene, gravity, restitution});
  showParameters();
  await restart();
}

const takeLines = async () => showLine((await onBoth(({engine}) => engine.call('worldLine'))).join('\n'));

if (sides.length > 0) {
  const safely = (f) => () => f().catch((error) => showMessage(error.message));
  element('scenes').append(...Object.entries(machineScenes).map(([name, {label}]) => {
    const button = document.createElement('button');
    Object.assign(button, {type: 'button', id: `scene-${name}`, textContent: label});
    button.dataset.scene = name;
    button.addEventListener('click', safely(() => choose(name)));
    return button;
  }));
  for (const name of kParameters) wireRange(name, state[name], (value) => safely(() => change(name, value))(), kUnits[name]);
  const acts = {play: safely(() => transport.toggle()), step: safely(() => transport.stepOnce()), restart: safely(restart), take: safely(takeLines)};
  for (const [id, act] of Object.entries(acts)) element(id).addEventListener('click', act);
  wireKeys({' ': acts.play, s: acts.step, r: acts.restart});
  wireLine();
  onBoth(({engine}) => engine.ready).then(restart).catch((error) => showMessage(error.message));
}
globalThis.tactusPage = {
  state, sides, get view() { return sides[0]?.view; },
  engine: {get quiet() { return engines.every((e) => e.quiet); }, get unanswered() { return engines.flatMap((e) => e.unanswered); }},
};
