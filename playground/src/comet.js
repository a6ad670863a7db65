// Comet and lander: any number of regions, the exact verdict beside the source's literal one.
import {Engine} from './engine.js';
import {Board} from './plane/board.js';
import {element, fillRows, readState, setPressed, showLine, showMessage, wireKeys, wireLine, writeState} from './shell.js';

const kLower = [-6, -4.2];
const kUpper = [6, 4.2];
const kMostBodies = 8;
const kOutlines = [
  {name: 'comet', colour: '#8d99a8', points: [[-2.9, 0.4], [-2.5, 1.5], [-1.4, 2.0], [-0.5, 1.5], [-0.1, 0.6], [0.5, 0.5], [1.0, 1.2], [2.0, 1.6],
    [3.2, 1.1], [3.7, 0.0], [3.3, -1.2], [2.2, -1.9], [0.9, -1.6], [0.2, -0.8], [-0.6, -0.9], [-1.4, -1.5], [-2.4, -1.0]]},
  {name: 'lander', colour: '#c39b4e', points: [[-0.45, 0.5], [0.45, 0.5], [0.55, 0.05], [1.1, -0.55], [0.95, -0.65], [0.35, -0.1], [0.1, -0.1],
    [0.1, -0.6], [-0.1, -0.6], [-0.1, -0.1], [-0.35, -0.1], [-0.95, -0.65], [-1.1, -0.55], [-0.55, 0.05]]},
  {name: 'clamp', colour: '#6fa58a', points: [[-1, -1], [1, -1], [1, 1], [0.6, 1], [0.6, -0.6], [-0.6, -0.6], [-0.6, 1], [-1, 1]]},
  {name: 'ridge', colour: '#a889b8', points: [[-1.4, 0.3], [-1, 0.3], [-0.8, -0.4], [-0.5, 0.3], [-0.1, 0.3], [0.1, -0.4], [0.4, 0.3], [0.8, 0.3],
    [1, -0.4], [1.4, 0.3], [1.4, -0.8], [-1.4, -0.8]]},
];

const kOwnColours = ['#7d8fae', '#b0875f', '#86a06a', '#a07a9c', '#6fa0a8', '#a8a06f'];

const state = readState({bodies: [[0, -1, -0.6, 0], [1, 2.6, 2.6, 0.2]], chosen: 0, debug: false, own: []});
// Outlines of one's own, from the page Digitise; bodies call them -1, -2, ...
const isContour = (list) => Array.isArray(list) && list.length >= 3 &&
  list.every((p) => Array.isArray(p) && p.length === 2 && p.every((x) => Number.isFinite(x) && Math.abs(x) < 1e3));
if (!state.own.every((o) => isContour(o?.outer) && Array.isArray(o.holes) && o.holes.every(isContour))) state.own = [];
const own = state.own.map(({name, outer, holes}, i) => ({name: String(name), colour: kOwnColours[i % kOwnColours.length], points: outer, holes}));
const outlineOf = (kind) => (kind < 0 ? own[-1 - kind] : kOutlines[kind]);
const wellFormed = (b) => Array.isArray(b) && b.length === 4 && b.every(Number.isFinite) && Number.isInteger(b[0]) && outlineOf(b[0]) &&
  Math.abs(b[3]) < 1e5;
if (!state.bodies.every(wellFormed) || state.bodies.length > kMostBodies) state.bodies = [[0, -1, -0.6, 0], [1, 2.6, 2.6, 0.2]];
let masses = [];
let verdicts = [];

const engine = Engine.start();
const board = new Board(element('canvas'), kLower, kUpper);
const nameOf = (i) => `${i + 1} ${outlineOf(state.bodies[i][0]).name}`;
const poseOf = (i) => state.bodies[i].slice(1);

function place(i, [x, y]) {
  const [, px, py, angle] = state.bodies[i];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [px + c * x - s * y, py + s * x + c * y];
}
const centroid = (i) => place(i, masses[i].centroid);
const turner = (i) => {
  const [x, y] = masses[i].centroid;
  return place(i, [x + 0.75 * masses[i].radius, y]);
};
const pairOf = () => verdicts.find(({i, k}) => i === state.chosen || k === state.chosen) ?? verdicts[0];
const disagree = ({exact, literal}) => exact.overlap !== literal.collision;

function line() {
  const pair = pairOf();
  if (!pair) return '';
  const region = (i) => {
    const {points, holes = []} = outlineOf(state.bodies[i][0]);
    return {type: 'region', outer: points, ...(holes.length > 0 ? {holes} : {})};
  };
  return JSON.stringify({id: `${nameOf(pair.i)}, ${nameOf(pair.k)}`, a: region(pair.i), pose_a: poseOf(pair.i), b: region(pair.k),
    pose_b: poseOf(pair.k), ask: 'overlap'});
}

function exactText({overlap, distance, lower, upper}) {
  const width = upper - lower;
  return `${overlap ? 'collision, depth' : 'apart by'} ${Math.abs(distance).toFixed(5)} (bracket ${width.toExponential(0)} wide)`;
}

function show() {
  fillRows(element('verdicts'), verdicts.map((pair) => ({
    cells: [`${pair.i + 1}, ${pair.k + 1}`, exactText(pair.exact), pair.literal.collision ? `collision, ${pair.literal.hits.length} rays` : 'none'],
    differs: disagree(pair),
    values: {i: pair.i, k: pair.k, ...pair.exact, literal: pair.literal.collision},
  })));
  const wrong = verdicts.filter(disagree).length;
  const tests = (name) => verdicts.reduce((sum, {literal}) => sum + literal[name], 0);
  element('summary').textContent = `${wrong === 0 ? 'The literal rules agree here.' : `The literal rules are wrong for ${wrong} of ${verdicts.length} pairs.`}` +
    ` Ray tests: ${tests('tests_all')} in all, ${tests('tests_after_circles')} where circles meet, ${tests('tests_made')} after culling.`;
  element('chosen').textContent = `Chosen: ${nameOf(state.chosen)}`;
  setPressed('debug', state.debug);
  showLine(line());
  writeState(state);
  board.refresh();
}

