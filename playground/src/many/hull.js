// Convex hull: quickhull in space, the monotone chain in a plane.
import {add, cross, dot, scale, sub} from '../steps/sketch.js';
import {generator, inks, nearest, rounded} from './inks.js';

function cloud(count, seed, make) {
  const random = generator(seed);
  return Array.from({length: count}, () => make(random).map(rounded));
}
const inBox = (random) => [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
const inSquare = (random) => [...inBox(random).slice(0, 2), 0];
const onSphere = (random) => {
  const z = 2 * random() - 1, angle = 2 * Math.PI * random(), r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z];
};
const grid = [0, 1, 2].flatMap((x) => [0, 1, 2].flatMap((y) => [0, 1, 2].map((z) => [x - 1, y - 1, z - 1])));

const presets = [
  {name: 'Points in space', why: 'Press Step: the farthest point of a list joins, the faces that it sees go, a cone from their rim takes their place.', things: cloud(22, 7, inBox)},
  {name: 'Points in the plane', flat: true, why: 'The chain turns left only: a point that makes it turn right sends earlier ones away.', things: cloud(16, 3, inSquare)},
  {name: 'Points on a sphere', why: 'Every point is a corner: each one joins once.', things: cloud(18, 5, onSphere)},
  {name: 'A grid: exactly coplanar', why: 'Points in the plane of a face do not see it: signs are exact, so that nothing is lost or doubled. Coplanar faces are merged in the end.', things: grid},
  {name: 'A start that is flat', why: 'All points but one lie in one plane. Two opposite triangles and any further point, as a source begins, make a flat body, and the next step fails. Here four points that are not coplanar are found first, by exact signs.', things: [...grid.filter(([, , z]) => z === 0), [0.25, 0.25, 1]]},
  {name: 'In the plane: points in rows', flat: true, why: 'Points on an edge are no corners: the chain drops a point that turns by nothing.', things: grid.slice(0, 9).map(([, y, z]) => [y, z, 0])},
];

const spaceCode = ['S ← four points far apart; each point outside waits at a face it sees', 'p ← farthest of the points that wait at a face', 'seen ← faces that p sees;  horizon ← their rim', 'replace seen by the cone horizon × p',
  'deal their points to the cone; who sees none is inside', 'nobody waits: merge coplanar faces'];
const planeCode = ['order the points from left to right', 'p ← next one:  lower chain', 'p ← next one:  upper chain, from right to left', 'while the last turn is not to the left: drop its point', 'add p', 'back at the start: the hull'];

function framesInSpace(answer) {
  const frames = [];
  let faces = [], waiting = [];
  for (const step of answer.steps) {
    if (step.kind === 'point') {
      frames.push({kind: 'point', line: 1, step, faces, waiting}, {kind: 'seen', line: 2, step, faces, waiting});
    } else {
      ({faces, waiting} = step);
      frames.push({kind: step.kind, line: step.kind === 'start' ? 0 : 3, step, faces, waiting});
    }
  }
  return frames;
}

function framesInPlane(answer) {
  const frames = [];
  let chain = [];
  for (const step of answer.steps) {
    if (step.kind === 'order') {
      frames.push({kind: 'order', line: 0, step, chain});
      continue;
    }
    if (step.removed.length > 0) frames.push({kind: 'drop', line: 3, step, chain});
    ({chain} = step);
    frames.push({kind: 'chain', line: step.upper ? 2 : 1, step, chain});
  }
  return frames;
}

