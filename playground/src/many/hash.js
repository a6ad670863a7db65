// The moving hash: which vertices and triangles of two deforming surfaces can meet on their ways.
import {inks, nearest} from './inks.js';
import {number} from '../steps/words.js';

// Surfaces lie in the plane, so that cells are squares. Vertices as [x, y, x, y]: at the start and at the end.
const strip = (count, x, y, w, h, [dx, dy], bend = 0) => Array.from({length: 2 * count}, (_, i) => {
  const [u, v] = [Math.floor(i / 2), i % 2];
  const [px, py] = [x + u * w, y + v * h];
  return [px, py, px + dx, py + dy + bend * Math.abs(u - (count - 1) / 2)];
});
const stripTriangles = (count) => Array.from({length: count - 1}, (_, u) => [[2 * u, 2 * u + 2, 2 * u + 1], [2 * u + 2, 2 * u + 3, 2 * u + 1]]).flat();

const presets = [
  {name: 'Two triangles fall on a band', counts: [8, 6], a: stripTriangles(4), b: [[0, 1, 2], [3, 4, 5]], why: 'Press Step: triangles are entered in the cells of their swept boxes; a vertex looks only into the cells on its way.',
    things: [...strip(4, 0, 0, 1, 0.6, [0, 0.2], 0.15), [0.4, 2.2, 0.9, 0.35], [0.1, 2.9, 0.3, 1.3], [0.8, 2.9, 1.2, 1.2], [2.3, 2, 2.1, 1.1], [2, 2.7, 1.9, 1.8], [2.7, 2.7, 2.6, 1.8]]},
  {name: 'Two bands that pass', counts: [8, 8], a: stripTriangles(4), b: stripTriangles(4), why: 'Two thirds of the faces in the cells are dropped by a comparison of boxes, before anything is asked exactly.',
    things: [...strip(4, 0, 0, 1, 0.5, [0.5, 0.1]), ...strip(4, 0.3, 0.9, 0.8, 0.5, [-0.6, -0.45])]},
  {name: 'Fast and small', counts: [3, 6], a: [[0, 1, 2]], b: [[0, 1, 2], [3, 4, 5]], why: 'A small triangle flies past both others within one step: at no end of it do they overlap. Its vertices are sought along their ways, so nothing slips through.',
    things: [[-2, 0.6, 3.2, 0.7], [-2.3, 0.9, 2.9, 1], [-2.3, 0.3, 2.9, 0.4], [0, 0, 0, 0.1], [0.7, 0, 0.7, 0.1], [0.4, 1.2, 0.4, 1.3], [1.6, 1.3, 1.6, 1.2], [2.3, 1.3, 2.3, 1.2], [1.9, 2.3, 1.9, 2.2]]},
];

const code = ['enter each face in the cells of its swept box', 'for each vertex: the cells on its way', 'for each face in the place of such a cell', '  it lies there by another cell: drop', '  it was found by an earlier cell: drop', '  the swept boxes are apart: drop', '  the way misses the box: drop', '  ask the pair exactly: a time, or never', 'the contacts, by time; those of edges by a tree'];
const kLines = {table: 0, way: 1, answer: 7};
const kEnds = {collision: 3, repeated: 4, apart: 5, missed: 6, kept: 2};
const kStages = [['found', 'found on the way'], ['collision', 'of another cell'], ['repeated', 'found before'], ['apart', 'boxes apart'], ['missed', 'way misses the box'], ['kept', 'asked exactly'], ['hit', 'contacts']];

function frames(answer) {
  let table = null, way = null;
  const counts = Object.fromEntries(kStages.map(([name]) => [name, 0]));
  const hits = [];
  const all = answer.steps.map((step) => {
    if (step.kind === 'table') [table, way] = [step, null];
    if (step.kind === 'way') way = step;
    if (step.kind === 'found') [counts.found, counts[step.end]] = [counts.found + 1, counts[step.end] + 1];
    if (step.kind === 'answer' && step.hit) {
      ++counts.hit;
      hits.push({of: table.of, vertex: step.vertex, face: step.face, time: step.time});
    }
    return {kind: step.kind, line: step.kind === 'found' ? kEnds[step.end] : kLines[step.kind], step, table, way, counts: {...counts}, hits: [...hits]};
  });
  return [...all, {kind: 'result', line: 8, answer, table, way: null, counts, hits}];
}

