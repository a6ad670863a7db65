// Soft bodies: pulled live, the continuous response beside the discrete one.
import {rampStyle} from '../../player/src/room/colours.js';
import {canDraw} from '../../player/src/room/room.js';
import {Engine} from './engine.js';
import {element, fillLegend, fillRows, readState, showLine, showMessage, wireKeys, wireLine, wireRange, wireTick, writeState} from './shell.js';
import {newCanvas} from './space/live_view.js';
import {softScene, softScenes} from './space/soft_scenes.js';
import {SoftView} from './space/soft_view.js';
import {median} from './space/step_parts.js';
import {Transport} from './space/transport.js';
import {prefersStill} from './theme.js';

fillLegend([
  ['ramp', rampStyle, 'elastic energy, from none to much (ticked above)'],
  ['disc', '#d4145a', 'contact point; dark arrow: the normal there'],
  ['line', '#ffb000', 'your pull'],
]);

const kNames = {continuous: 'Continuous', discrete: 'Discrete'};
const kRanges = {young: [3.5, 6], poisson: [0, 0.49], damping: [0, 0.05], friction: [0, 1.5], gravity: [-5, 20], speed: [1, 60]};

const state = readState({scene: 'fall', view: 'both', young: 4.6, poisson: 0.4, damping: 0.002, friction: 0.5, gravity: 9.5, speed: 12, stress: false,
  contacts: false, normals: false, playing: !prefersStill()});
if (!(state.scene in softScenes)) state.scene = 'fall';
if (!['both', 'continuous', 'discrete'].includes(state.view)) state.view = 'both';
for (const [name, [low, high]] of Object.entries(kRanges)) state[name] = Math.min(Math.max(Number(state[name]) || 0, low), high);
const look = {stress: state.stress, young: 10 ** state.young, contacts: state.contacts, normals: state.normals};
let view = null;
let unseen = null; // tells the worker that frames arrive, where nothing is drawn

const kAfterHit = 1.6; // seconds from which on a dart that has flown by is shot anew
let repeating = false;

const engine = Engine.start();
const transport = new Transport(state, async (on) => showFrame(await engine.call('playSoft', on)),
  async () => showFrame(await engine.call('stepSoft', 1)));

// A shell has no inside to be pushed out of: there is no discrete response then.
const responses = () => (softScenes[state.scene].both ? (state.view === 'both' ? ['continuous', 'discrete'] : [state.view]) : ['continuous']);

// The dart is shot again and again, while nothing is held and motion is wanted.
async function repeat({statistics: {time}}) {
  const {weightless} = softScenes[state.scene];
  if (repeating || !weightless || !state.playing || view?.held || prefersStill() || time < kAfterHit + 1 / state.speed) return;
  repeating = true;
  try {
    const opened = await engine.latest('openSoft', JSON.stringify(softScene(state)), responses());
    if (opened) await transport.setPlaying(state.playing);
  } finally {
    repeating = false;
  }
}

function showFrame(frame) {
  view?.show(frame);
  repeat(frame.views[0]).catch((error) => showMessage(error.message));
  const row = (name, of) => ({cells: [name, ...frame.views.map(of)]});
  fillRows(element('statistics'), [
    row('step', ({statistics: s}) => s.step), row('vertices', ({statistics: s}) => s.vertices), row('contacts', ({statistics: s}) => s.contacts),
    {...row('edges through faces', ({crossings}) => crossings), differs: frame.views.some(({crossings}) => crossings > 0)},
    ...(frame.views[0].statistics.rigidEnergy !== 0 ? [row('energy of rigid bodies', ({statistics: s}) => s.rigidEnergy.toPrecision(3))] : []),
    row('elastic energy', ({statistics: s}) => s.elasticEnergy.toPrecision(3)), row('kinetic energy', ({statistics: s}) => s.kineticEnergy.toPrecision(3)),
    row('median step', ({times}) => `${median(times).toFixed(1)} ms`),
  ]);
  const through = frame.views.findIndex(({crossings}) => crossings > 0);
  element('remark').textContent = through < 0 ? 'No edge passes through a face.'
    : `${kNames[responses()[through]]}: bodies are in each other. Vertices are put out by their depth once a step is over; what passed within one is not seen.`;
}