const count = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
const sentences = {
  start: ({waiting}) => `Four points far apart span a tetrahedron. ${count(waiting.flat().length, 'point')} outside wait, each at one face that it sees; all others are inside for good.`,
  point: ({step}) => `Point ${step.point} is the farthest of those that wait at the marked face: it is a corner for certain.`,
  seen: ({step}) => `It sees ${count(step.seen.length, 'face')}${step.seen.length > 1 ? ', found from one to its neighbours' : ''}. The rim is the horizon: each of its ${step.horizon.length} edges has a seen face on one side and an unseen one on the other.`,
  cone: ({step, waiting}) => `${count(step.new.length, 'new face')} from the horizon to point ${step.point}. What waited at the seen faces is dealt to them: ${count(waiting.flat().length, 'point')} still wait${waiting.flat().length === 1 ? 's' : ''}.`,
  order: ({step}) => `${count(step.order.length, 'place')} in order, from left to right.`,
  drop: ({step}) => `Before point ${step.point} can join, ${step.removed.length === 1 ? `point ${step.removed[0]} leaves: it does` : `points ${step.removed.join(', ')} leave: they do`} not turn to the left.`,
  chain: ({step}) => `Point ${step.point} joins the ${step.upper ? 'upper' : 'lower'} chain.`,
  result: ({answer}) => (answer.error ? answer.error : `${count(answer.vertices.length, 'corner')}${answer.dimension === 3 ? ` and ${count(answer.faces.length, 'face')}` : answer.dimension < 2 ? ': all points lie in a line' : ''}. It is the hull that the library answers.`),
};

const pointsOf = ({things}) => things;

// A face in space, brighter where it looks to the eye.
function face(sketch, points, corners, {fill, stroke, alpha, width = 1}) {
  const [p, q, r] = corners.map((i) => points[i]);
  const near = dot(cross(sub(q, p), sub(r, p)), sketch.toEye) > 0;
  const all = corners.map((i) => points[i]);
  sketch.polygon(all, {fill, alpha: near ? alpha : 0.35 * alpha});
  sketch.polygon(all, {stroke, width: near ? width : 0.6 * width, alpha: near ? 0.9 : 0.3});
}

function drawSpace(sketch, points, frame) {
  const {step} = frame;
  const same = (list, corners) => list.some((other) => other.every((c, i) => c === corners[i]));
  const faces = frame.kind === 'result' ? frame.answer.faces : frame.faces;
  for (const corners of faces) {
    const seen = frame.kind === 'seen' && same(step.seen, corners);
    const fresh = frame.kind === 'cone' && same(step.new, corners);
    const start = frame.kind === 'point' && same([step.face], corners);
    const ink = seen ? inks.seen : fresh ? inks.good : start ? inks.now : frame.kind === 'result' ? inks.a : inks.plain;
    face(sketch, points, corners, {fill: ink, stroke: ink, alpha: seen || fresh || start ? 0.42 : 0.14, width: seen || fresh || start ? 2 : 1.2});
  }
  frame.waiting?.forEach((list, f) => {
    const corners = frame.faces[f].map((i) => points[i]);
    const middle = scale(corners.reduce((sum, p) => add(sum, p)), 1 / 3);
    for (const i of list) sketch.line(middle, points[i], {stroke: inks.seen, width: 1, dash: [2, 4], alpha: 0.6});
  });
  if (frame.kind === 'seen') {
    for (const [tail, head] of step.horizon) sketch.line(points[tail], points[head], {stroke: inks.dark, width: 3.5, dash: [9, 5]});
    for (const [tail] of step.horizon) sketch.line(points[step.point], points[tail], {stroke: inks.good, width: 1, dash: [4, 4]});
  }
}

function drawPlane(sketch, points, frame) {
  const chain = frame.kind === 'result' ? [...frame.answer.faces[0] ?? [], frame.answer.faces[0]?.[0]].filter((i) => i !== undefined) : frame.chain;
  if (frame.kind === 'result' && chain.length > 2) sketch.polygon(chain.map((i) => points[i]), {fill: inks.a, alpha: 0.14});
  for (let i = 1; i < chain.length; ++i) {
    const gone = frame.kind === 'drop' && chain.length - 1 - i < frame.step.removed.length;
    sketch.line(points[chain[i - 1]], points[chain[i]], {stroke: gone ? inks.seen : inks.a, width: 2.5, dash: gone ? [6, 5] : []});
  }
  if (frame.kind === 'drop') sketch.line(points[chain.at(-1)], points[frame.step.point], {stroke: inks.now, width: 1.5, dash: [3, 4]});
  if (frame.kind === 'order') frame.step.order.slice(1).forEach((i, k) => sketch.line(points[frame.step.order[k]], points[i], {stroke: inks.faint, width: 1, dash: [2, 4]}));
}

