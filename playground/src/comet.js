// Comet and lander: any number of regions, the exact verdict beside the source's literal one; at rest, and as they fall.
import {Engine} from './engine.js';
import {Board} from './plane/board.js';
import {castOutlines, ownColours} from './plane/cast.js';
import {boxOf, isInside} from './plane/outlines.js';
import {Pen} from './plane/pen.js';
import {openPhoto} from './plane/photo.js';
import {element, fillLegend, fillRows, readState, setPressed, showHint, showLine, showMessage, wireKeys, wireLine, wireRange, writeState} from './shell.js';
import {theme} from './theme.js';

fillLegend([
  ['disc', '#cc3311', 'centroid: moves the body'],
  ['disc', '#f5c400', 'turns it'],
  ['line', '#cc3311', 'least translation that parts them; dashed: least distance'],
  ['square', '#009988', 'contact, and the normal there; a line joins those of one stretch'],
  ['disc', '#0077bb', 'active points (Debug)'],
  ['line', '#7fa8ee', 'test rays that hit, with a magenta point (Debug)'],
  ['line', '#ee7733', 'thick outline: the verdicts disagree'],
]);

const kLower = [-6, -4.2];
const kUpper = [6, 4.2];
const kMostBodies = 8;
const kMargin = 0.01; // units: contacts are told from this gap on, as the worker does
const kBegin = [[0, -1, -0.6, 0], [1, 2.6, 2.6, 0.2]];
const kDrawHint = 'Drag an outline in one go, or press corner after corner and end at the first one.';

const state = readState({bodies: kBegin, chosen: 0, debug: false, literal: true, hold: true, gravity: 4, friction: 0.5, restitution: 0.4, own: [], photo: ''});
for (const [name, high] of [['gravity', 20], ['friction', 1.5], ['restitution', 1]]) state[name] = Math.min(Math.max(Number(state[name]) || 0, 0), high);
// Outlines of one's own, from the page Digitise or drawn by hand; bodies call them -1, -2, ...
const isPoint = (p) => Array.isArray(p) && p.length === 2 && p.every((x) => Number.isFinite(x) && Math.abs(x) < 1e3);
const isContour = (list) => Array.isArray(list) && list.length >= 3 && list.every(isPoint);
if (!state.own.every((o) => isContour(o?.outer) && Array.isArray(o.holes) && o.holes.every(isContour))) state.own = [];
const ownOutline = ({name, outer, holes, box}, i) => ({name: String(name), colour: ownColours[i % ownColours.length], points: outer, holes,
  box: isPoint(box?.lower) && isPoint(box?.upper) ? box : null});
const own = state.own.map(ownOutline);
const outlineOf = (kind) => (kind < 0 ? own[-1 - kind] : castOutlines[kind]);
const wellFormed = (b) => Array.isArray(b) && b.length === 4 && b.every(Number.isFinite) && Number.isInteger(b[0]) && outlineOf(b[0]) &&
  Math.abs(b[3]) < 1e5;
if (!state.bodies.every(wellFormed) || state.bodies.length < 2 || state.bodies.length > kMostBodies) state.bodies = kBegin;
let photo = null; // the picture that own outlines were traced in
let masses = [];
let verdicts = [];
let fall = null; // while bodies fall: {start, time, kineticEnergy}
let begun = null; // bodies where the last fall began

const engine = Engine.start();
const board = new Board(element('canvas'), kLower, kUpper);
const pen = new Pen(board, {done: (points) => safely(takeDrawn(points)),
  change: (on) => { setPressed('draw', on); showHint(on ? kDrawHint : ''); }});
const safely = (promise) => promise?.catch?.((error) => showMessage(error.message));
const nameOf = (i) => `${i + 1} ${outlineOf(state.bodies[i][0]).name}`;
const poseOf = (i) => state.bodies[i].slice(1);
const held = () => (state.hold ? [0] : []);

function place(i, [x, y]) {
  const [, px, py, angle] = state.bodies[i];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [px + c * x - s * y, py + s * x + c * y];
}
function placeBack(i, [x, y]) {
  const [, px, py, angle] = state.bodies[i];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c * (x - px) + s * (y - py), c * (y - py) - s * (x - px)];
}
const contoursOf = (i) => {
  const {points, holes = []} = outlineOf(state.bodies[i][0]);
  return [points, ...holes].map((contour) => contour.map((p) => place(i, p)));
};
const centroid = (i) => place(i, masses[i].centroid);
const turner = (i) => {
  const [x, y] = masses[i].centroid;
  return place(i, [x + 0.75 * masses[i].radius, y]);
};
const pairOf = () => verdicts.find(({i, k}) => i === state.chosen || k === state.chosen) ?? verdicts[0];
const disagree = ({exact, literal}) => state.literal && exact.overlap !== literal.collision;

