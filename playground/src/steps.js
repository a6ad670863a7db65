// See it think: the steps of an algorithm on two bodies and on their difference.
import {Engine} from './engine.js';
import {element, fillLegend, fillRows, readState, setPressed, showLine, showMessage, wireKeys, wireLine, writeState} from './shell.js';
import {turnProduct} from './space/poses.js';
import {drawBrackets} from './steps/bracket.js';
import {colours, drawFrame, drawOnBodies, drawSphere, marks} from './steps/draw_step.js';
import {wireHands} from './steps/hands.js';
import {codeOf, framesOf, lineOf, methodOf, methods, stageName} from './steps/methods.js';
import {defaults, presets, shapesOf} from './steps/presets.js';
import {codeBox, fillGroups, fillWords} from './steps/panel.js';
import {add, scale, Sketch, sub, Surface, unit} from './steps/sketch.js';
import {wireStepper} from './steps/stepper.js';
import {glossary, number, sentence} from './steps/words.js';

const kTolerance = 1e-6; // of the brackets asked for: steps beyond it look alike
const kSpin = [0, 0, 2.5]; // of A, on the way of an impact
const kRunColours = ['#2f6fde', '#9b3d7d'];
const kNudge = 0.05;
const kTurn = 0.1;
const kArrowRoom = 0.4; // about the origin, for the arrow of a direction and its name, by the reach of a picture

const scaled = (list, factor) => list.map((x) => factor * x);
const finite = (list, count) => list.length === count && list.every((x) => Number.isFinite(x) && Math.abs(x) < 1e6);
const state = readState({...defaults, ...presets[0].state});
for (const [name, count] of [['at', 3], ['to', 3], ['way', 3], ['turnA', 4], ['turnB', 4]]) if (!finite(state[name], count)) state[name] = defaults[name];
for (const name of ['turnA', 'turnB']) state[name] = scaled(state[name], 1 / (Math.hypot(...state[name]) || 1));
state.zoom = Math.min(Math.max(state.zoom, 0.3), 5);

const engine = Engine.start();
const camera = {};
const sketches = {bodies: new Sketch(element('bodies'), camera), first: new Sketch(element('first'), camera), second: new Sketch(element('second'), camera)};
let surfaces = null; // of the bodies and their differences, at the origin
let runs = []; // {method, answer, frames} of one or two methods
let truth = null, sphere = null, proofs = [];
let chosen = 'b'; // the body that keys move
let turning = false;
let asked = 0, proving = 0;
const times = {worker: 0, show: 0};

const shapes = () => shapesOf(state.flat);
const shape = (name) => shapes()[name] ?? Object.values(shapes())[0];
const chosenMethods = () => [methodOf(state.method), ...(state.other ? [methodOf(state.other)] : [])];
const last = () => Math.max(0, ...runs.map(({frames}) => frames.length - 1));
const stepOf = ({frames}) => Math.min(state.step, frames.length - 1);
const stepper = wireStepper(state, last, show);
const moves = () => chosenMethods().some(({ask}) => ask);
const showsWay = () => chosenMethods().some(({ask, along}) => ask || along);

function query() {
  return {a: shape(state.a), pose_a: {position: state.at, quaternion: state.turnA}, b: shape(state.b), pose_b: {position: state.to, quaternion: state.turnB},
    tolerance: kTolerance, ...(moves() ? {motion: motionOf(chosenMethods().find(({ask}) => ask).ask)} : {})};
}

function motionOf(ask) {
  return ask === 'cast' ? {a: state.way, b: [0, 0, 0]} : {a: {linear: state.way, angular: kSpin}, b: {linear: [0, 0, 0], angular: [0, 0, 0]}};
}

// One query of the page for each method; a motion only for those that ask for it.
function questions() {
  const {motion, ...placed} = query();
  return chosenMethods().map(({id, ask, method, more, along}) => ({...placed, ask: ask ?? 'distance', method: method ?? id, ...more, ...(along ? {ray: state.way} : {}),
    ...(ask ? {motion: motionOf(ask)} : {})}));
}

