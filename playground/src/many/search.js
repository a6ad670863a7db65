// Branch and bound over two trees of boxes: the distance of two meshes.
import {add, Surface} from '../steps/sketch.js';
import {number} from '../steps/words.js';
import {inks} from './inks.js';

const round = (x) => Math.round(x * 1e4) / 1e4;

// A prism over an outline that is seen whole from `centre`: sides, and fans on both ends.
function prism(outline, [cx, cy], height) {
  const n = outline.length, h = height / 2;
  const vertices = [...outline.map(([x, y]) => [x, y, -h]), ...outline.map(([x, y]) => [x, y, h]), [cx, cy, -h], [cx, cy, h]].map((p) => p.map(round));
  const triangles = outline.flatMap((_, i) => {
    const j = (i + 1) % n;
    return [[i, j, n + j], [i, n + j, n + i], [2 * n, j, i], [2 * n + 1, n + i, n + j]];
  });
  return {type: 'mesh', vertices, triangles};
}
const ring = (corners, radius) => Array.from({length: corners}, (_, i) => {
  const [angle, r] = [(2 * Math.PI * i) / corners, radius(i)];
  return [r * Math.cos(angle), r * Math.sin(angle)];
});
const meshes = {
  angle: prism([[-0.7, -0.7], [1.1, -0.7], [1.1, 0], [0, 0], [0, 1.1], [-0.7, 1.1]], [-0.3, -0.3], 0.6),
  star: prism(ring(10, (i) => (i % 2 ? 0.5 : 1.1)), [0, 0], 0.5),
  wheel: prism(ring(20, (i) => (i % 4 < 2 ? 1 : 0.8)), [0, 0], 0.4),
};
const surfaces = Object.fromEntries(Object.entries(meshes).map(([name, {vertices, triangles}]) => [name, new Surface({vertices: vertices.flat(), faces: triangles, smooth: false})]));

const presets = [
  {name: 'A star in an angle', a: 'angle', b: 'star', why: 'Press Step: pairs of boxes are opened by their least bound; once two triangles are measured, most pairs are too far away to be opened at all.', things: [[-0.9, -0.4, 0], [0.55, 0.55, 0.25]]},
  {name: 'Star and wheel', a: 'star', b: 'wheel', why: 'Many teeth are nearly as near: more pairs must be opened.', things: [[-1.15, 0.1, 0], [1.2, 0, 0.1]]},
  {name: 'Meeting', a: 'angle', b: 'star', why: 'Two triangles meet: the distance is 0, and nothing else can be nearer.', things: [[-0.5, -0.3, 0], [0.3, 0.3, 0.2]]},
  {name: 'Far apart', a: 'angle', b: 'star', why: 'From far away all boxes look alike. A plane across the line between the meshes answers before any pair is opened.', things: [[-3, -0.5, 0], [3, 1, 0.5]]},
];

const code = ['far apart: measure the outermost triangles; a plane bounds the rest', 'open ← {(root of A, root of B)};  upper ← ∞', '(a, b) ← an open pair of nearly the least bound', 'too far: leave it out', 'two leaves: bound of their triangles too far: spared', '  else upper ← min(upper, their distance)', 'else split the longer box: two pairs are opened', 'nothing is open: lower = upper'];
const kLines = {approached: 0, begun: 1, left_out: 3, spared: 4, measured: 5, split: 6};

const sentences = {
  approached: ({step}) => `The nearest of the triangles that reach farthest towards the other mesh are ${number(step.upper)} apart; a plane across the line between them shows that no others are nearer than ${number(step.nodes[2])}.`,
  begun: ({step}) => `The boxes around both meshes are opened. No points of them are nearer than ${number(step.nodes[2])}.`,
  split: ({step}) => `The longer of both boxes is split. Its halves are at least ${number(step.children[0][2])} and ${number(step.children[1][2])} away: a bound never falls on the way down.`,
  left_out: ({step}) => `At least ${number(step.nodes[2])} away, and ${number(step.upper)} is known: this pair, with all below it, is left out.`,
  spared: ({step}) => `Two leaves. A direction shows that their triangles are at least ${number(step.nodes[2])} apart: they are not measured.`,
  measured: ({step}, before) => (before && step.upper < (before.upper ?? Infinity) ? `Two leaves: their triangles are ${number(step.upper)} apart, the nearest so far.` : `Two leaves: their triangles are no nearer than ${number(step.upper)}.`),
  result: ({answer}) => answer.error ?? (answer.surfaces > 0 && answer.distance === 0 ? `The surfaces are ${number(answer.surfaces)} apart, but one body lies inside of the other: distance 0.`
    : answer.distance === 0 ? 'Two triangles meet: the distance is 0.' : `${number(answer.distance)}: nothing open is nearer. It is the distance that the library answers.`),
};

const boundOf = (pair) => `${pair[0]} ${pair[1]}`;

