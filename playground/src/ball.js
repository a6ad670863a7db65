// Ball and contour: where a circle touches a polyline.
import {Engine} from './engine.js';
import {Board} from './plane/board.js';
import {Pen} from './plane/pen.js';
import {openPhoto} from './plane/photo.js';
import {profiles as builtIn} from './plane/profiles.js';
import {element, fillLegend, fillRows, readState, setPressed, showHint, showLine, showMessage, wireKeys, wireLine, wireRange, writeState} from './shell.js';
import {theme} from './theme.js';

fillLegend([
  ['disc', '#009988', 'ball'],
  ['disc', '#cc3311', 'P: place of the touch'],
  ['letter', '#0077bb', 'from the segment\'s start to the centre', 'O'],
  ['letter', '#ee7733', 'the segment', 'S'],
  ['letter', '#ee3377', 'from P to the centre; its direction is β', 'D'],
  ['letter', '#33bbee', 'part: from the segment\'s start to P', 'p'],
  ['letter', '', 'convex corner', '<'],
  ['letter', '', 'no corner, or a concave one', '>'],
  ['letter', '', 'an end of the curve', '|'],
  ['ring', 'var(--ink)', 'place that the rule of the source names'],
]);

const kLower = [-6, -4];
const kUpper = [6, 4];
const kStep = 0.05; // of an arrow key
const kStart = [1.5, 0]; // velocity of a ball that is let go
const kWay = 240; // places of its flight that are drawn
const kShown = 6; // bounces that are drawn
const kDrawHint = 'Drag a line, or press corner after corner. A press on the first point closes it, one on the last point ends it.';

const state = readState({profile: 0, x: -0.2, y: 0.4, radius: 0.6, gravity: 9.5, restitution: 0.8, rule: true, own: {}});
const isPoint = (p) => Array.isArray(p) && p.length === 2 && p.every((x) => Number.isFinite(x) && Math.abs(x) < 1e3);
const isBox = (box) => isPoint(box?.lower) && isPoint(box?.upper);
let profiles = builtIn;
let photo = null; // {image, lower, upper} under the contour of one's own
let found = {touches: [], literal: [], threshold: 0};
let flight = null; // while it bounces: {vx, vy, time, way, bounces}
let asked = 0;

const engine = Engine.start();
const board = new Board(element('canvas'), kLower, kUpper);
const pen = new Pen(board, {open: true, done: takeDrawn, change: (on) => { setPressed('draw', on); showHint(on ? kDrawHint : ''); }});
const profile = () => profiles[((state.profile % profiles.length) + profiles.length) % profiles.length];

// A contour of one's own: from the page Digitise, perhaps with its photo, or drawn by hand.
function addOwn() {
  const {points, name = 'a picture', closed = true, crossing = false, image, box} = state.own;
  if (!Array.isArray(points) || points.length < 2 || !points.every(isPoint)) return;
  profiles = [...builtIn, {name: crossing ? 'Drawn' : `From ${String(name)}`, closed, crossing, points}];
  photo = null;
  if (typeof image !== 'string' || !isBox(box)) return;
  openPhoto(image).then((picture) => {
    photo = {picture, ...box};
    board.refresh();
  }, (error) => showMessage(error.message));
}

function takeDrawn(points, closed) {
  const rounded = points.map((p) => p.map((x) => Math.round(x * 1e4) / 1e4));
  state.own = {points: rounded, closed, crossing: true};
  addOwn();
  state.profile = builtIn.length;
  changeProfile(0);
}

function line() {
  const {points, closed, crossing = false} = profile();
  return JSON.stringify({id: 'ball', a: {type: 'circle', radius: state.radius}, pose_a: [state.x, state.y, 0],
    b: {type: 'contour', points, closed, ...(crossing ? {crossing} : {})}, ask: 'touches',
    ...(found.threshold > 0 ? {threshold: found.threshold} : {}), ...(state.rule ? {method: 'literal'} : {})});
}

const symbol = (kind) => (kind === 'end' ? '|' : kind === 'convex' ? '<' : '>');
const short = (x) => x.toFixed(4);
const degrees = (angle) => `${((angle * 180) / Math.PI).toFixed(2)}°`;
const apart = (one, other) => Math.hypot(one.point[0] - other.point[0], one.point[1] - other.point[1]);