// The camera, and a scale that stays while a body is dragged.
function fit() {
  Object.assign(camera, state.flat ? {azimuth: -Math.PI / 2, elevation: Math.PI / 2} : {azimuth: state.azimuth, elevation: state.elevation}, {zoom: state.zoom});
  if (!surfaces) return;
  const placed = ({points}, shift) => points.map((p) => add(p, shift));
  const way = showsWay() ? state.way : [0, 0, 0];
  const difference = placed(surfaces.bodies ?? surfaces.cores, sub(state.at, state.to));
  sketches.bodies.hold([...placed(surfaces.a, state.at), ...placed(surfaces.b, state.to), add(state.at, way)], state.flat);
  const seen = [...difference, [0, 0, 0], moves() ? scale(way, -1) : [0, 0, 0]];
  for (const sketch of [sketches.first, sketches.second]) {
    sketch.hold(seen, state.flat);
    const r = kArrowRoom * sketch.reach;
    sketch.hold([...seen, [r, 0, 0], [-r, 0, 0], [0, r, 0], [0, -r, 0]], state.flat);
  }
}

function draw() {
  for (const sketch of Object.values(sketches)) sketch.refresh();
}

function drawBodies(sketch) {
  if (!surfaces) return;
  const frame = runs[0]?.frames[stepOf(runs[0])];
  const order = [['a', state.at], ['b', state.to]];
  for (const [name, shift] of order) {
    sketch.surface(surfaces[name], {colour: colours[name], shift, opacity: 0.3});
    sketch.text(shift, name.toUpperCase(), colours[name], [-5, 5]);
  }
  if (moves()) {
    const at = frame?.ray?.time ?? (frame?.segment && frame.stage === 'impact' ? frame.lower : frame?.answer?.time);
    const moved = runs[0]?.method.ask === 'impact' && Number.isFinite(at) ? surfaces.a.turned(kSpin[2] * at) : surfaces.a;
    if (Number.isFinite(at)) sketch.surface(moved, {colour: colours.a, shift: add(state.at, state.way, at), opacity: 0.1, lines: 0.5});
  }
  if (showsWay()) {
    sketch.arrow(state.at, add(state.at, state.way), {stroke: colours.a, width: 2.5});
    sketch.mark(add(state.at, state.way), 'diamond', colours.a, 6);
  }
  if (frame) drawOnBodies(sketch, frame, new Set());
}

function drawDifference(sketch, run) {
  if (!surfaces || !run) return;
  const shift = sub(state.at, state.to);
  const frame = run.frames[stepOf(run)];
  const whole = surfaces.bodies !== null && frame.radii === 0;
  if (surfaces.bodies) sketch.surface(surfaces.bodies, {colour: colours.difference, shift, opacity: whole ? 0.16 : 0.07, lines: whole ? 0.8 : 0.35});
  if (!whole) sketch.surface(surfaces.cores, {colour: colours.difference, shift, opacity: 0.16, lines: 0.8});
  drawFrame(sketch, run.frames, stepOf(run), {size: sketch.reach, reach: 2 * sketch.reach}, new Set());
  if (sphere && state.sphere) drawSphere(sketch, sphere, run.frames, stepOf(run));
}

function showCode() {
  element('codes').replaceChildren(...runs.map((run) => {
    const index = stepOf(run);
    const frame = run.frames[index];
    return codeBox([...new Set([run.method.name, stageName(frame.stage)])].join(': '), codeOf(frame.stage), lineOf(frame, run.frames[index - 1]));
  }));
}

function answerText({answer}) {
  if (answer.error) return answer.error;
  if (answer.status === 'unsupported') return 'not served';
  if (answer.hit !== undefined) return answer.hit === true ? `t = ${number(answer.time)}` : answer.hit === false ? 'no contact' : 'undecided';
  return number(answer.distance);
}