function frames(answer) {
  const open = new Map();
  let best = null, before = null;
  const all = answer.steps.map((step) => {
    if (step.kind === 'begun') open.set(boundOf(step.nodes), step.nodes);
    else if (step.kind !== 'approached') open.delete(boundOf(step.nodes));
    for (const child of step.children ?? []) open.set(boundOf(child), child);
    if ((step.kind === 'measured' || step.kind === 'approached') && step.upper < (before?.upper ?? Infinity)) best = [step.triangle_a, step.triangle_b];
    const frame = {kind: step.kind, line: kLines[step.kind], step, open: [...open.values()], best, before, trees: answer.trees, lower: step.lower, upper: step.upper};
    before = step;
    return frame;
  });
  return [...all, {kind: 'result', line: 7, answer, open: [], best, trees: answer.trees, lower: answer.lower, upper: answer.upper}];
}

function box(sketch, {center, axes, half}, style) {
  const corner = (i) => [0, 1, 2].reduce((p, k) => add(p, axes[k], (i & (1 << k) ? 1 : -1) * half[k]), center);
  for (const [i, j] of [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]]) sketch.line(corner(i), corner(j), style);
}

const meshesOf = (state) => presets[state.scene] ?? presets[0];

function triangle(sketch, name, shift, index, ink) {
  const {points, faces} = surfaces[name];
  const corners = faces[index].map((i) => add(points[i], shift));
  sketch.polygon(corners, {fill: ink, alpha: 0.5});
  sketch.polygon(corners, {stroke: ink, width: 2.5});
}

function draw(sketch, {state, frame}) {
  const {a, b} = meshesOf(state);
  const [at, to] = state.things;
  sketch.surface(surfaces[a], {colour: inks.a, shift: at, opacity: 0.22});
  sketch.surface(surfaces[b], {colour: inks.b, shift: to, opacity: 0.22});
  sketch.text(at, 'A', inks.a, [-5, 5]);
  sketch.text(to, 'B', inks.b, [-5, 5]);
  const {step, trees, best, answer} = frame;
  if (best) {
    triangle(sketch, a, at, best[0], inks.good);
    triangle(sketch, b, to, best[1], inks.good);
  }
  if (step && step.kind !== 'approached') {
    const [i, j] = step.nodes;
    const dash = step.kind === 'left_out' ? [6, 5] : [];
    box(sketch, trees.a[i], {stroke: inks.a, width: 2.2, dash});
    box(sketch, trees.b[j], {stroke: inks.b, width: 2.2, dash});
    for (const [u, v] of step.children ?? []) {
      if (u !== i) box(sketch, trees.a[u], {stroke: inks.now, width: 1.3, dash: [4, 4]});
      if (v !== j) box(sketch, trees.b[v], {stroke: inks.now, width: 1.3, dash: [4, 4]});
    }
  }
  if (step?.triangle_a !== undefined && !(best?.[0] === step.triangle_a && best?.[1] === step.triangle_b)) {
    triangle(sketch, a, at, step.triangle_a, inks.seen);
    triangle(sketch, b, to, step.triangle_b, inks.seen);
  }
  if (answer?.point_a) {
    sketch.line(answer.point_a, answer.point_b, {stroke: inks.good, width: 3.5});
    for (const p of [answer.point_a, answer.point_b]) sketch.mark(p, 'disc', inks.good, 4.5);
  }
}

// A tree as rows of cells, each as wide as the leaves below it.
function drawTree(panel, nodes, [x, y, width, height], {ink, now, open, name}) {
  const leaves = nodes.map(() => 1), depth = nodes.map(() => 0);
  for (let i = nodes.length - 1; i >= 0; --i) if (nodes[i].children) leaves[i] = leaves[nodes[i].children[0]] + leaves[nodes[i].children[1]];
  const left = [0];
  nodes.forEach(({children}, i) => {
    if (!children) return;
    const [l, r] = children;
    [left[l], left[r]] = [left[i], left[i] + leaves[l]];
    depth[l] = depth[r] = depth[i] + 1;
  });
  const row = height / (Math.max(...depth) + 1), cell = width / leaves[0];
  panel.text(name, x - 16, y + 12, ink);
  nodes.forEach((_, i) => {
    const at = [x + left[i] * cell + 0.5, y + depth[i] * row, Math.max(1, leaves[i] * cell - 1), row - 1.5];
    panel.bar(...at, i === now ? inks.now : open.has(i) ? ink : inks.faint, i === now ? 1 : open.has(i) ? 0.7 : 0.22);
  });
}