function showChoice() {
  const {both, weightless} = softScenes[state.scene];
  const names = responses().map((name) => kNames[name]);
  [element('first-name').textContent, element('second-name').textContent] = [names[0], names[1] ?? ''];
  element('labels').replaceChildren(...names.map((name) => {
    const label = document.createElement('span');
    label.textContent = both ? name : `${name}: a cloth has no inside for the discrete one`;
    return label;
  }));
  for (const name of ['scene', 'view']) {
    for (const button of document.querySelectorAll(`[data-${name}]`)) {
      button.setAttribute('aria-pressed', button.dataset[name] === (name === 'view' && !both ? 'continuous' : state[name]));
      if (name === 'view') button.disabled = !both && button.dataset.view !== 'continuous';
    }
  }
  element('gravity-label').hidden = Boolean(weightless);
  element('speed-label').hidden = !weightless;
}

async function restart() {
  const opened = await engine.latest('openSoft', JSON.stringify(softScene(state)), responses());
  if (opened === null) return; // a later restart counts
  showChoice();
  view?.close();
  view = null;
  look.young = 10 ** state.young;
  if (canDraw()) {
    view = new SoftView(newCanvas(), engine, opened, softScenes[state.scene].stage, look);
  } else {
    showMessage('This browser shows no 3D picture: WebGL 2 is switched off or missing. The bodies move all the same, as the figures tell.');
    unseen ??= setInterval(() => engine.call('drawnSoft'), 100);
  }
  showFrame(opened.frame);
  showLine('');
  await colour();
  await transport.setPlaying(state.playing);
}

async function colour() {
  look.stress = state.stress;
  writeState(state);
  showFrame(await engine.call('colourSoft', state.stress));
}

async function change(name, value) {
  state[name] = value;
  writeState(state);
  if (name === 'speed') return restart();
  look.young = 10 ** state.young;
  const act = name === 'gravity' ? {gravity: [0, 0, -value]} : {[name]: name === 'young' ? look.young : value};
  await engine.call('actSoft', {do: 'set', ...act});
}

if (engine) {
  engine.onframe = showFrame;
  engine.ready.then(restart).catch((error) => showMessage(error.message));
  const safely = (f) => (...args) => f(...args).catch((error) => showMessage(error.message));
  const acts = {play: safely(() => transport.toggle()), step: safely(() => transport.stepOnce()), restart: safely(restart),
    take: safely(async () => showLine((await engine.call('softLines')).join('\n')))};
  for (const [id, act] of Object.entries(acts)) element(id).addEventListener('click', act);
  for (const name of ['scene', 'view']) {
    for (const button of document.querySelectorAll(`[data-${name}]`)) {
      button.addEventListener('click', () => {
        state[name] = button.dataset[name];
        writeState(state);
        safely(restart)();
      });
    }
  }
  const units = {young: (value) => `${Number((10 ** value / 1000).toPrecision(2))} kPa`, damping: (value) => `${(1000 * value).toFixed(0)} ms`,
    gravity: (value) => `${value} m/s²`, speed: (value) => `${value} m/s`};
  for (const name of Object.keys(kRanges)) wireRange(name, state[name], (value) => safely(change)(name, value), units[name]);
  element('stress').checked = state.stress;
  element('stress').addEventListener('change', () => { state.stress = element('stress').checked; safely(colour)(); });
  for (const name of ['contacts', 'normals']) wireTick(name, state, look, () => view);
  wireKeys({' ': acts.play, s: acts.step, r: acts.restart});
  wireLine();
}
globalThis.tactusPage = {state, engine, get view() { return view; }};
