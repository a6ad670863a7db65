// Sweep and prune: the pairs of boxes that share a point.
import {generator, inks, rounded} from './inks.js';

function boxes(count, seed, make) {
  const random = generator(seed);
  return Array.from({length: count}, (_, i) => make(random, i).map(rounded));
}
const placed = (x, y, w, h) => [x, y, x + w, y + h];

const presets = [
  {name: 'Twelve boxes', why: 'Press Step: each box is compared with those that begin before it ends, along one axis alone. Drag a box: the order from before the drag is nearly right.', things: boxes(12, 11, (r) => placed(6 * r(), 2.6 * r(), 0.5 + 0.8 * r(), 0.4 + 0.7 * r()))},
  {name: 'A row along the other axis', why: 'The axis with the largest variance of the centres is taken: here the vertical one.', things: boxes(10, 4, (r) => placed(1.2 * r(), 5 * r(), 0.5 + 0.5 * r(), 0.3 + 0.5 * r()))},
  {name: 'Many in a column', why: 'All begin before the others end: along this axis nothing is spared, and all pairs are compared. A grid or a tree serves such boxes better.', things: [...boxes(9, 2, (r, i) => placed(0.3 * r(), 0.9 * i, 0.9, 0.5)), placed(-6, 3, 0.6, 0.6), placed(7, 4, 0.6, 0.6), placed(-5, 5, 0.6, 0.6), placed(6, 2, 0.6, 0.6)].map((b) => b.map(rounded))},
  {name: 'Touching', why: 'Boxes that share a side or a corner share points: they are pairs.', things: [placed(0, 0, 1, 1), placed(1, 0, 1, 1), placed(2, 1, 1, 1), placed(3.01, 1, 1, 1), placed(2, 0, 1, 1)]},
];

const code = ['axis ← where the centres vary most', 'the order of the last call is nearly right: insertion sort', 'boxes in the order of their lower ends', 'for each box i', '  for j behind i while lower(j) ≤ upper(i)', '    the other axes meet too: pair (i, j)', '  lower(j) > upper(i): nothing behind j meets i', 'the pairs, sorted'];

const kLines = {axis: 0, move: 1, order: 2, reach: 3, pass: 6};
const kAxes = ['horizontal', 'vertical'];

function frames(answer) {
  let axis = 0, now = null, order = [];
  const pairs = [], compared = [];
  const all = answer.steps.map((step) => {
    if (step.kind === 'axis') ({axis} = step);
    if (step.kind === 'order') ({order} = step);
    if (step.kind === 'reach') now = step.box;
    if (step.kind === 'reach') compared.length = 0;
    if (step.kind === 'compare') compared.push(step.other);
    if (step.kind === 'compare' && step.meet) pairs.push([step.box, step.other]);
    return {kind: step.kind, line: step.kind === 'compare' ? (step.meet ? 5 : 4) : kLines[step.kind], step, axis, now, order, pairs: [...pairs], compared: [...compared]};
  });
  return [...all, {kind: 'result', line: 7, answer, axis, order, now: null, pairs: answer.pairs ?? [], compared: []}];
}

const sentences = {
  axis: ({step, axis}) => `The centres vary most along the ${kAxes[axis] ?? 'third'} axis (variances ${step.variance.slice(0, 2).map((v) => Number(v.toPrecision(3))).join(' and ')}). ${step.kept ? 'The order from before the drag is kept.' : 'All boxes are sorted along it.'}`,
  move: ({step}) => `Insertion sort: box ${step.box} goes from place ${step.from + 1} to place ${step.to + 1}.`,
  order: ({step}) => `The order of the lower ends: ${step.order.join(', ')}.`,
  reach: ({step, axis}) => `The sweep reaches box ${step.box}. Which boxes begin before it ends, along the ${kAxes[axis] ?? 'third'} axis?`,
  compare: ({step}) => `Box ${step.other} does. Along the other axis they ${step.meet ? `meet too: a pair` : 'are apart: no pair'}.`,
  pass: ({step}) => `Box ${step.other} begins behind the end of box ${step.box}, and so do all that follow.`,
  result: ({answer, pairs}) => answer.error ?? `${pairs.length} pair${pairs.length === 1 ? '' : 's'} of boxes: those that the library answers, and that comparing all with all finds.`,
};

// The colour of a box at a step.
const inkOf = ({kind, now, step, compared}, id) => (id === now ? inks.now : step?.other === id && kind !== 'order' ? inks.b : compared.includes(id) ? inks.seen : inks.a);

const corners = ([x0, y0, x1, y1]) => [[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0]];