// Depths of MPR: the letter at the arrow and where it stands, the row's name, the way out of A − B.
function depthsOf({literal}, portal) {
  if (!literal?.overlap || !portal?.overlap) return null;
  return [{letter: 'r', beside: [10, -8], name: 'r: along its ray', depth: portal.ray_upper, way: scale(portal.ray, portal.ray_upper)},
    {letter: 'v', beside: [-2, -12], name: 'v: along A’s motion', depth: literal.ray_upper, way: scale(literal.ray, literal.ray_upper)},
    {letter: 'p', beside: [10, 14], name: 'p: by the portal’s normal', depth: portal.normal_depth, way: scale(portal.normal, portal.normal_depth)}];
}

// Rows of what the published forms say, which nothing proves.
function literalRows(row) {
  const rows = [];
  if (runs.some(({answer: {literal}}) => literal?.distance !== undefined)) {
    rows.push(row('as printed', ({answer: {literal}}) => (literal?.distance === undefined ? '–' : literal.collision ? number(literal.distance) : `no contact (${number(literal.distance)})`),
      runs.map(({answer}) => answer.literal ?? null)));
  }
  const {depths} = runs.find((run) => run.depths) ?? {};
  depths?.forEach(({name}, i) => rows.push(row(name, (run) => (run.depths ? number(-run.depths[i].depth) : '–'), runs.map((run) => run.depths?.[i].depth ?? null))));
  return rows;
}

function showAnswers() {
  const row = (name, text, values) => ({cells: [name, ...runs.map(text)], values});
  const width = ({answer: {lower, upper, time, time_upper: end}}) => {
    const w = time === undefined ? upper - lower : end - time;
    return Number.isFinite(w) ? w.toExponential(1) : 'unbounded';
  };
  fillRows(element('answer'), [
    row('', ({method}) => method.name),
    row(moves() ? 'answer' : 'distance', answerText, runs.map(({answer: {steps, ...rest}}) => rest)),
    row('width', width),
    ...literalRows(row),
    row('effort', ({answer}) => (answer.iterations === undefined ? '–' : `${answer.iterations}`)),
    row('time', (run, i) => (proofs[i]?.microseconds ? `${proofs[i].microseconds.toPrecision(2)} µs` : '…')),
    row('proved anew', (run, i) => (proofs[i] ? (proofs[i].ok ? `yes${proofs[i].certificate && proofs[i].certificate !== 'none' ? ` (${proofs[i].certificate})` : ''}` : `no: ${proofs[i].failure}`) : '…')),
  ]);
}

/// Shows the present step, everywhere.
function show() {
  const start = performance.now();
  stepper.refresh(() => runs.map((run) => `${stepOf(run) + 1}/${run.frames.length}`).join(' · '),
    () => runs.map((run) => `${runs.length > 1 ? `${run.method.name}: ` : ''}${sentence(run.frames[stepOf(run)])}`).join('\n'));
  showCode();
  drawBrackets(element('bracket'), runs.map((run, i) => ({name: run.method.name, frames: run.frames, step: stepOf(run), colour: kRunColours[i]})), moves() ? null : truth?.distance);
  writeState(state);
  draw();
  times.show = performance.now() - start;
}

// The checker's word, once the hand rests.
function proveLater() {
  clearTimeout(proving);
  proofs = [];
  const own = asked;
  proving = setTimeout(async () => {
    const found = await engine.call('stepsProof', questions());
    if (own !== asked) return;
    proofs = found;
    showAnswers();
  }, 150);
}

/// Asks anew after a change of the bodies or methods; `keep`: stays at the step.
async function look(keep = false) {
  const own = ++asked;
  showLine(questions().map((line, i) => JSON.stringify({id: chosenMethods()[i].id, ...line, steps: true})).join('\n'));
  const chosenNow = chosenMethods();
  const result = await engine.latest('stepsLook', questions(), state.sphere);
  if (result?.picture) surfaces = Object.fromEntries(Object.entries(result.picture).map(([name, value]) => [name, value && new Surface(value)]));
  if (result === null || own !== asked) return;
  ({truth, sphere} = result);
  times.worker = result.milliseconds;
  const atEnd = keep && state.step >= last() && runs.length > 0;
  runs = result.answers.map((answer, i) => ({method: chosenNow[i], answer, frames: framesOf(answer), depths: depthsOf(answer, result.portals[i])}));
  for (const {frames, depths} of runs) frames.at(-1).depths = depths;
  if (atEnd) state.step = last();
  proveLater();
  showAnswers();
  show();
}

