// Digitise: outlines from a picture, edited by hand, for the other pages and for files.
import {Engine} from './engine.js';
import {areaOf, boxOf, fitInto, Outlines} from './plane/outlines.js';
import {Pen} from './plane/pen.js';
import {packPhoto} from './plane/photo.js';
import {blankPicture, openPicture, samplePicture} from './plane/picture.js';
import {ZoomBoard} from './plane/zoom_board.js';
import {element, fillLegend, fillRows, readState, saveFile, setPressed, showHint, showLine, showMessage, wireFiles, wireKeys, wireLine, wireRange, writeState} from './shell.js';
import {theme} from './theme.js';

fillLegend([
  ['line', '#0077bb', 'outline'],
  ['line', '#cc3311', 'dashed: no outline, it crosses itself or another'],
  ['disc', '#f5c400', 'chosen point'],
]);

const kMostDrawn = 4000; // points that are marked at once
const kMostHanded = 3000; // points that another page takes over
const kMostBodies = 6; // outlines that the comet page takes over
const kInside = '33'; // opacity of what is inside, as two digits of a colour
const kDrawHint = 'Drag an outline in one go, or press corner after corner and end at the first one. Inside of a shape it becomes a hole.';

const state = readState({automatic: true, threshold: 0.5, invert: false, channel: 'automatic', by: 'error', error: -0.3, points: 40, despeckle: 2,
  mode: 'move'});
const outlines = new Outlines();
let picture = null;
let found = null; // what the last trace said
let problems = []; // of each region
let chosen = null; // {ring, at}

const engine = Engine.start();
const board = new ZoomBoard(element('canvas'), [0, 0], [480, 320]);
const pen = new Pen(board, {done: takeDrawn, change: (on) => { setPressed('draw', on); showHint(on ? kDrawHint : ''); }});

// Errors in steps of a tenth on a logarithmic slider.
const errorOf = (exponent) => Number((10 ** exponent).toPrecision(2));

function options() {
  return {channel: state.channel, invert: state.invert, despeckle: state.despeckle, ...(state.automatic ? {} : {threshold: state.threshold}),
    ...(state.by === 'error' ? {error: errorOf(state.error)} : {points: state.points})};
}

function command() {
  if (picture.blank) return '# drawn by hand: save the outlines below';
  const words = ['tactus contour', picture.name === 'sample' ? 'PICTURE.png' : JSON.stringify(picture.name), '-o contours.json'];
  if (state.channel !== 'automatic') words.push(`--channel ${state.channel}`);
  if (state.invert) words.push('--invert');
  if (!state.automatic) words.push(`--threshold ${state.threshold}`);
  words.push(`--despeckle ${state.despeckle}`, state.by === 'error' ? `--error ${errorOf(state.error)}` : `--points ${state.points}`);
  return outlines.edited ? `# edited by hand after:\n${words.join(' ')}` : words.join(' ');
}

function show() {
  const wrong = problems.flatMap((text, i) => (text ? [`shape ${i + 1}: ${text}`] : []));
  const rows = [];
  if (picture) rows.push(['picture', `${picture.width} x ${picture.height} px${picture.note ? `, ${picture.note}` : ''}`]);
  if (found) {
    rows.push(['threshold', `${found.threshold.toFixed(3)}: ${found.channel === 'alpha' ? (found.dark ? 'transparent' : 'opaque') : found.dark ? 'dark' : 'light'} is inside`],
      ['edges', found.binary ? 'no grey: half a pixel' : 'from the coverage of pixels']);
  }
  const holes = outlines.regions.reduce((sum, region) => sum + region.holes.length, 0);
  rows.push(['shapes', `${outlines.regions.length}, holes ${holes}${found?.specks ? `, specks left out ${found.specks}` : ''}`],
    ['points', found && !outlines.edited ? `${outlines.count} of ${found.traced} traced` : `${outlines.count}, edited`]);
  if (found && !outlines.edited) rows.push(['error', `at most ${found.error.toPrecision(3)} px from the trace`]);
  rows.push(['verdict', wrong.length === 0 ? (outlines.regions.length > 0 ? 'valid outlines' : 'nothing is inside') : wrong.join('; ')]);
  fillRows(element('facts'), rows.map(([name, text]) => ({cells: [name, String(text)], differs: name === 'verdict' && wrong.length > 0})));
  if (picture) showLine(command());
  for (const id of ['to-ball', 'to-comet', 'save-regions', 'save-contours']) element(id).disabled = outlines.regions.length === 0;
  element('undo').disabled = outlines.past.length === 0;
  for (const name of ['channel', 'by', 'mode']) {
    for (const button of document.querySelectorAll(`[data-${name}]`)) button.setAttribute('aria-pressed', button.dataset[name] === state[name]);
  }
  element('error-label').hidden = state.by !== 'error';
  element('points-label').hidden = state.by !== 'points';
  element('threshold').disabled = state.automatic;
  writeState(state);
  board.refresh();
}