board.draw = () => {
  if (masses.length !== state.bodies.length) return;
  const lit = new Set(verdicts.filter(disagree).flatMap(({i, k}) => [i, k]));
  state.bodies.forEach(([kind], i) => {
    const {points: outer, holes = [], colour: tint} = outlineOf(kind);
    const contours = [outer, ...holes].map((contour) => contour.map((p) => place(i, p)));
    const points = contours.flat();
    board.fill(contours, `${tint}99`);
    const colour = lit.has(i) ? '#ffb000' : i === state.chosen ? '#1d2733' : '#56616e';
    for (const contour of contours) board.line(contour, {colour, width: lit.has(i) ? 5 : 2, closed: true});
    if (state.debug) {
      board.disc(centroid(i), masses[i].radius, {stroke: '#7b8794', width: 1, dash: [5, 5]});
      points.forEach((point) => board.dot(point, 2.5, '#56616e'));
    }
  });
  if (state.debug) drawRays();
  for (const {exact} of verdicts) {
    board.line([exact.pointA, exact.pointB], {colour: '#e02020', width: exact.overlap ? 4 : 1.5, dash: exact.overlap ? [] : [4, 4]});
    board.dot(exact.pointA, 3.5, '#e02020');
    board.dot(exact.pointB, 3.5, '#e02020');
  }
  state.bodies.forEach((_, i) => {
    board.dot(centroid(i), 8, '#e02020', '#fff');
    board.dot(turner(i), 7, '#f5c400', '#1d2733');
    board.text(centroid(i), `${i + 1}`, '#1d2733', [11, -9]);
  });
};

// Where radii meet: the active points of the chosen body, and its test rays.
function drawRays() {
  for (const {i, k, literal} of verdicts) {
    const role = state.chosen === i ? 0 : state.chosen === k ? 1 : -1;
    if (role < 0) continue;
    const start = centroid(state.chosen);
    for (const {body, place: at} of literal.active) {
      if (body !== role) continue;
      board.line([start, at], {colour: 'rgba(47, 111, 222, .25)', width: 1});
      board.dot(at, 4, '#2f6fde');
    }
    for (const hit of literal.hits) {
      if (hit.initiator !== role) continue;
      board.line([hit.from, hit.to], {colour: '#7fa8ee', width: 2});
      board.dot(hit.place, 4, '#a02ad0');
    }
  }
}

async function look() {
  const answer = await engine.latest('verdicts', state.bodies.map((_, i) => poseOf(i)));
  if (answer === null || answer.length !== (state.bodies.length * (state.bodies.length - 1)) / 2) return;
  verdicts = answer;
  show();
}

async function rebuild() {
  state.chosen = Math.min(Math.max(0, Math.floor(state.chosen)), state.bodies.length - 1);
  verdicts = [];
  masses = await engine.call('setRegions', state.bodies.map(([kind]) => outlineOf(kind)));
  await look();
}

function change(i, dx, dy, turn) {
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
  const near = (at) => Math.hypot(at[0] - point[0], at[1] - point[1]) < reach;
  for (let i = state.bodies.length - 1; i >= 0; --i) {
    if (!near(centroid(i)) && !near(turner(i))) continue;
    state.chosen = i;
    const start = centroid(i);
    return near(centroid(i)) ? {i, offset: [start[0] - point[0], start[1] - point[1]]} : {i, turning: true};
  }
  return null;
}

function follow({i, offset, turning}, [x, y]) {
  const at = centroid(i);
  if (!turning) return change(i, x + offset[0] - at[0], y + offset[1] - at[1], 0);
  const now = turner(i);
  const [a, b] = [Math.atan2(now[1] - at[1], now[0] - at[0]), Math.atan2(y - at[1], x - at[0])];
  change(i, 0, 0, Math.atan2(Math.sin(b - a), Math.cos(b - a)));
}

const kActs = {
  debug: () => { state.debug = !state.debug; show(); },
  item: () => { state.chosen = (state.chosen + 1) % state.bodies.length; show(); },
  add: () => {
    if (state.bodies.length >= kMostBodies) return showMessage(`At most ${kMostBodies} bodies`);
    state.bodies.push([state.bodies.length % kOutlines.length, -3.5 + state.bodies.length, 2.5, 0]);
    return rebuild();
  },
  remove: () => {
    if (state.bodies.length <= 2) return showMessage('Two bodies at least');
    state.bodies.splice(state.chosen, 1);
    showMessage('');
    return rebuild();
  },
};

if (engine) {
  engine.ready.then(rebuild).catch((error) => showMessage(error.message));
  board.onDrag({grab, move: follow});
  const nudge = (...by) => () => change(state.chosen, ...by);
  wireKeys({ArrowLeft: nudge(-0.05, 0, 0), ArrowRight: nudge(0.05, 0, 0), ArrowUp: nudge(0, 0.05, 0), ArrowDown: nudge(0, -0.05, 0),
    q: nudge(0, 0, 0.05), e: nudge(0, 0, -0.05), i: kActs.item, d: kActs.debug});
  for (const [id, act] of Object.entries(kActs)) element(id).addEventListener('click', act);
  wireLine();
}
globalThis.tactusPage = {state, board, engine, centroid, turner, get verdicts() { return verdicts; }};