// The pair of the chosen body, asked for its overlap and for its contacts.
function lines() {
  const pair = pairOf();
  if (!pair) return '';
  const region = (i) => {
    const {points, holes = []} = outlineOf(state.bodies[i][0]);
    return {type: 'region', outer: points, ...(holes.length > 0 ? {holes} : {})};
  };
  const both = {id: `${nameOf(pair.i)}, ${nameOf(pair.k)}`, a: region(pair.i), pose_a: poseOf(pair.i), b: region(pair.k), pose_b: poseOf(pair.k)};
  return [{...both, ask: 'overlap', ...(state.literal ? {method: 'literal'} : {})}, {...both, ask: 'contacts', threshold: kMargin}]
    .map((line) => JSON.stringify(line)).join('\n');
}

const short = (x) => (x === 0 || x >= 1e-4 ? x.toFixed(5) : x.toExponential(1));

function exactText({overlap, distance, lower, upper}) {
  const width = upper - lower;
  return `${overlap ? 'collision, depth' : 'apart by'} ${short(Math.abs(distance))} (bracket ${width.toExponential(0)} wide)`;
}

function summary() {
  const wrong = verdicts.filter(disagree).length;
  const tests = (name) => verdicts.reduce((sum, {literal}) => sum + literal[name], 0);
  const falling = fall ? `Falling for ${fall.time.toFixed(2)} s, kinetic energy ${fall.kineticEnergy.toPrecision(3)}. ` : '';
  if (!state.literal) return falling;
  return `${falling}${wrong === 0 ? 'The literal rules agree here.' : `The literal rules are wrong for ${wrong} of ${verdicts.length} pairs.`}` +
    ` Their ray tests: ${tests('tests_all')} in all, ${tests('tests_after_circles')} where circles meet, ${tests('tests_made')} after culling.`;
}

function show() {
  const literalText = ({collision, hits}) => (collision ? `collision, ${hits.length} rays` : 'none');
  fillRows(element('verdicts'), verdicts.map((pair) => ({
    cells: [`${pair.i + 1}, ${pair.k + 1}`, exactText(pair.exact), String(pair.contacts.length), ...(state.literal ? [literalText(pair.literal)] : [])],
    differs: disagree(pair),
    values: {i: pair.i, k: pair.k, ...pair.exact, contacts: pair.contacts, literal: pair.literal.collision},
  })));
  element('literal-head').hidden = !state.literal;
  element('summary').textContent = summary();
  element('chosen').textContent = `Item: ${nameOf(state.chosen)}`;
  element('command').textContent = 'tactus planar query -';
  element('back').disabled = begun === null;
  element('take').disabled = begun === null;
  setPressed('debug', state.debug);
  setPressed('fall', fall !== null);
  showLine(lines());
  writeState(state);
  board.refresh();
}

function drawBody(i, lit) {
  const {outline, ink, orange, tint, frame} = theme();
  const {colour: fill, box} = outlineOf(state.bodies[i][0]);
  const contours = contoursOf(i);
  board.fill(contours, `${fill}${tint}`);
  if (photo && box) board.imageWithin(contours, photo, box, (p) => place(i, p));
  const colour = lit ? orange : i === state.chosen ? ink : outline;
  for (const contour of contours) board.line(contour, {colour, width: lit ? 5 : i === state.chosen ? 2.5 : 1.5, closed: true});
  if (!state.debug) return;
  board.disc(centroid(i), masses[i].radius, {stroke: frame, width: 1, dash: [5, 5]});
  contours.flat().forEach((point) => board.dot(point, 2.5, outline));
}

// Contacts with their normals; those of one stretch are joined.
function drawContacts(contacts) {
  const {teal, paper} = theme();
  const middle = ({pointA: [x, y], pointB: [u, v]}) => [(x + u) / 2, (y + v) / 2];
  contacts.forEach((contact, n) => {
    const at = middle(contact);
    const before = contacts[n - 1];
    if (before?.stretch === contact.stretch) board.line([middle(before), at], {colour: teal, width: 4});
    board.arrow(at, [at[0] + 0.35 * contact.normal[0], at[1] + 0.35 * contact.normal[1]], teal, 2);
  });
  contacts.forEach((contact) => board.square(middle(contact), 5, teal, paper));
}