board.draw = () => {
  if (!picture) return;
  const {blue, red, yellow} = theme();
  const colourOf = (region) => (problems[region] ? red : blue);
  board.image(picture.canvas, [0, 0], [picture.width, picture.height]);
  outlines.regions.forEach(({outer, holes}, i) => {
    board.fill([outer, ...holes], `${blue}${kInside}`);
    for (const points of [outer, ...holes]) board.line(points, {colour: colourOf(i), width: problems[i] ? 3 : 2, closed: true, dash: problems[i] ? [8, 5] : []});
  });
  // The points that are seen, unless they are too many to be told apart.
  const [lower, upper] = [board.toWorld(0, board.canvas.clientHeight), board.toWorld(board.canvas.clientWidth, 0)];
  const seen = outlines.rings.flatMap(({points, region}) => points.filter(([x, y]) => x >= lower[0] && x <= upper[0] && y >= lower[1] && y <= upper[1])
    .map((place) => ({place, colour: colourOf(region)})));
  if (seen.length <= kMostDrawn) seen.forEach(({place, colour}) => board.dot(place, 3.5, '#fff', colour));
  if (chosen) board.dot(outlines.rings[chosen.ring].points[chosen.at], 6, yellow, '#1d2733');
  pen.draw('#1d2733'); // pictures are light as a rule, in the dark too
};

async function check() {
  const own = outlines.regions;
  const answer = await engine.latest('problems', own);
  if (answer === null || own !== outlines.regions || answer.length !== own.length) return;
  problems = answer;
  show();
}

async function trace() {
  if (!picture) return;
  if (picture.blank) return show();
  let answer;
  try {
    answer = await engine.latest('trace', options());
  } catch (error) {
    found = null;
    outlines.set([]);
    problems = [];
    chosen = null;
    showMessage(`${picture.name}: ${error.message}`);
    return show();
  }
  if (answer === null) return;
  showMessage('');
  const pointsOf = ({points}) => Array.from({length: points.length / 2}, (_, i) => [points[2 * i], points[2 * i + 1]]);
  outlines.set(answer.regions.map(({outer, holes}) => ({outer: pointsOf(outer), holes: holes.map(pointsOf)})));
  const contours = answer.regions.flatMap(({outer, holes}) => [outer, ...holes]);
  found = {...answer, regions: null, traced: contours.reduce((sum, {traced}) => sum + traced, 0), error: Math.max(0, ...contours.map(({error}) => error))};
  problems = outlines.regions.map(() => null);
  chosen = null;
  show();
}

async function take(next) {
  pen.cancel();
  picture = next;
  board.setHome([0, 0], [picture.width, picture.height]);
  // A copy: the worker keeps its own.
  await engine.call('setPicture', picture.pixels, picture.width, picture.height);
  await trace();
}

// An empty sheet: outlines are drawn on it from nothing.
async function takeBlank() {
  await take(blankPicture());
  found = null;
  outlines.set([]);
  problems = [];
  chosen = null;
  showMessage('');
  show();
  pen.start();
}