// Difference, in words, of the source's rule from the exact answer; null where they agree. A ball that lies still touches from
// outside by a rounding, which the rule does not count.
function differs({touches, literal}) {
  const counted = touches.filter(({depth}) => depth >= 0);
  if (literal.length !== counted.length) return `${literal.length} of ${counted.length} touches`;
  if (counted.some((touch) => !literal.some((place) => apart(place, touch) < 1e-9))) return 'another place';
  const turned = counted.filter((touch) => literal.every((place) => apart(place, touch) >= 1e-9 || Math.abs(place.angle - touch.angle) > 1e-9));
  if (turned.length === 0) return null;
  return `the same ${counted.length === 1 ? 'place' : 'places'}, β without the side: ${literal.map(({angle}) => degrees(angle)).join(', ')}`;
}

function showRule() {
  element('literal').hidden = !state.rule;
  if (!state.rule) return;
  const wrong = differs(found);
  element('literal').textContent = wrong ? `The rule of the source says: ${wrong}.`
    : found.literal.length > 0 ? 'The rule of the source agrees: places and angles.' : 'The rule of the source agrees: no touch.';
}

function showFlight() {
  const {bounces = [], time = 0} = flight ?? {};
  element('flight').hidden = flight === null;
  const last = bounces[bounces.length - 1];
  element('flight').textContent = `In flight for ${time.toFixed(2)} s.` +
    (last ? ` Last bounce at ${last.time.toFixed(6)} s, at (${last.point.map(short).join(', ')}), β = ${degrees(Math.atan2(last.normal[1], last.normal[0]))}.` : '');
}

function show() {
  fillRows(element('touches'), found.touches.map((t) => ({
    cells: [`${symbol(t.kind)} ${t.segment}`, `(${short(t.point[0])}, ${short(t.point[1])})`, degrees(t.angle), short(t.depth)],
    values: {point: t.point, segment: t.segment, part: t.part, normal: t.normal, angle: t.angle, depth: t.depth, kind: t.kind},
  })));
  element('profile-name').textContent = `${profile().name}: ${found.touches.length} ${found.touches.length === 1 ? 'touch' : 'touches'}`;
  showRule();
  showFlight();
  showLine(line());
  writeState(state);
  board.refresh();
}

function drawFlight() {
  const {soft, red} = theme();
  board.line(flight.way, {colour: soft, width: 1.5, dash: [2, 5]});
  for (const {point, normal: [nx, ny]} of flight.bounces.slice(-kShown)) {
    board.dot(point, 3.5, red);
    board.arrow(point, [point[0] + 0.4 * nx, point[1] + 0.4 * ny], red, 1.5);
  }
}

function drawTouch(touch, points, centre) {
  const {orange, blue, cyan, magenta, red, paper, ink} = theme();
  const [from, to] = [points[touch.segment], points[(touch.segment + 1) % points.length]];
  const middle = (p, q) => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  if (touch.kind !== 'end' || touch.segment + 1 < points.length) {
    board.arrow(from, to, orange, 3);
    board.text(to, 'S', ink, [6, 14]);
  }
  board.arrow(from, centre, blue);
  board.text(middle(from, centre), 'O', ink, [-14, -4]);
  board.arrow(from, touch.point, cyan, 4);
  if (touch.part > 0.2) board.text(middle(from, touch.point), 'p', ink, [0, 16]);
  board.arrow(touch.point, centre, magenta);
  board.text(middle(touch.point, centre), 'D', ink, [6, 4]);
  board.dot(touch.point, 6, red, paper);
  board.text(touch.point, symbol(touch.kind), red, [10, 16]);
}

board.draw = () => {
  const {outline, frame, ink, teal, paper} = theme();
  const {points, closed} = profile();
  board.grid();
  if (photo && profile() === profiles[builtIn.length]) {
    board.image(photo.picture, photo.lower, photo.upper);
    board.line(points, {colour: paper, width: 7, closed}); // so that the curve is seen on any photo
  }
  board.line([kLower, [kUpper[0], kLower[1]], kUpper, [kLower[0], kUpper[1]]], {colour: frame, width: 1, closed: true});
  board.line(points, {colour: outline, width: 3, closed});
  if (points.length < 200) points.forEach((point) => board.dot(point, 2.5, outline));
  if (!closed) [points[0], points[points.length - 1]].forEach((point, i) => board.text(point, '|', ink, [i === 0 ? -12 : 8, 5]));
  const centre = [state.x, state.y];
  if (flight) drawFlight();
  board.disc(centre, state.radius, {fill: `${teal}99`, stroke: teal});
  for (const touch of found.touches) drawTouch(touch, points, centre);
  if (state.rule) found.literal.forEach(({point}) => board.dot(point, 11, null, ink));
  pen.draw(ink);
};

