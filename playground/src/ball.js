// Ball and contour: where a circle touches a polyline.
import {Engine} from './engine.js';
import {Board} from './plane/board.js';
import {profiles as builtIn} from './plane/profiles.js';
import {element, fillRows, readState, setPressed, showLine, showMessage, wireKeys, wireLine, wireRange, writeState} from './shell.js';

const kLower = [-6, -4];
const kUpper = [6, 4];
const kStep = 0.05; // of an arrow key
const kColours = {o: '#2f6fde', s: '#f08c00', d: '#a02ad0', part: '#0b9a9a', touch: '#e02020', ball: '#23a35a'};

const state = readState({profile: 0, x: -0.2, y: 0.4, radius: 0.6, gravity: 9.5, restitution: 0.8, own: {}});
const isPoint = (p) => Array.isArray(p) && p.length === 2 && p.every((x) => Number.isFinite(x) && Math.abs(x) < 1e3);
// A contour of one's own, from the page Digitise.
const isOwn = Array.isArray(state.own.points) && state.own.points.length >= 3 && state.own.points.every(isPoint);
const profiles = isOwn ? [...builtIn, {name: `From ${String(state.own.name ?? 'a picture')}`, closed: true, points: state.own.points}] : builtIn;
let found = {touches: [], literal: null};
let speed = null; // while it bounces
let asked = 0;

const engine = Engine.start();
const board = new Board(element('canvas'), kLower, kUpper);
const profile = () => profiles[((state.profile % profiles.length) + profiles.length) % profiles.length];

function line() {
  const {points, closed} = profile();
  return JSON.stringify({id: 'ball', a: {type: 'circle', radius: state.radius}, pose_a: [state.x, state.y, 0],
    b: {type: 'contour', points, closed}, ask: 'touches'});
}

const symbol = (kind) => (kind === 'end' ? '|' : kind === 'convex' ? '<' : '>');
const short = (x) => x.toFixed(4);

// Difference, in words, of the source's rule from the exact answer; null where they agree.
function differs({touches, literal}) {
  if (!literal) return null;
  if (literal.length !== touches.length) return `${literal.length} of ${touches.length} touches`;
  const apart = (one, other) => Math.hypot(one.point[0] - other.point[0], one.point[1] - other.point[1]);
  if (touches.some((touch) => !literal.some((found) => apart(found, touch) < 1e-9))) return 'another place';
  const turned = touches.filter((touch) => literal.every((found) => apart(found, touch) >= 1e-9 || Math.abs(found.angle - touch.angle) > 1e-9));
  if (turned.length === 0) return null;
  return `the same ${touches.length === 1 ? 'place' : 'places'}, β without the side: ${literal.map((found) => short(found.angle)).join(', ')}`;
}

function show() {
  fillRows(element('touches'), found.touches.map((t) => ({
    cells: [`${symbol(t.kind)} ${t.segment}`, `(${short(t.point[0])}, ${short(t.point[1])})`, short(t.angle), short(t.depth)],
    values: {point: t.point, segment: t.segment, part: t.part, normal: t.normal, angle: t.angle, depth: t.depth, kind: t.kind},
  })));
  const wrong = differs(found);
  element('literal').textContent = wrong ? `The rule of the source says: ${wrong}.` : 'The rule of the source agrees.';
  element('profile-name').textContent = `${profile().name}: ${found.touches.length} ${found.touches.length === 1 ? 'touch' : 'touches'}`;
  showLine(line());
  writeState(state);
  board.refresh();
}

board.draw = () => {
  const {points, closed} = profile();
  board.line([kLower, [kUpper[0], kLower[1]], kUpper, [kLower[0], kUpper[1]]], {colour: '#c4ccd6', width: 1, closed: true});
  board.line(points, {colour: '#56616e', width: 3, closed});
  points.forEach((point) => board.dot(point, 2.5, '#56616e'));
  const centre = [state.x, state.y];
  board.disc(centre, state.radius, {fill: 'rgba(35, 163, 90, .55)', stroke: '#14713c'});
  for (const touch of found.touches) {
    const [from, to] = [points[touch.segment], points[(touch.segment + 1) % points.length]];
    if (touch.kind !== 'end' || touch.segment + 1 < points.length) board.arrow(from, to, kColours.s, 3);
    board.arrow(from, centre, kColours.o);
    board.arrow(from, touch.point, kColours.part, 4);
    board.arrow(touch.point, centre, kColours.d);
    board.dot(touch.point, 6, kColours.touch, '#fff');
    board.text(touch.point, symbol(touch.kind), kColours.touch, [10, 16]);
  }
};

async function look() {
  const own = ++asked;
  const answer = await engine.latest('touch', state.x, state.y, state.radius);
  if (answer === null || own !== asked) return;
  found = answer;
  show();
}

async function changeProfile(by) {
  state.profile = (state.profile + by + profiles.length) % profiles.length;
  const {points, closed} = profile();
  await engine.call('setContour', points, closed);
  await look();
}

function place([x, y]) {
  state.x = Math.min(Math.max(x, kLower[0]), kUpper[0]);
  state.y = Math.min(Math.max(y, kLower[1]), kUpper[1]);
  look();
}

let last = 0;
async function bounce(now) {
  if (speed === null) return;
  const seconds = Math.min((now - last) / 1000, 0.1);
  last = now;
  const moved = await engine.call('bounce', {x: state.x, y: state.y, radius: state.radius, ...speed},
    {gravity: state.gravity, restitution: state.restitution}, seconds, kLower, kUpper);
  if (speed === null) return;
  [state.x, state.y] = [moved.state.x, moved.state.y];
  speed = {vx: moved.state.vx, vy: moved.state.vy};
  found = moved;
  show();
  requestAnimationFrame(bounce);
}

function setBouncing(on) {
  speed = on ? {vx: 1.5, vy: 0} : null;
  setPressed('bounce', on);
  last = performance.now();
  if (on) requestAnimationFrame(bounce);
}

if (engine) {
  engine.ready.then(() => changeProfile(0)).catch((error) => showMessage(error.message));
  board.onDrag({
    grab: (point, reach) => {
      const [dx, dy] = [state.x - point[0], state.y - point[1]];
      if (Math.hypot(dx, dy) > state.radius + reach) return null;
      setBouncing(false);
      return [dx, dy];
    },
    move: ([dx, dy], [x, y]) => place([x + dx, y + dy]),
  });
  const nudge = (dx, dy) => () => { setBouncing(false); place([state.x + dx, state.y + dy]); };
  wireKeys({ArrowLeft: nudge(-kStep, 0), ArrowRight: nudge(kStep, 0), ArrowUp: nudge(0, kStep), ArrowDown: nudge(0, -kStep),
    p: () => changeProfile(1), ' ': () => setBouncing(speed === null)});
  element('profil').addEventListener('click', () => changeProfile(1));
  element('bounce').addEventListener('click', () => setBouncing(speed === null));
  wireRange('radius', state.radius, (value) => { state.radius = value; look(); });
  wireRange('gravity', state.gravity, (value) => { state.gravity = value; writeState(state); });
  wireRange('restitution', state.restitution, (value) => { state.restitution = value; writeState(state); });
  wireLine();
}
globalThis.tactusPage = {state, board, engine, get found() { return found; }};
