// The algorithms of the page: what they are asked, their pseudo-code, and which of its lines a step stands at.

/// `ask`: the question of the query line; `method`: its method, and `more` its own parameters; `docs`: the page that explains it. `along`:
/// the method also answers along A's motion.
export const methods = [
  {id: 'gjk', name: 'GJK', group: 'GJK, by sub-algorithm', docs: 'gjk', about: 'Walks a simplex of support points towards the origin; then, in overlap, the expanding polytope.'},
  {id: 'gjk_signed_volumes', name: 'GJK, signed volumes', group: 'GJK, by sub-algorithm', docs: 'gjk', about: 'The same walk; the nearest point of the simplex comes from signed volumes instead of Voronoi regions.'},
  {id: 'gjk_nesterov', name: 'GJK with momentum', group: 'GJK, by sub-algorithm', docs: 'gjk', about: 'The first directions remember the ones before (Nesterov), so that they need not be the nearest point’s.'},
  {id: 'auto', name: 'Tactus', group: 'In use', docs: 'decision-path', about: 'A closed form where there is one; else Newton’s steps on the sphere of directions, and a proof that no other direction is better.'},
  {id: 'closed_form', name: 'Closed form', group: 'In use', docs: 'closed-forms', about: 'A formula for the pair: one step.'},
  {id: 'epa_classic', name: 'EPA, as published', group: 'Classic', docs: 'epa', about: 'GJK with a relative stop, a start tetrahedron, then a polytope that grows at its nearest face.'},
  {id: 'epa_margin', name: 'EPA, margin and coarse stop', group: 'Classic', docs: 'epa', method: 'epa_classic', more: {margin: 0.01, eps: 0.1}, about: 'The steps are those of EPA on the bodies as they are. “As printed” is what the source’s form says of them, grown by 0.01 each, with a stop at 10 %: its depth less 0.02.'},
  {id: 'epa_spheres', name: 'EPA, spheres for faces', group: 'Classic', docs: 'epa', method: 'epa_classic', more: {spheres: true, eps: 0.05}, about: 'The steps are those of EPA without spheres. “As printed” is what the source’s form says, which takes a sphere through a face and the point beyond it for the surface, with a stop at 5 %.'},
  {id: 'mpr', name: 'MPR', group: 'Classic', docs: 'mpr', along: true, about: 'A portal of three support points is moved out along the ray from an inner point through the origin.'},
  {id: 'chung_wang', name: 'Chung–Wang', group: 'Classic', docs: 'chung-wang', about: 'Turns a direction by reflections until it separates, or until no direction can.'},
  {id: 'sat', name: 'Separating axes', group: 'Classic', docs: 'separating-axes', about: 'Tries every direction that can be the best of two polytopes: face normals, then pairs of edges.'},
  {id: 'separating_plane', name: 'Separating plane', group: 'Classic', docs: 'separating-plane', about: 'Tries the faces of both polytopes alone.'},
  {id: 'v_clip', name: 'V-Clip', group: 'Classic', docs: 'v-clip', about: 'Walks over vertices, edges and faces of both polytopes to the nearest pair.'},
  {id: 'cast', name: 'Ray cast', group: 'In motion', docs: 'casts', ask: 'cast', method: 'auto', about: 'GJK against a moving origin: when does A, moving along its arrow, first touch B?'},
  {id: 'impact', name: 'Conservative advancement', group: 'In motion', docs: 'time-of-impact', ask: 'impact', method: 'auto', about: 'As far ahead in time as the distance and a bound of the speed allow, again and again. A turns on its way.'},
];

export const methodOf = (id) => methods.find((method) => method.id === id) ?? methods[0];