const other = (of) => (of === 'a' ? 'B' : 'A');
const sentences = {
  table: ({step}) => `The ${step.faces.length} faces of ${step.of.toUpperCase()} that can meet the other surface at all are entered in cells of side ${number(step.cell)}: each in all cells of the box that holds it at the start and at the end. The table has ${step.places} places.`,
  way: ({step, table}) => `Vertex ${step.vertex} of ${other(table.of)} passes ${step.cells.length} cell${step.cells.length === 1 ? '' : 's'} in which a face can lie.`,
  found: ({step}) => `Face ${step.face} lies in the place of this cell. ${{collision: 'It is there by another cell that has the same place: dropped.', repeated: 'It was found by an earlier cell of the way: dropped.', apart: 'The swept boxes of vertex and face do not meet: dropped.',
    missed: 'The boxes meet, but at no time is the vertex within the box of the face: dropped.', kept: 'The way passes through its box: the pair must be asked.'}[step.end]}`,
  answer: ({step}) => (step.hit ? `Asked exactly: vertex ${step.vertex} touches face ${step.face} first at the time ${number(step.time)}.` : `Asked exactly: vertex ${step.vertex} and face ${step.face} never touch.`),
  result: ({answer, counts}) => answer.error ?? `${answer.impacts.length} contact${answer.impacts.length === 1 ? '' : 's'}, ${counts.hit} of them of a vertex and a face. They are those that the library answers by its tree too.`,
};

const sceneOf = (state) => presets[state.scene] ?? presets[0];
function surfacesOf(state) {
  const {counts, a, b} = sceneOf(state);
  const [first, second] = [state.things.slice(0, counts[0]), state.things.slice(counts[0])];
  const of = (vertices, triangles) => ({vertices_t0: vertices.map(([x, y]) => [x, y]), vertices_t1: vertices.map(([, , x, y]) => [x, y]), triangles});
  return {a: of(first, a), b: of(second, b)};
}
const flat = ([x, y]) => [x, y, 0];

function cellsOf(sketch, table, cells, style) {
  const {origin, cell} = table;
  for (const [i, j] of cells) {
    const [x, y] = [origin[0] + i * cell, origin[1] + j * cell];
    sketch.polygon([[x, y, 0], [x + cell, y, 0], [x + cell, y + cell, 0], [x, y + cell, 0]], style);
  }
}

function range({low, high}) {
  const cells = [];
  for (let i = low[0]; i <= high[0]; ++i) for (let j = low[1]; j <= high[1]; ++j) cells.push([i, j]);
  return cells;
}

function draw(sketch, {state, frame}) {
  const {table, way, step} = frame;
  const both = surfacesOf(state);
  const looked = step?.kind === 'found' || step?.kind === 'answer' ? step : null;
  if (table) {
    for (const face of table.faces) cellsOf(sketch, table, range(face), {stroke: inks.faint, width: 0.7, alpha: 0.5});
    if (looked) {
      const covered = table.faces.find(({face}) => face === looked.face);
      cellsOf(sketch, table, range(covered), {fill: inks.seen, alpha: 0.13});
    } else if (step?.kind === 'table') {
      for (const face of table.faces) cellsOf(sketch, table, range(face), {fill: inks.seen, alpha: 0.09});
    }
    if (way) cellsOf(sketch, table, way.cells, {stroke: inks.now, width: 2});
    if (looked?.cell) cellsOf(sketch, table, [looked.cell], {fill: inks.now, alpha: 0.3});
  }
  for (const [name, ink] of [['a', inks.a], ['b', inks.b]]) {
    const {vertices_t0: start, vertices_t1: end, triangles} = both[name];
    triangles.forEach((corners, f) => {
      const now = looked && table.of === name && looked.face === f;
      sketch.polygon(corners.map((i) => flat(start[i])), {fill: ink, alpha: now ? 0.5 : 0.25});
      sketch.polygon(corners.map((i) => flat(start[i])), {stroke: ink, width: now ? 3 : 1.5});
      sketch.polygon(corners.map((i) => flat(end[i])), {stroke: ink, width: now ? 2.5 : 1.2, dash: [5, 4]});
      const middle = flat([0, 1].map((k) => corners.reduce((sum, i) => sum + start[i][k], 0) / 3));
      sketch.text(middle, `${f}`, ink, [-4, 4]);
    });
    start.forEach((p, i) => {
      const now = way && table.of !== name && way.vertex === i;
      sketch.arrow(flat(p), flat(end[i]), {stroke: now ? inks.now : ink, width: now ? 2.8 : 1.2});
      sketch.mark(flat(p), 'disc', now ? inks.now : ink, now ? 5.5 : 3.5);
      sketch.mark(flat(end[i]), 'square', now ? inks.now : ink, 2.5);
    });
  }
  for (const {of, vertex, time} of frame.hits) {
    const {vertices_t0: start, vertices_t1: end} = both[of === 'a' ? 'b' : 'a'];
    sketch.mark(flat([0, 1].map((k) => start[vertex][k] + time * (end[vertex][k] - start[vertex][k]))), 'diamond', inks.good, 6);
  }
}

