// Pile: a live world to drag, throw and pour.
import {canDraw} from '../../player/src/room/room.js';
import {Engine} from './engine.js';
import {element, fillLegend, fillRows, readState, showLine, showMessage, wireKeys, wireLine, wireRange, wireTick, writeState} from './shell.js';
import {LiveView, newCanvas} from './space/live_view.js';
import {drawProfile, median} from './space/profile.js';
import {mixedPile} from './space/scenes.js';
import {Transport} from './space/transport.js';
import {prefersStill} from './theme.js';

fillLegend([
  ['disc', '#ffb000', 'chosen body'],
  ['disc', '#d4145a', 'contact point; dark arrow: the normal there'],
  ['line', '#0077bb', 'time of a step; red: longer than 1/60 s, the line'],
]);

const state = readState({count: 60, gravity: 9.81, friction: 0.5, restitution: 0.1, substeps: 4, contacts: false, normals: false, playing: !prefersStill()});
for (const [name, low, high] of [['count', 10, 300], ['gravity', -5, 20], ['friction', 0, 1.5], ['restitution', 0, 1], ['substeps', 1, 20]]) {
  state[name] = Math.min(Math.max(Number(state[name]) || 0, low), high);
}
state.substeps = Math.round(state.substeps);
state.count = Math.round(state.count / 10) * 10;
const look = {contacts: state.contacts, normals: state.normals};
let view = null;
let unseen = null; // tells the worker that frames arrive, where nothing is drawn

const engine = Engine.start();
const transport = new Transport(state, async (on) => showFrame(await engine.call('play', on)),
  async () => showFrame(await engine.call('stepWorld', 1)));

function showValues(values) {
  element('values-section').hidden = !values;
  if (!values) return;
  const vector = (v) => v.map((x) => x.toFixed(3)).join(', ');
  element('values-title').textContent = `${values.name} (${values.shape})`;
  fillRows(element('values'), [
    ['mass', values.mass.toFixed(3)], ['position', vector(values.position)], ['velocity', vector(values.linear_velocity)],
    ['spin', vector(values.angular_velocity)], ['energy', values.kinetic_energy.toExponential(3)],
    ['contact points', values.contact_points], ['deepest', values.deepest.toExponential(2)],
    ['friction', values.friction], ['restitution', values.restitution],
  ].map((cells) => ({cells})));
}

function showFrame(frame) {
  view?.show(frame);
  const s = frame.statistics;
  drawProfile(element('profile'), frame.times);
  fillRows(element('statistics'), [
    ['step', s.step], ['moving', s.moving], ['pairs', s.pairs], ['contact points', s.contactPoints],
    ['median', `${median(frame.times).toFixed(2)} ms`],
    ['pairs, contacts, solver', [s.broadMs, s.narrowMs, s.solveMs].map((x) => x.toFixed(2)).join(' / ')],
    ['mean penetration', `${(100 * s.meanPenetration).toFixed(3)} % of size`], ['kinetic energy', s.kineticEnergy.toPrecision(4)],
  ].map((cells) => ({cells})));
  showValues(frame.values);
}

async function restart() {
  const opened = await engine.latest('openWorld', JSON.stringify(mixedPile(state)));
  if (opened === null) return; // a later restart counts
  view?.close();
  view = null;
  if (canDraw()) {
    view = new LiveView(newCanvas(), engine, opened, look);
    view.onchoose = async (body) => showFrame(await engine.call('watch', body));
  } else {
    showMessage('This browser shows no 3D picture: WebGL 2 is switched off or missing. The world runs all the same, as the figures tell.');
    unseen ??= setInterval(() => engine.call('drawn'), 100);
  }
  showFrame(opened.frame);
  showLine('');
  await transport.setPlaying(state.playing);
}

async function change(name, value) {
  state[name] = value;
  writeState(state);
  const act = name === 'gravity' ? {gravity: [0, 0, -value]} : {[name]: value};
  await engine.call('act', {do: 'set', ...act});
}

async function pour(count = 5) {
  const acts = Array.from({length: count}, () => view?.pour() ?? []).flat();
  if (acts.length === 0) return showMessage('No more bodies: restart to pour again.');
  await engine.call('act', ...acts);
  if (!state.playing) showFrame(await engine.call('stepWorld', 0));
}

if (engine) {
  engine.onframe = showFrame;
  engine.ready.then(restart).catch((error) => showMessage(error.message));
  const safely = (f) => () => f().catch((error) => showMessage(error.message));
  const acts = {play: safely(() => transport.toggle()), step: safely(() => transport.stepOnce()), restart: safely(restart), pour: safely(() => pour()),
    take: safely(async () => showLine(await engine.call('worldLine')))};
  for (const [id, act] of Object.entries(acts)) element(id).addEventListener('click', act);
  wireRange('count', state.count, (value) => { state.count = value; writeState(state); safely(restart)(); });
  for (const name of ['gravity', 'friction', 'restitution', 'substeps']) {
    wireRange(name, state[name], (value) => safely(() => change(name, value))(), name === 'gravity' ? (value) => `${value} m/s²` : String);
  }
  for (const name of ['contacts', 'normals']) wireTick(name, state, look, () => view);
  wireKeys({' ': acts.play, s: acts.step, r: acts.restart, p: acts.pour, Escape: () => view?.choose(null)});
  wireLine();
}
globalThis.tactusPage = {state, engine, get view() { return view; }};