async function look() {
  const own = ++asked;
  const answer = await engine.latest('touch', state.x, state.y, state.radius);
  if (answer === null || own !== asked) return;
  found = answer;
  show();
}

async function changeProfile(by) {
  const flying = flight !== null;
  await setBouncing(false);
  state.profile = (state.profile + by + profiles.length) % profiles.length;
  // Touches of the curve before belong to no segment of this one; answers that are under way do not count.
  found = {touches: [], literal: [], threshold: 0};
  ++asked;
  const {points, closed, crossing = false} = profile();
  await engine.call('setContour', points, closed, crossing);
  await look();
  if (flying) await setBouncing(true);
}

function place([x, y]) {
  state.x = Math.min(Math.max(x, kLower[0]), kUpper[0]);
  state.y = Math.min(Math.max(y, kLower[1]), kUpper[1]);
  look();
}

let last = 0;
async function fly(now) {
  if (flight === null) return;
  const seconds = Math.min(Math.max((now - last) / 1000, 0), 0.1);
  last = now;
  const own = flight;
  const moved = await engine.call('fly', {x: state.x, y: state.y, radius: state.radius, vx: own.vx, vy: own.vy},
    {gravity: state.gravity, restitution: state.restitution}, seconds);
  if (flight !== own) return;
  ++asked;
  [state.x, state.y] = [moved.x, moved.y];
  flight = {vx: moved.vx, vy: moved.vy, time: own.time + moved.seconds, way: [...own.way.slice(1 - kWay), [moved.x, moved.y]],
    bounces: [...own.bounces, ...moved.bounces.map((bounce) => ({...bounce, time: own.time + bounce.time}))].slice(-kWay)};
  found = moved;
  show();
  requestAnimationFrame(fly);
}

// The flight begins outside of what the ball was put into.
async function takeOff() {
  [state.x, state.y] = await engine.call('takeOff', {x: state.x, y: state.y, radius: state.radius}, kLower, kUpper);
}

async function setBouncing(on) {
  setPressed('bounce', on);
  if (!on) {
    if (flight === null) return;
    flight = null;
    return show();
  }
  await takeOff();
  flight = {vx: kStart[0], vy: kStart[1], time: 0, way: [[state.x, state.y]], bounces: []};
  last = performance.now();
  requestAnimationFrame(fly);
}

if (engine) {
  const safely = (promise) => promise?.catch?.((error) => showMessage(error.message));
  addOwn();
  engine.ready.then(() => changeProfile(0)).catch((error) => showMessage(error.message));
  board.onDrag({
    grab: (point, reach) => {
      if (pen.active) {
        pen.press(point);
        return {pen};
      }
      const [dx, dy] = [state.x - point[0], state.y - point[1]];
      if (Math.hypot(dx, dy) > state.radius + reach) return null;
      setBouncing(false);
      return {offset: [dx, dy]};
    },
    move: ({offset}, [x, y]) => (offset ? place([x + offset[0], y + offset[1]]) : pen.drag([x, y])),
    drop: (held) => { if (held.pen) pen.lift(); },
  });
  const nudge = (dx, dy) => () => { setBouncing(false); place([state.x + dx, state.y + dy]); };
  const toggle = () => safely(setBouncing(flight === null));
  const next = () => safely(changeProfile(1));
  const compare = () => {
    state.rule = element('rule').checked;
    show();
  };
  wireKeys({ArrowLeft: nudge(-kStep, 0), ArrowRight: nudge(kStep, 0), ArrowUp: nudge(0, kStep), ArrowDown: nudge(0, -kStep),
    p: next, d: () => pen.toggle(), Enter: () => pen.finish(), Escape: () => pen.cancel(), ' ': toggle, l: () => element('rule').click()});
  element('profil').addEventListener('click', next);
  element('draw').addEventListener('click', () => pen.toggle());
  element('bounce').addEventListener('click', toggle);
  element('rule').checked = state.rule;
  element('rule').addEventListener('change', compare);
  const flown = async () => { if (flight) await takeOff(); await look(); };
  wireRange('radius', state.radius, (value) => { state.radius = value; safely(flown()); }, (value) => `${value} u`);
  wireRange('gravity', state.gravity, (value) => { state.gravity = value; writeState(state); }, (value) => `${value} u/s²`);
  wireRange('restitution', state.restitution, (value) => { state.restitution = value; writeState(state); });
  wireLine();
}
globalThis.tactusPage = {state, board, engine, pen, get found() { return found; }, get flight() { return flight; }};