// How many faces came to each stage, and which one is dropped now.
function chart(panel, {frame}) {
  const {counts, step} = frame;
  const [left, top] = [24 + Math.max(...kStages.map(([, words]) => panel.widthOf(words))), 44];
  const each = Math.min(46, (panel.height - top - 8) / kStages.length);
  const most = Math.max(counts.found, 1);
  const now = step?.kind === 'found' ? step.end : step?.kind === 'answer' ? (step.hit ? 'hit' : 'kept') : '';
  kStages.forEach(([name, words], i) => {
    const ink = name === 'hit' ? inks.good : name === 'kept' ? inks.now : name === 'found' ? inks.plain : inks.seen;
    const y = top + i * each;
    panel.text(words, left - 10, y + each / 2 + 2, now === name ? inks.now : inks.plain, 'right');
    panel.bar(left, y, Math.max(1.5, (counts[name] / most) * (panel.width - left - 50)), each - 6, ink, now === name ? 1 : 0.6);
    panel.text(`${counts[name]}`, left + (counts[name] / most) * (panel.width - left - 50) + 7, y + each / 2 + 2, ink);
  });
}

export const hash = {
  id: 'hash', name: 'Moving hash', docs: 'continuous-collision', board: 'Surfaces in motion: start, dashed end', chartName: 'What each stage drops', presets, alwaysFlat: true, code: () => code, frames, draw, chart,
  about: 'First the vertices of A against the faces of B, then the reverse. No pair that can touch is dropped.',
  question: (state) => ({ask: 'hash', ...surfacesOf(state)}),
  valid: (things, state) => things.length === sceneOf(state).counts[0] + sceneOf(state).counts[1] && things.every((p) => p.length === 4),
  sentence: (frame) => sentences[frame.kind](frame),
  rows: ({impacts, hash: counts}) => [['contacts', impacts.length], ['first', impacts.length > 0 ? `t = ${number(impacts[0].time)}` : 'none'], ['faces found in cells', counts.found], ['pairs whose boxes meet', counts.boxes], ['pairs asked exactly', counts.paths]],
  hold: ({things}) => things.flatMap(([x0, y0, x1, y1]) => [[x0, y0, 0], [x1, y1, 0]]),
  grab: (sketch, {things}, x, y, reach) => nearest(sketch, things.flatMap(([x0, y0, x1, y1]) => [[x1, y1, 0], [x0, y0, 0]]), x, y, reach),
  // Ends and starts are dragged alone.
  pull(state, held, [dx, dy]) {
    const [vertex, start] = [Math.floor(held / 2), held % 2];
    const at = [...state.things[vertex]];
    at[start ? 0 : 2] += dx;
    at[start ? 1 : 3] += dy;
    state.things[vertex] = at;
  },
  places: ({things}) => 2 * things.length,
  marks: [['area', inks.a, 'surface A: filled at the start, dashed at the end'], ['area', inks.b, 'surface B'], ['disc', inks.now, 'the vertex that is looked at, and the cells on its way'], ['area', inks.seen, 'cells of the face that is looked at; as a bar, faces that a stage drops'], ['diamond', inks.good, 'where a vertex touches a face']],
  words: [['cell', 'a square of the grid. Its side is the mean side of the swept boxes.'],
    ['swept box', 'the box that holds a vertex or a face at the start and at the end of the step: everything moves straight in between.'],
    ['stage', 'a check on a face that was found: each one drops some, the dearest check comes last. A bar counts the faces that were found, dropped or asked so far.'],
    ['place', 'cells are kept in a table of fixed size, by a number computed from their coordinates. Two cells may share a place.'],
    ['way', 'the segment on which a vertex moves, widened by more than its rounding.'],
    ['exactly', 'the first time at which vertex and face touch, never too late: see the page on continuous collision.']],
};