const safely = (promise) => promise.catch((error) => showMessage(error.message));

// The second method stands beside the first: more views, more labels.
function arrange() {
  const [one, other] = chosenMethods();
  element('first-label').textContent = `A − B: ${one.name}`;
  element('second-label').textContent = other ? `A − B: ${other.name}` : '';
  element('second-view').hidden = !other;
  element('views').classList.toggle('two', Boolean(other));
  setPressed('space', !state.flat);
  setPressed('plane', state.flat);
  const about = element('about');
  about.replaceChildren(...[one, other].filter(Boolean).flatMap((method) => {
    const link = document.createElement('a');
    link.href = `docs/${method.docs}.html`;
    link.textContent = 'More';
    return [`${method.name}: ${method.about} `, link, ' '];
  }));
  const why = presets[state.preset];
  element('why').textContent = why ? why.why : '';
  if (why?.page) {
    const link = document.createElement('a');
    link.href = `docs/${why.page}.html`;
    link.textContent = 'The right form';
    element('why').append(' ', link);
  }
}

function fillShapes() {
  for (const [id, name] of [['shape-a', 'a'], ['shape-b', 'b']]) {
    if (!(state[name] in shapes())) state[name] = Object.keys(shapes())[name === 'a' ? 0 : 1];
    element(id).replaceChildren(...Object.keys(shapes()).map((key) => new Option(key, key)));
    element(id).value = state[name];
  }
}

function refresh() {
  fillShapes();
  element('preset').value = state.preset;
  element('method').value = methodOf(state.method).id;
  element('other').value = state.other ? methodOf(state.other).id : '';
  element('sphere').checked = state.sphere;
  arrange();
  fit();
  return look().then(() => { fit(); draw(); });
}

function changed() { // the bodies are no longer those of the preset
  state.preset = -1;
  element('preset').value = -1;
  element('why').textContent = '';
}

function setFlat(flat) {
  const {azimuth, elevation, zoom, sphere: painted} = state;
  const start = presets.findIndex(({state: s}) => Boolean(s.flat) === flat);
  Object.assign(state, defaults, presets[start].state, {flat, preset: start, azimuth, elevation, zoom, sphere: painted});
  return refresh();
}

function turnBody(body, axis, angle) {
  const [x, y, z] = scale(unit(axis), Math.sin(angle / 2));
  const turned = turnProduct([Math.cos(angle / 2), x, y, z], body === 'a' ? state.turnA : state.turnB);
  state[body === 'a' ? 'turnA' : 'turnB'] = scaled(turned, 1 / Math.hypot(...turned));
}

function moveBody(body, way) {
  const name = body === 'a' ? 'at' : 'to';
  state[name] = add(state[name], way);
}

function fillChoices() {
  element('preset').append(new Option('bodies of your own', -1));
  fillGroups(element('preset'), presets, (_, i) => i);
  fillGroups(element('method'), methods, ({id}) => id);
  element('other').append(new Option('nothing', ''));
  fillGroups(element('other'), methods, ({id}) => id);
  fillLegend(Object.values(marks));
  fillWords(glossary);
}

