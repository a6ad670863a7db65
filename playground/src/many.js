// Many at once: the steps of an algorithm over many things.
import {Engine} from './engine.js';
import {hash} from './many/hash.js';
import {hull} from './many/hull.js';
import {Panel} from './many/panel2d.js';
import {search} from './many/search.js';
import {sweep} from './many/sweep.js';
import {element, fillLegend, fillRows, readState, showLine, showMessage, wireKeys, wireLine, writeState} from './shell.js';
import {wireHands} from './steps/hands.js';
import {codeBox, fillWords} from './steps/panel.js';
import {add, scale, Sketch} from './steps/sketch.js';
import {wireStepper} from './steps/stepper.js';

const algorithms = [hull, search, sweep, hash];
const kNudge = 0.05;

const algorithmOf = (id) => algorithms.find((one) => one.id === id) ?? algorithms[0];
// `scene`: the preset that gives what cannot be dragged; `preset`: -1 once something was dragged; `before`: boxes of the last sweep.
const defaults = {algorithm: 'hull', scene: 0, preset: 0, things: [], before: [], step: 0, azimuth: -0.9, elevation: 0.45, zoom: 1};
const state = readState(defaults);
const copy = (things) => things.map((thing) => [...thing]);
const finite = (list) => Array.isArray(list) && list.every((x) => Number.isFinite(x) && Math.abs(x) < 1e6);
const algorithm = () => algorithmOf(state.algorithm);
const preset = () => algorithm().presets[state.scene];

// A state by hand may name what there is not.
function mend() {
  state.algorithm = algorithm().id;
  if (!algorithm().presets[state.scene]) state.scene = state.preset = 0;
  if (state.preset !== -1 && state.preset !== state.scene) state.preset = state.scene;
  if (!state.things.every(finite) || !algorithm().valid(state.things, state)) {
    state.preset = state.scene;
    state.things = copy(preset().things);
  }
  if (!state.before.every(finite) || state.algorithm !== 'sweep' || !algorithm().valid(state.before, state)) state.before = [];
  state.zoom = Math.min(Math.max(state.zoom, 0.3), 5);
}

const engine = Engine.start();
const camera = {};
const sketch = new Sketch(element('board'), camera);
const panel = new Panel(element('chart'));
const times = {worker: 0, show: 0};
let frames = [], answer = null;
let chosen = 0; // the thing that keys move
let asked = 0;

const last = () => Math.max(0, frames.length - 1);
const stepper = wireStepper(state, last, show);
const flat = () => Boolean(algorithm().alwaysFlat) || answer?.dimension === 2 || Boolean(preset().flat);

function fit() {
  Object.assign(camera, flat() ? {azimuth: -Math.PI / 2, elevation: Math.PI / 2} : {azimuth: state.azimuth, elevation: state.elevation}, {zoom: state.zoom});
  sketch.hold(algorithm().hold(state), flat());
}

function redraw() {
  sketch.refresh();
  panel.refresh();
}

function drawBoth() {
  const picture = () => ({state, frames, frame: frames[Math.min(state.step, last())]});
  sketch.draw = () => { if (frames.length > 0) algorithm().draw(sketch, picture()); };
  panel.draw = () => { if (frames.length > 0 && algorithm().chart && !answer.error) algorithm().chart(panel, picture()); };
}

/// Shows the present step, everywhere.
function show() {
  if (frames.length === 0) return;
  const start = performance.now();
  stepper.refresh(() => `${state.step + 1}/${frames.length}`, () => algorithm().sentence(frames[state.step]));
  element('codes').replaceChildren(codeBox(algorithm().name, algorithm().code({answer}), frames[state.step].line));
  writeState(state);
  redraw();
  times.show = performance.now() - start;
}

function showAnswer() {
  const rows = answer.error ? [['error', answer.error]] : algorithm().rows(answer, state);
  const {steps, trees, ...rest} = answer;
  fillRows(element('answer'), rows.map(([name, value], i) => ({cells: [name, `${value}`], values: i === 0 ? rest : undefined})));
}