const codes = {
  gjk: ['n ← from A to B;  w ← s(n)', 'v ← nearest point of conv W', 'n ← −v/|v|;  w ← s(n)', 'lower ← max(lower, −n·w);  upper ← |v|', 'narrow enough, or w known: stop', 'W ← W ∪ {w};  0 in conv W: overlap'],
  epa: ['face ← nearest of the polytope', 'n ← its normal;  w ← s(n)', 'depth ≥ |face|;  depth ≤ n·w', 'equal: stop', 'replace the faces that w sees'],
  newton: ['f(n) ← max of n·x over A − B', 'n ← Newton step on the sphere', 'flat in n: a critical direction', 'prove caps: f ≥ depth around them'],
  mpr: ['p ← a point inside of A − B', 'w ← s(n): corners around the ray p → 0', 'n ← normal of the portal;  w ← s(n)', 'n·w < 0: apart;  0 behind it: overlap', 'w takes the place of a corner'],
  chung_wang: ['w ← s(n)', 'n·w < 0: n separates', 'n ← n − 2 (n·ŵ) ŵ', 'or: the middle of what may separate', 'nothing may: overlap'],
  sat: ['n ← face normals of A and B', 'n ← edge of A × edge of B', 'gap(n) ← −f(n);  keep the largest', 'positive: apart', 'all tried: it is minus the depth'],
  separating_plane: ['n ← face normals of A', 'n ← face normals of B', 'gap(n) ← −f(n);  keep the largest', 'positive: apart', 'else nothing is proved'],
  v_clip: ['X, Y ← a vertex of each', 'clip Y by the Voronoi region of X,', 'and X by that of Y', 'cut off: step to the neighbour there', 'neither: X and Y are nearest'],
  ray_cast: ['x ← origin, moved for the time t', 'w ← s(n)', 'n·(w − x) < 0: t ← as far as n proves', 'W ← W ∪ {w}', 'n ← from conv W towards x'],
  impact: ['d, n ← distance at t', 'near: arrived', 'v ← bound of the approach along n', 't ← t + d/v'],
  result: ['bracket, normal and points', 'the checker proves them anew'],
};
codes.gjk_classic = [...codes.gjk.slice(0, 4), 'w·v ≥ |v|² (1 − eps): stop', codes.gjk[5]];
codes.epa_classic = codes.epa;

export const codeOf = (stage) => codes[stage] ?? [];

const kStageNames = {gjk: 'GJK', gjk_classic: 'GJK, as published', epa: 'Expanding polytope', epa_classic: 'EPA, as published', newton: 'Newton on the sphere', mpr: 'MPR', chung_wang: 'Chung–Wang', sat: 'Separating axes', separating_plane: 'Separating plane', v_clip: 'V-Clip', ray_cast: 'Ray cast', impact: 'Conservative advancement', result: 'Answer'};
export const stageName = (stage) => kStageNames[stage] ?? stage;

/// Steps of one moment as one frame: {stage, iteration, lower, upper, radii, simplex?, plane?, polytope?, ...}. The last frame is the
/// answer itself, to its bits.
export function framesOf(answer) {
  const frames = [];
  for (const step of answer.steps) {
    if (step.stage === 'answer') continue;
    const last = frames.at(-1);
    const same = last && last.stage === step.stage && last.iteration === step.iteration && !(step.kind in last);
    const frame = same ? last : {stage: step.stage, iteration: step.iteration, radii: step.radii};
    Object.assign(frame, {lower: step.lower, upper: step.upper, [step.kind]: step});
    if (!same) frames.push(frame);
  }
  const {lower, upper, time, time_upper: timeUpper} = answer;
  const inTime = time !== undefined;
  frames.push({stage: 'result', iteration: answer.iterations, radii: 0, lower: inTime ? time : lower, upper: inTime ? timeUpper : upper, answer});
  return frames;
}

/// The line of `codeOf(frame.stage)` that a frame stands at.
export function lineOf(frame, before) {
  const {stage, simplex, plane, polytope} = frame;
  if (stage === 'gjk' || stage === 'gjk_classic') {
    if (simplex.points.length === 0) return 0;
    if (frame.upper === 0) return 5;
    return before?.lower === frame.lower && before?.upper === frame.upper ? 2 : 3;
  }
  if (stage === 'epa' || stage === 'epa_classic') return frame.cap || !polytope ? 2 : 1;
  if (stage === 'newton') return frame.cap ? 3 : before?.stage === 'newton' && before.plane ? 1 : 0;
  if (stage === 'mpr') {
    if (frame.lower > 0) return 3;
    return simplex.points.length < 4 ? 1 : frame.upper < 0 ? 3 : 2;
  }
  if (stage === 'chung_wang') return frame.lower > 0 ? 1 : 0;
  if (stage === 'sat' || stage === 'separating_plane') return plane.offset < 0 ? 3 : 2;
  if (stage === 'v_clip') return frame.iteration === 1 ? 0 : 3;
  if (stage === 'ray_cast') return frame.lower > (before?.lower ?? 0) ? 2 : 3;
  if (stage === 'impact') return frame.iteration <= 1 ? 0 : 3;
  return 0;
}