function wireControls() {
  const on = (id, event, act) => element(id).addEventListener(event, act);
  on('preset', 'change', () => {
    const index = Number(element('preset').value);
    if (index < 0) return changed();
    stepper.play(false);
    const {azimuth, elevation, zoom, sphere: painted} = state;
    Object.assign(state, defaults, presets[index].state, {preset: index, azimuth, elevation, zoom, sphere: painted});
    safely(refresh());
  });
  for (const id of ['method', 'other']) {
    on(id, 'change', () => {
      stepper.play(false);
      state[id] = element(id).value;
      state.step = 0;
      safely(refresh());
    });
  }
  for (const [id, name] of [['shape-a', 'a'], ['shape-b', 'b']]) {
    on(id, 'change', () => { state[name] = element(id).value; changed(); safely(refresh()); });
  }
  on('space', 'click', () => safely(setFlat(false)));
  on('plane', 'click', () => safely(setFlat(true)));
  const setTurning = (turn) => { turning = turn; setPressed('turn', turn); setPressed('move', !turn); };
  on('move', 'click', () => setTurning(false));
  on('turn', 'click', () => setTurning(true));
  on('sphere', 'change', () => { state.sphere = element('sphere').checked; safely(look(true)); });
  const nudge = (x, y) => () => {
    const {right, up} = sketches.bodies;
    moveBody(chosen, add(scale(right, kNudge * x), up, kNudge * y));
    changed();
    safely(look(true));
  };
  const twist = (sign) => () => { turnBody(chosen, sketches.bodies.toEye, sign * kTurn); changed(); safely(look(true)); };
  wireKeys({...stepper.keys,
    a: nudge(-1, 0), d: nudge(1, 0), w: nudge(0, 1), s: nudge(0, -1), q: twist(1), e: twist(-1), t: () => { chosen = chosen === 'a' ? 'b' : 'a'; }});
  wireLine();
}

// A hand on the bodies moves or turns one of them, or the tip of A's way; beside them, and on the differences, it turns the view.
function grab(sketch, x, y, reach) {
  if (sketch !== sketches.bodies || !surfaces) return 'view';
  if (showsWay()) {
    const [u, v] = sketch.toCanvas(add(state.at, state.way));
    if (Math.hypot(u - x, v - y) < reach + 8) return 'way';
  }
  const depth = (name, shift) => sketch.pick(surfaces[name], shift, x, y) ?? -Infinity;
  const [a, b] = [depth('a', state.at), depth('b', state.to)];
  if (a === -Infinity && b === -Infinity) return 'view';
  chosen = a > b ? 'a' : 'b';
  return chosen;
}

function pull(sketch, held, dx, dy) {
  if (held === 'view') {
    if (state.flat) return;
    state.azimuth -= dx / 120;
    state.elevation = Math.min(Math.max(state.elevation + dy / 120, -1.55), 1.55);
    Object.assign(camera, {azimuth: state.azimuth, elevation: state.elevation});
    writeState(state);
    return draw();
  }
  if (held === 'way') {
    state.way = add(state.way, sketch.toSpace(dx, dy));
  } else if (!turning) {
    moveBody(held, sketch.toSpace(dx, dy));
  } else if (state.flat) {
    turnBody(held, [0, 0, 1], -dx / 80);
  } else {
    turnBody(held, add(scale(sketch.up, dx), sketch.right, dy), Math.hypot(dx, dy) / 80);
  }
  changed();
  safely(look(true));
}

if (engine) {
  fillChoices();
  wireControls();
  sketches.bodies.draw = drawBodies;
  sketches.first.draw = (sketch) => drawDifference(sketch, runs[0]);
  sketches.second.draw = (sketch) => drawDifference(sketch, runs[1]);
  for (const sketch of Object.values(sketches)) {
    wireHands(sketch.canvas, {grab: (x, y, reach) => grab(sketch, x, y, reach), pull: (held, dx, dy) => pull(sketch, held, dx, dy),
      drop: () => { fit(); draw(); },
      zoom: (factor) => {
        state.zoom = camera.zoom = Math.min(Math.max(state.zoom * factor, 0.3), 5);
        writeState(state);
        draw();
      }});
  }
  const step = state.step;
  engine.ready.then(refresh).then(() => stepper.goTo(step)).catch((error) => showMessage(error.message));
}
globalThis.tactusPage = {state, engine, sketches, times, get runs() { return runs; }, get proofs() { return proofs; },
  /// Places bodies and methods as a hand would, for those who use the page by program.
  set: (more) => { Object.assign(state, more); return refresh(); }};