board.draw = () => {
  if (masses.length !== state.bodies.length) return;
  const {red, yellow, ink, frame, paper} = theme();
  board.grid();
  board.line([kLower, [kUpper[0], kLower[1]], kUpper, [kLower[0], kUpper[1]]], {colour: frame, width: fall ? 3 : 1, closed: true});
  const lit = new Set(verdicts.filter(disagree).flatMap(({i, k}) => [i, k]));
  state.bodies.forEach((_, i) => drawBody(i, lit.has(i)));
  if (state.debug) drawRays();
  for (const {exact, contacts} of verdicts) {
    board.line([exact.pointA, exact.pointB], {colour: red, width: exact.overlap ? 4 : 1.5, dash: exact.overlap ? [] : [4, 4]});
    board.dot(exact.pointA, 3.5, red);
    board.dot(exact.pointB, 3.5, red);
    drawContacts(contacts);
  }
  state.bodies.forEach((_, i) => {
    board.dot(centroid(i), 8, red, paper);
    board.dot(turner(i), 7, yellow, ink);
    board.text(centroid(i), `${i + 1}`, ink, [11, -9]);
  });
  pen.draw(ink);
};

// Where radii meet: the active points of the chosen body, and its test rays.
function drawRays() {
  const {blue, magenta, ray} = theme();
  for (const {i, k, literal} of verdicts) {
    const role = state.chosen === i ? 0 : state.chosen === k ? 1 : -1;
    if (role < 0) continue;
    const start = centroid(state.chosen);
    for (const {body, place: at} of literal.active) {
      if (body !== role) continue;
      board.line([start, at], {colour: `${blue}44`, width: 1});
      board.dot(at, 4, blue);
    }
    for (const hit of literal.hits) {
      if (hit.initiator !== role) continue;
      board.line([hit.from, hit.to], {colour: ray, width: 2});
      board.dot(hit.place, 4, magenta);
    }
  }
}

async function look() {
  const answer = await engine.latest('verdicts', state.bodies.map((_, i) => poseOf(i)));
  if (answer === null || fall || answer.length !== (state.bodies.length * (state.bodies.length - 1)) / 2) return;
  verdicts = answer;
  show();
}

async function rebuild() {
  await setFalling(false);
  begun = null;
  state.chosen = Math.min(Math.max(0, Math.floor(state.chosen)), state.bodies.length - 1);
  verdicts = [];
  masses = await engine.call('setRegions', state.bodies.map(([kind]) => outlineOf(kind)));
  await look();
}

function change(i, dx, dy, turn) {
  if (fall) return;
  const body = state.bodies[i];
  // Turned about the centroid.
  const before = centroid(i);
  body[3] += turn;
  const after = centroid(i);
  body[1] = Math.min(Math.max(body[1] + before[0] - after[0] + dx, -9), 9);
  body[2] = Math.min(Math.max(body[2] + before[1] - after[1] + dy, -9), 9);
  look();
}

function grab(point, reach) {
  if (pen.active) {
    pen.press(point);
    return {pen};
  }
  const near = (at) => Math.hypot(at[0] - point[0], at[1] - point[1]) < reach;
  const all = state.bodies.map((_, i) => i).reverse();
  const handle = all.find((i) => near(centroid(i)) || near(turner(i)));
  const i = handle ?? all.find((body) => isInside(contoursOf(body), point));
  if (i === undefined) return null;
  state.chosen = i;
  if (fall) return held().includes(i) ? {} : {i, pulling: placeBack(i, point)};
  const start = centroid(i);
  if (handle !== undefined && !near(start)) return {i, turning: true};
  return {i, offset: [start[0] - point[0], start[1] - point[1]]};
}

function follow({i, offset, turning, pulling, pen: drawing}, [x, y]) {
  if (drawing) return pen.drag([x, y]);
  if (i === undefined) return;
  if (pulling) return fall && safely(engine.call('actFall', {do: 'pull', body: i + 1, point: [...pulling, 0], to: [x, y, 0]}));
  const at = centroid(i);
  if (!turning) return change(i, x + offset[0] - at[0], y + offset[1] - at[1], 0);
  const now = turner(i);
  const [a, b] = [Math.atan2(now[1] - at[1], now[0] - at[0]), Math.atan2(y - at[1], x - at[0])];
  change(i, 0, 0, Math.atan2(Math.sin(b - a), Math.cos(b - a)));
}

function drop({pulling, pen: drawing}) {
  if (drawing) pen.lift();
  if (pulling && fall) safely(engine.call('actFall', {do: 'release'}));
}