/// Asks anew; `keep`: stays at the answer if the page stood there.
async function look(keep = false) {
  const own = ++asked;
  const atEnd = keep && state.step >= last() && frames.length > 0;
  const question = algorithm().question(state);
  showLine(JSON.stringify(question));
  const result = await engine.latest('manyLook', question);
  if (result === null || own !== asked) return;
  ({answer} = result);
  times.worker = result.milliseconds;
  frames = algorithm().frames(answer);
  if (atEnd) state.step = last();
  showAnswer();
  show();
}

const safely = (promise) => promise.catch((error) => showMessage(error.message));

// Labels, legend, words and presets of the algorithm.
function arrange() {
  const {name, board, chart, chartName, presets, about, docs, marks, words} = algorithm();
  element('algorithm').value = algorithm().id;
  element('board-label').textContent = board;
  element('chart-label').textContent = chartName ?? '';
  element('chart').parentElement.hidden = !chart;
  element('views').classList.toggle('one', !chart);
  element('preset').replaceChildren(new Option('things of your own', -1), ...presets.map((one, i) => new Option(one.name, i)));
  element('preset').value = state.preset;
  element('why').textContent = state.preset < 0 ? '' : presets[state.preset].why;
  const link = document.createElement('a');
  link.href = `docs/${docs}.html`;
  link.textContent = `More about it: ${name.toLowerCase()}`;
  element('about').replaceChildren(`${about} `, link);
  fillLegend(marks);
  fillWords(words);
}

function refresh() {
  [frames, answer] = [[], null]; // those of other things do not fit these
  mend();
  arrange();
  fit();
  return look().then(() => { fit(); redraw(); });
}

function choose(id, index) {
  stepper.play(false);
  chosen = 0;
  Object.assign(state, {algorithm: id, scene: index, preset: index, things: copy(algorithmOf(id).presets[index].things), before: [], step: 0, zoom: 1});
  safely(refresh());
}

function move(held, way) {
  algorithm().pull(state, held, way, flat());
  state.preset = -1;
  element('preset').value = -1;
  element('why').textContent = '';
  safely(look(true));
}

function wireControls() {
  element('algorithm').replaceChildren(...algorithms.map(({id, name}) => new Option(name, id)));
  element('algorithm').addEventListener('change', () => choose(element('algorithm').value, 0));
  element('preset').addEventListener('change', () => {
    const index = Number(element('preset').value);
    if (index >= 0) choose(state.algorithm, index);
  });
  const nudge = (x, y) => () => move(chosen, add(scale(sketch.right, kNudge * x), sketch.up, kNudge * y));
  const count = () => algorithm().places?.(state) ?? state.things.length;
  wireKeys({...stepper.keys, a: nudge(-1, 0), d: nudge(1, 0), w: nudge(0, 1), s: nudge(0, -1), t: () => { chosen = (chosen + 1) % count(); }});
  wireLine();
}

// A hand on a thing moves it; beside them it turns the view.
const grab = (x, y, reach) => {
  const held = frames.length > 0 ? algorithm().grab(sketch, state, x, y, reach) : -1;
  if (held >= 0) chosen = held;
  return held;
};

function pull(held, dx, dy) {
  if (held >= 0) return move(held, sketch.toSpace(dx, dy));
  if (flat()) return undefined;
  state.azimuth -= dx / 120;
  state.elevation = Math.min(Math.max(state.elevation + dy / 120, -1.55), 1.55);
  Object.assign(camera, {azimuth: state.azimuth, elevation: state.elevation});
  writeState(state);
  return redraw();
}

if (engine) {
  wireControls();
  drawBoth();
  wireHands(sketch.canvas, {grab, pull, drop: () => { fit(); redraw(); },
    zoom: (factor) => {
      state.zoom = camera.zoom = Math.min(Math.max(state.zoom * factor, 0.3), 5);
      writeState(state);
      redraw();
    }});
  const {step} = state;
  engine.ready.then(refresh).then(() => stepper.goTo(step)).catch((error) => showMessage(error.message));
}
globalThis.tactusPage = {state, engine, sketch, times, algorithms, get frames() { return frames; }, get answer() { return answer; },
  /// Sets things as a hand would, for those who use the page by program.
  set: (more) => { Object.assign(state, more); return refresh(); }};