function draw(sketch, {state: {things}, frame}) {
  const {axis, now} = frame;
  const low = [Math.min(...things.map(([x]) => x)), Math.min(...things.map(([, y]) => y))];
  const high = [Math.max(...things.map(([, , x]) => x)), Math.max(...things.map(([, , , y]) => y))];
  // The range that the present box spans along the axis: nothing outside of it is compared with the box.
  if (now !== null && now !== undefined) {
    const [from, to] = [things[now][axis], things[now][axis + 2]];
    const across = axis === 0 ? [from, low[1], to, high[1]] : [low[0], from, high[0], to];
    sketch.polygon(corners(across), {fill: inks.now, alpha: 0.12});
    const [a, b, c, d] = corners(across);
    sketch.line(a, axis === 0 ? d : b, {stroke: inks.now, width: 2});
    sketch.line(axis === 0 ? b : d, c, {stroke: inks.now, width: 1.5, dash: [5, 4]});
  }
  const place = new Map(frame.order.map((id, i) => [id, i]));
  const done = (id) => now !== null && place.get(id) < place.get(now);
  things.forEach((box, id) => {
    const ink = inkOf(frame, id);
    sketch.polygon(corners(box), {fill: ink, alpha: 0.16});
    sketch.polygon(corners(box), {stroke: ink, width: ink === inks.a ? 1.5 : 2.5, dash: done(id) ? [4, 4] : []});
  });
  for (const [i, j] of frame.pairs) {
    const [a, b] = [things[i], things[j]];
    const shared = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
    sketch.polygon(corners(shared), {fill: inks.good, alpha: 0.55});
    sketch.polygon(corners(shared), {stroke: inks.good, width: 2.5});
  }
  const taken = [];
  things.forEach((box, id) => {
    const spots = [[[box[0], box[3], 0], [4, 15]], [[box[2], box[1], 0], [-19, -4]]];
    spots.some(([at, shift]) => sketch.text(at, `${id}`, inkOf(frame, id), shift, taken));
  });
  const end = axis === 0 ? [high[0], low[1], 0] : [low[0], high[1], 0];
  sketch.arrow([...low, 0], end, {stroke: inks.dark, width: 1.5});
}

// The intervals along the axis, in the order of the sweep.
function chart(panel, {state: {things}, frame}) {
  const {axis, order, now} = frame;
  const rows = order.length > 0 ? order : things.map((_, i) => i);
  const [low, high] = [Math.min(...things.map((b) => b[axis])), Math.max(...things.map((b) => b[axis + 2]))];
  const {width, height} = panel;
  const [left, top] = [44, 34];
  const x = (v) => left + ((v - low) / (high - low || 1)) * (width - left - 16);
  const each = Math.min(24, (height - top - 10) / rows.length);
  if (now !== null && now !== undefined) {
    panel.bar(x(things[now][axis]), top - 4, Math.max(2, x(things[now][axis + 2]) - x(things[now][axis])), each * rows.length + 8, inks.now, 0.14);
  }
  rows.forEach((id, i) => {
    const met = frame.pairs.some(([a, b]) => (a === id && b === now) || (b === id && a === now));
    const ink = met ? inks.good : inkOf(frame, id);
    panel.bar(x(things[id][axis]), top + i * each, Math.max(2, x(things[id][axis + 2]) - x(things[id][axis])), Math.max(2, each - 3), ink);
    if (each > 9) panel.text(`${id}`, left - 10, top + i * each + each / 2 + 3, ink, 'right');
  });
}

export const sweep = {
  id: 'sweep', name: 'Sweep and prune', docs: 'broad-phase', board: 'Boxes', chartName: 'Intervals along the axis, in order', presets, alwaysFlat: true, code: () => code, frames, draw, chart,
  about: 'One axis is swept; each box is compared with those behind it that begin before it ends. The library keeps the order from call to call.',
  question: ({things, before}) => {
    const split = (list) => list.map(([x0, y0, x1, y1]) => [[x0, y0], [x1, y1]]);
    return {ask: 'sweep', boxes: split(things), ...(before.length === things.length ? {before: split(before)} : {})};
  },
  valid: (things) => things.length > 0 && things.length <= 60 && things.every((b) => b.length === 4 && b[0] <= b[2] && b[1] <= b[3]),
  sentence: (frame) => sentences[frame.kind](frame),
  rows: ({pairs, steps}, {things}) => {
    const compared = steps.filter(({kind}) => kind === 'compare').length;
    return [['pairs', pairs.length], ['compared', compared], ['all with all', (things.length * (things.length - 1)) / 2], ['moves of the sort', steps.filter(({kind}) => kind === 'move').length]];
  },
  hold: ({things}) => things.flatMap(corners),
  grab(sketch, {things}, x, y) {
    const inside = ([x0, y0, x1, y1]) => {
      const [u0, v1] = sketch.toCanvas([x0, y0, 0]), [u1, v0] = sketch.toCanvas([x1, y1, 0]);
      return x >= u0 && x <= u1 && y >= v0 && y <= v1;
    };
    return things.findLastIndex(inside);
  },
  pull(state, held, [dx, dy]) {
    state.before = state.things.map((b) => [...b]);
    const [x0, y0, x1, y1] = state.things[held];
    state.things[held] = [x0 + dx, y0 + dy, x1 + dx, y1 + dy];
  },
  marks: [['area', inks.now, 'the box that the sweep has reached, and what it spans along the axis'], ['area', inks.b, 'the box that it is compared with'], ['area', inks.seen, 'boxes that it was compared with'], ['dash', inks.a, 'box that the sweep has done with'],
    ['area', inks.good, 'what both boxes of a pair share; among the intervals, a box that is a pair with the one reached'], ['line', inks.dark, 'axis of the sweep']],
  words: [['broad phase', 'what finds the pairs of boxes that share a point, so that only they are asked exactly.'],
    ['axis', 'the direction of the sweep: that along which the centres vary most.'],
    ['order', 'the boxes by their lower ends along the axis. It is kept: after a small motion a few moves of an insertion sort mend it.'],
    ['active', 'boxes that have begun and not ended where the sweep stands. The library compares forward instead: box i with those behind it up to its end. The pairs are the same.']],
};