function draw(sketch, {state, frame}) {
  const points = pointsOf(state);
  if (frame.answer?.error) return;
  const inPlane = frame.answer ? frame.answer.dimension < 3 : Boolean(frame.chain);
  (inPlane ? drawPlane : drawSpace)(sketch, points, frame);
  const corners = new Set(frame.kind === 'result' ? frame.answer.vertices : inPlane ? frame.chain : frame.faces.flat());
  const waiting = new Set(frame.waiting?.flat() ?? []);
  points.forEach((p, i) => {
    const now = frame.step?.point === i;
    if (now) sketch.mark(p, 'diamond', inks.now, 6);
    else if (corners.has(i)) sketch.mark(p, 'disc', inks.a, 5);
    else if (waiting.has(i)) sketch.mark(p, 'square', inks.seen, 4.5);
    else sketch.mark(p, 'disc', inks.faint, 3);
  });
  // Numbers of corners first: where two would cover each other, that of a point inside is left out.
  const rank = (i) => (frame.step?.point === i ? 0 : corners.has(i) ? 1 : waiting.has(i) ? 2 : 3);
  const taken = [];
  [...points.keys()].sort((i, j) => rank(i) - rank(j)).forEach((i) => sketch.text(points[i], `${i}`, [inks.now, inks.a, inks.seen, inks.plain][rank(i)], [9, -9], taken));
}

export const hull = {
  id: 'hull', name: 'Convex hull', docs: 'convex-hull', board: 'Points', presets,
  about: 'In space quickhull: the farthest point first. In a plane the monotone chain. Every sign is exact.',
  code: ({answer}) => (answer.dimension === 3 ? spaceCode : planeCode),
  question: ({things}) => ({ask: 'hull', points: things}),
  valid: (things) => things.length > 0 && things.length <= 60 && things.every((p) => p.length === 3),
  frames(answer) {
    const frames = answer.dimension === 3 ? framesInSpace(answer) : framesInPlane(answer);
    return [...frames, {kind: 'result', line: 5, answer}];
  },
  sentence: (frame) => sentences[frame.kind](frame),
  rows: ({dimension, vertices, faces, steps}) => [['dimension', dimension], ['corners', vertices.length], ['faces', faces.length], ['steps that added a point', steps.filter(({kind}) => kind === 'cone' || kind === 'chain').length]],
  hold: (state) => pointsOf(state),
  draw,
  grab: (sketch, state, x, y, reach) => nearest(sketch, pointsOf(state), x, y, reach),
  pull(state, held, way, flat) { state.things[held] = add(state.things[held], flat ? [way[0], way[1], 0] : way); },
  marks: [['disc', inks.a, 'corner'], ['square', inks.seen, 'point that waits, with a line to its face'], ['disc', inks.faint, 'point inside, or in a plane not looked at yet'], ['diamond', inks.now, 'the point that joins'],
    ['area', inks.seen, 'face that it sees'], ['dash', inks.dark, 'horizon'], ['area', inks.good, 'new face'], ['line', inks.a, 'chain in a plane; dashed where it is dropped']],
  words: [['hull', 'the smallest convex body around all points: the least polytope, in a plane the least polygon.'],
    ['sees', 'a point sees a face when it lies strictly outside of the face’s plane. The sign is computed exactly, whatever the coordinates.'],
    ['horizon', 'the closed path of edges between the faces that a point sees and those that it does not.'],
    ['waits', 'a point outside is kept in the list of one face that it sees; it is looked at again only when that face goes.'],
    ['cone', 'triangles from the edges of the horizon to the new point: they close the hole.']],
};