// A drawn outline is a shape, or a hole of the shape that it begins in.
function takeDrawn(points) {
  const rounded = points.map((p) => p.map((x) => Math.round(x * 100) / 100));
  edit(() => {
    const around = outlines.regionAt(rounded[0]);
    if (around >= 0) outlines.regions[around].holes.push(rounded);
    else outlines.regions.push({outer: rounded, holes: []});
    chosen = null;
  });
}

async function takeFiles([file]) {
  if (!file) return;
  try {
    showMessage(`${file.name}: being read`);
    await take(await openPicture(file));
  } catch (error) {
    showMessage(error.message);
  }
}

function edit(change) {
  outlines.keep();
  change();
  // Another list tells answers about the old one apart.
  outlines.regions = [...outlines.regions];
  problems = outlines.regions.map((_, i) => problems[i] ?? null);
  check();
  show();
}

function remove(point) {
  edit(() => {
    outlines.remove(point);
    chosen = null;
    problems = [];
  });
}

function grab(place, reach) {
  if (pen.active) {
    pen.press(place);
    return {pen};
  }
  // Between two points of an outline there is room for another one.
  const near = outlines.nearestPoint(place, state.mode === 'add' ? reach / 4 : reach);
  if (state.mode === 'delete') {
    if (near) remove(near);
    return near && {};
  }
  if (near) {
    chosen = {ring: near.ring, at: near.at};
    show();
    return {...chosen, kept: false};
  }
  if (state.mode !== 'add') return null;
  const segment = outlines.nearestSegment(place, 2 * reach);
  if (!segment) return null;
  edit(() => { chosen = outlines.insert(segment, place); });
  return {...chosen, kept: true};
}

function follow(held, place) {
  if (held.pen) return pen.drag(place);
  if (held.ring === undefined) return;
  if (!held.kept) outlines.keep();
  held.kept = true;
  outlines.rings[held.ring].points[held.at] = place;
  check();
  show();
}

function nudge(dx, dy) {
  if (!chosen) return;
  edit(() => {
    const {points} = outlines.rings[chosen.ring];
    points[chosen.at] = [points[chosen.at][0] + dx, points[chosen.at][1] + dy];
  });
}

function next() {
  const {rings} = outlines;
  if (rings.length === 0) return;
  if (!chosen) chosen = {ring: 0, at: 0};
  else if (chosen.at + 1 < rings[chosen.ring].points.length) chosen = {ring: chosen.ring, at: chosen.at + 1};
  else chosen = {ring: (chosen.ring + 1) % rings.length, at: 0};
  show();
}

function undo() {
  if (!outlines.undo()) return;
  chosen = null;
  problems = [];
  check();
  show();
}

// Outlines on their way to another page must be valid after rounding, and not too long for an address.
async function handOver(page, own, regions) {
  const count = regions.reduce((sum, {outer, holes}) => sum + outer.length + holes.flat().length, 0);
  if (count > kMostHanded) return showMessage(`${count} points; the other pages take up to ${kMostHanded}. Simplify with a larger error or fewer points.`);
  const wrong = (await engine.call('problems', regions)).find((text) => text);
  if (wrong) return showMessage(`The outline cannot be played with: ${wrong}`);
  location.href = `${page}.html#${encodeURIComponent(JSON.stringify(own))}`;
}

// The photo goes with traced outlines: where its box is after `map`.
function photoBox(map) {
  const image = picture.blank ? null : packPhoto(picture.canvas);
  return image && {image, box: {lower: map([0, 0]), upper: map([picture.width, picture.height])}};
}

function toBall() {
  const {rings} = outlines;
  const largest = rings.reduce((best, ring) => (areaOf(ring.points) > areaOf(best.points) ? ring : best));
  const {points} = chosen ? rings[chosen.ring] : largest;
  const fit = fitInto(boxOf([points]), 9.5, 6.4);
  const fitted = points.map(fit);
  return handOver('ball', {own: {name: picture.name, points: fitted, ...photoBox(fit)}, profile: -1, x: 0, y: 3.2}, [{outer: fitted, holes: []}]);
}