// The bracket, the bounds of the open pairs, both trees.
function chart(panel, {frames: all, frame}) {
  const {trees, open, step, lower, upper} = frame;
  const {width, height} = panel;
  const known = all.map(({upper: u}) => u).filter(Number.isFinite);
  const most = 1.15 * Math.max(...known.slice(0, 1), ...open.map(([, , bound]) => bound), upper ?? 0, 1e-6);
  const [left, right, top] = [30, width - 14, 40];
  const x = (v) => left + (Math.min(v, most) / most) * (right - left);
  const middle = top + (height - top) * 0.42;
  panel.bar(x(lower), top, Math.max(2, x(upper ?? most) - x(lower)), 16, inks.now, 0.35);
  panel.line(x(lower), top - 4, x(lower), middle, inks.now, 1.5);
  if (upper !== null) panel.line(x(upper), top - 4, x(upper), middle, inks.good, 2, [5, 3]);
  panel.text(`lower ${number(lower)}`, Math.max(x(lower) - 4, left + 84), top + 32, inks.now, 'right');
  if (upper !== null) panel.text(`upper ${number(upper)}`, Math.min(x(upper) + 5, right - 84), top + 32, inks.good);
  const rows = Math.max(1, Math.floor((middle - top - 52) / 7));
  open.forEach(([, , bound], i) => panel.bar(x(bound) - 2, top + 42 + (i % rows) * 7, 5, 5, inks.plain, 0.85));
  if (step && step.kind !== 'approached') panel.bar(x(step.nodes[2]) - 3, top + 18, 7, 7, inks.now);
  panel.line(left, middle, right, middle, inks.faint);
  panel.text('0', left, middle + 14, inks.plain);
  panel.text('bounds of the open pairs', right, middle + 14, inks.plain, 'right');
  if (!trees) return;
  const each = (height - middle - 40) / 2;
  const waits = (k) => new Set(open.map((pair) => pair[k]));
  drawTree(panel, trees.a, [left, middle + 22, right - left, each - 6], {ink: inks.a, now: step?.nodes[0], open: waits(0), name: 'A'});
  drawTree(panel, trees.b, [left, middle + 26 + each, right - left, each - 6], {ink: inks.b, now: step?.nodes[1], open: waits(1), name: 'B'});
}

export const search = {
  id: 'search', name: 'Branch and bound', docs: 'mesh-distance', board: 'Meshes and boxes', chartName: 'Bracket, open pairs, trees', presets, code: () => code, frames, draw, chart,
  about: 'The first way goes straight down to two triangles, since their distance keeps others out. Bounds within a sixty-fourth of it count as equal, the last to come first.',
  question(state) {
    const {a, b} = meshesOf(state);
    const [at, to] = state.things;
    return {ask: 'distance', a: meshes[a], pose_a: {position: at}, b: meshes[b], pose_b: {position: to}};
  },
  valid: (things) => things.length === 2 && things.every((p) => p.length === 3),
  sentence: (frame) => sentences[frame.kind](frame, frame.before),
  rows: ({distance, lower, upper, steps, trees}) => {
    const leaves = (nodes) => (nodes.length + 1) / 2;
    return [['distance', number(distance)], ['width', (upper - lower).toExponential(1)], ['triangles measured', steps.filter(({kind}) => kind === 'measured' || kind === 'approached').length], ['pairs of triangles', leaves(trees.a) * leaves(trees.b)]];
  },
  hold(state) {
    const {a, b} = meshesOf(state);
    return [a, b].flatMap((name, i) => surfaces[name].points.map((p) => add(p, state.things[i])));
  },
  grab(sketch, state, x, y) {
    const {a, b} = meshesOf(state);
    const depth = [a, b].map((name, i) => sketch.pick(surfaces[name], state.things[i], x, y) ?? -Infinity);
    return Math.max(...depth) === -Infinity ? -1 : depth[0] > depth[1] ? 0 : 1;
  },
  pull(state, held, way) { state.things[held] = add(state.things[held], way); },
  marks: [['area', inks.a, 'mesh A and its box in the pair'], ['area', inks.b, 'mesh B and its box in the pair; dashed where the pair is left out'], ['dash', inks.now, 'halves of the box that is split'], ['area', inks.good, 'the nearest triangles so far'],
    ['area', inks.seen, 'triangles of the pair'], ['square', inks.plain, 'open pair, at its bound'], ['square', inks.now, 'the pair of this step: at its bound, and in both trees'], ['line', inks.now, 'bracket, from lower to upper'],
    ['area', inks.faint, 'box of a tree, over its halves; in the colour of its mesh where it waits in an open pair']],
  words: [['tree of boxes', 'each box holds all triangles below it; the last ones, the leaves, hold one each.'],
    ['bound', 'no point of one box of a pair is nearer to the other box than this: it holds for all triangles in them.'],
    ['open', 'a pair of boxes that is still to be looked at. The least bound of all open pairs is `lower`.'],
    ['bracket', 'what is known of the distance: it is not below `lower` and not above `upper`.'],
    ['leaf', 'a box that holds one triangle and has no halves.'],
    ['upper', 'the distance of the nearest triangles that were measured so far: the true distance is no larger.'],
    ['left out', 'a pair whose bound is not below `upper`: nothing in it can be nearer, and all pairs below it are never looked at.']],
};