// A drawn outline becomes a body where it was drawn.
async function takeDrawn(points) {
  if (state.bodies.length >= kMostBodies) return showMessage(`At most ${kMostBodies} bodies`);
  const {lower, upper} = boxOf([points]);
  const middle = [0, 1].map((k) => Math.round(5000 * (lower[k] + upper[k])) / 1e4);
  const outer = points.map((p) => p.map((x, k) => Math.round((x - middle[k]) * 1e4) / 1e4));
  const [wrong] = await engine.call('problems', [{outer, holes: []}]);
  if (wrong) return showMessage(`The outline is no body: ${wrong}`);
  showMessage('');
  const drawn = {name: 'drawn', outer, holes: []};
  state.own.push(drawn);
  own.push(ownOutline(drawn, own.length));
  state.bodies.push([-own.length, ...middle, 0]);
  state.chosen = state.bodies.length - 1;
  await rebuild();
}

function showFall(frame) {
  if (!fall) return;
  frame.poses.forEach((pose, i) => state.bodies[i].splice(1, 3, ...pose));
  Object.assign(fall, {time: frame.time, kineticEnergy: frame.kineticEnergy});
  verdicts = frame.verdicts;
  show();
  engine.call('drawnFall');
}

const laws = () => ({gravity: state.gravity, friction: state.friction, restitution: state.restitution});

async function setFalling(on) {
  if (on === (fall !== null)) return;
  if (!on) {
    const last = await engine.call('playFall', false);
    showFall(last);
    fall = null;
    return show();
  }
  begun = structuredClone(state.bodies);
  fall = {time: 0, kineticEnergy: 0};
  try {
    showFall(await engine.call('openFall', state.bodies.map((_, i) => poseOf(i)), held(), laws(), kLower, kUpper));
    await engine.call('playFall', true);
  } catch (error) {
    fall = null;
    show();
    throw error;
  }
}

async function goBack() {
  if (begun === null) return;
  await setFalling(false);
  state.bodies = structuredClone(begun);
  await look();
}

async function takeRun() {
  await setFalling(false);
  showLine(await engine.call('fallLine'));
  element('command').textContent = 'tactus live -';
}

const kActs = {
  debug: () => { state.debug = !state.debug; show(); },
  item: () => { state.chosen = (state.chosen + 1) % state.bodies.length; show(); },
  add: () => {
    if (state.bodies.length >= kMostBodies) return showMessage(`At most ${kMostBodies} bodies`);
    state.bodies.push([state.bodies.length % castOutlines.length, -3.5 + state.bodies.length, 2.5, 0]);
    return rebuild();
  },
  remove: () => {
    if (state.bodies.length <= 2) return showMessage('Two bodies at least');
    state.bodies.splice(state.chosen, 1);
    showMessage('');
    return rebuild();
  },
  draw: () => setFalling(false).then(() => pen.toggle()),
  fall: () => setFalling(fall === null),
  back: goBack,
  take: takeRun,
};

function setLaw(name, value) {
  state[name] = value;
  writeState(state);
  if (fall) safely(engine.call('actFall', {do: 'set', ...(name === 'gravity' ? {gravity: [0, -value, 0]} : {[name]: value})}));
}

if (engine) {
  engine.onframe = showFall;
  engine.ready.then(rebuild).catch((error) => showMessage(error.message));
  if (state.photo) openPhoto(state.photo).then((picture) => { photo = picture; board.refresh(); }, (error) => showMessage(error.message));
  board.onDrag({grab, move: follow, drop});
  const nudge = (...by) => () => change(state.chosen, ...by);
  const act = (name) => () => safely(kActs[name]());
  wireKeys({ArrowLeft: nudge(-0.05, 0, 0), ArrowRight: nudge(0.05, 0, 0), ArrowUp: nudge(0, 0.05, 0), ArrowDown: nudge(0, -0.05, 0),
    q: nudge(0, 0, 0.05), e: nudge(0, 0, -0.05), i: act('item'), d: act('debug'), ' ': act('fall'), b: act('back'),
    l: () => element('literal').click(), Enter: () => pen.finish(), Escape: () => pen.cancel()});
  for (const id of Object.keys(kActs)) element(id).addEventListener('click', act(id));
  for (const name of ['literal', 'hold']) {
    element(name).checked = state[name];
    element(name).addEventListener('change', () => {
      state[name] = element(name).checked;
      if (name === 'hold' && fall) safely(setFalling(false).then(() => setFalling(true)));
      else show();
    });
  }
  wireRange('gravity', state.gravity, (value) => setLaw('gravity', value), (value) => `${value} u/s²`);
  for (const name of ['friction', 'restitution']) wireRange(name, state[name], (value) => setLaw(name, value));
  wireLine();
}
globalThis.tactusPage = {state, board, engine, centroid, turner, pen, get verdicts() { return verdicts; }, get fall() { return fall; },
  /// Takes steps of the fall, for those who use the page by program: it does not wait for the clock.
  async stepFall(count) { showFall(await engine.call('stepFall', count)); }};