function toComet() {
  const regions = [...outlines.regions].sort((a, b) => areaOf(b.outer) - areaOf(a.outer)).slice(0, kMostBodies);
  const fit = fitInto(boxOf(regions.map(({outer}) => outer)), 10.5, 7);
  // Each outline about the middle of its box, where it stands in the picture.
  const placed = regions.map(({outer, holes}) => {
    const [all, inner] = [outer.map(fit), holes.map((hole) => hole.map(fit))];
    const {lower, upper} = boxOf([all]);
    const middle = [0, 1].map((i) => Math.round(5000 * (lower[i] + upper[i])) / 1e4);
    const moved = ([x, y]) => [x - middle[0], y - middle[1]].map((v) => Math.round(v * 1e4) / 1e4);
    return {middle, outer: all.map(moved), holes: inner.map((hole) => hole.map(moved))};
  });
  const bodies = placed.map(({middle}, i) => [-1 - i, ...middle, 0]);
  if (bodies.length === 1) bodies.push([1, 4.4, 2.8, 0]);
  const photo = photoBox(fit);
  const boxAbout = ([x, y]) => photo && {box: {lower: [photo.box.lower[0] - x, photo.box.lower[1] - y], upper: [photo.box.upper[0] - x, photo.box.upper[1] - y]}};
  return handOver('comet', {own: placed.map(({middle, outer, holes}, i) => ({name: `shape ${i + 1}`, outer, holes, ...boxAbout(middle)})), bodies, chosen: 0,
    ...(photo ? {photo: photo.image} : {})}, placed);
}

if (engine) {
  const safely = (promise) => promise?.catch?.((error) => showMessage(error.message));
  wireFiles(takeFiles);
  board.onDrag({grab, move: follow, drop: (held) => { if (held.pen) pen.lift(); }});
  const acts = {blank: () => safely(takeBlank()), draw: () => pen.toggle(), sample: () => safely(take(samplePicture())), fit: () => board.setHome(board.home.lower, board.home.upper), undo,
    'to-ball': () => safely(toBall()), 'to-comet': () => safely(toComet()),
    'save-regions': () => saveFile('regions.json', outlines.text('regions')), 'save-contours': () => saveFile('contours.json', outlines.text('contours'))};
  for (const [id, act] of Object.entries(acts)) element(id).addEventListener('click', act);
  for (const name of ['automatic', 'invert']) {
    element(name).checked = state[name];
    element(name).addEventListener('change', () => { state[name] = element(name).checked; safely(trace()); });
  }
  const change = (name) => (value) => { state[name] = value; safely(trace()); };
  wireRange('threshold', state.threshold, change('threshold'));
  wireRange('error', state.error, change('error'), (value) => `${errorOf(value)} px`);
  wireRange('points', state.points, change('points'));
  wireRange('despeckle', state.despeckle, change('despeckle'), (value) => `${value} px²`);
  for (const name of ['channel', 'by', 'mode']) {
    for (const button of document.querySelectorAll(`[data-${name}]`)) {
      button.addEventListener('click', () => {
        state[name] = button.dataset[name];
        if (name === 'mode') show();
        else safely(trace());
      });
    }
  }
  const mode = (name) => () => { state.mode = name; show(); };
  wireKeys({m: mode('move'), a: mode('add'), x: mode('delete'), z: undo, n: next, d: () => pen.toggle(), Enter: () => pen.finish(), Delete: () => chosen && remove(chosen), Backspace: () => chosen && remove(chosen),
    ArrowLeft: () => nudge(-0.5, 0), ArrowRight: () => nudge(0.5, 0), ArrowUp: () => nudge(0, 0.5), ArrowDown: () => nudge(0, -0.5),
    Escape: () => {
      pen.cancel();
      chosen = null;
      show();
    }});
  wireLine();
  engine.ready.then(() => safely(take(samplePicture()))).catch((error) => showMessage(error.message));
}
globalThis.tactusPage = {state, engine, board, outlines, pen, get problems() { return problems; }, get found() { return found; }};
