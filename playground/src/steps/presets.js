// Shapes to choose from, and places of two bodies that show something: counter-examples of what the literature says among them.

const ring = (corners, radius, turn = 0) => Array.from({length: corners}, (_, i) => {
  const angle = turn + (2 * Math.PI * i) / corners;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
});
const rounded = (x) => Math.round(x * 1e6) / 1e6;
// As long as no body is wide, so that the shortest way out lies in the plane.
const prism = (outline) => ({type: 'convex', vertices: outline.flatMap(([x, y]) => [-4, 4].map((z) => [rounded(x), rounded(y), z]))});

/// Bodies in space.
export const solids = {
  box: {type: 'box', size: [1.4, 1, 0.8]},
  cube: {type: 'box', size: [1, 1, 1]},
  plate: {type: 'box', size: [1.8, 1.4, 0.2]},
  sphere: {type: 'sphere', radius: 0.6},
  capsule: {type: 'capsule', radius: 0.35, length: 1},
  cylinder: {type: 'cylinder', radius: 0.5, length: 1.2},
  cone: {type: 'cone', radius: 0.6, length: 1.3},
  ellipsoid: {type: 'ellipsoid', radii: [0.9, 0.55, 0.4]},
  tetrahedron: {type: 'convex', vertices: [[0.9, 0, -0.4], [-0.5, 0.8, -0.4], [-0.5, -0.8, -0.4], [0, 0, 0.8]]},
  octahedron: {type: 'convex', vertices: [[0.8, 0, 0], [-0.8, 0, 0], [0, 0.8, 0], [0, -0.8, 0], [0, 0, 0.8], [0, 0, -0.8]]},
  egg: {type: 'ellipsoid', radii: [0.5, 0.7, 0.9]},
  lens: {type: 'ellipsoid', radii: [0.9, 0.6, 0.5]},
  leaning: {type: 'convex', vertices: [[1, -3, -1], [-2, 0, 2], [-3, -2, 2], [1, 2, 1]]},
  dot: {type: 'sphere', radius: 0.05},
  pebble: {type: 'convex', vertices: [[0.8, 0.1, 0.2], [-0.7, 0.3, 0.1], [0.2, 0.75, -0.2], [0.1, -0.7, 0.25], [0.5, 0.4, 0.5], [-0.4, 0.5, 0.5], [-0.3, -0.5, 0.55], [0.45, -0.35, 0.6], [0.4, 0.3, -0.55], [-0.45, 0.2, -0.6], [-0.2, -0.55, -0.5], [0.55, -0.4, -0.45]]},
};

/// Prisms seen along their axis: the plane.
export const outlines = {
  triangle: prism(ring(3, 0.9, 0.3)),
  square: prism(ring(4, 0.8, 0.4)),
  pentagon: prism(ring(5, 0.8, 0.2)),
  bar: prism([[-1, -0.25], [1, -0.25], [1, 0.25], [-1, 0.25]]),
  disc: {type: 'cylinder', radius: 0.6, length: 8},
  sliver: prism([[-2, -1], [-1, 1], [-3, -2]]),
  dot: {type: 'sphere', radius: 0.05},
};

export const shapesOf = (flat) => (flat ? outlines : solids);

const still = [1, 0, 0, 0];
const about = ([x, y, z], angle) => {
  const s = Math.sin(angle / 2) / Math.hypot(x, y, z);
  return [Math.cos(angle / 2), x * s, y * s, z * s].map(rounded);
};

/// `state` over the defaults; `why`: what to look at. `page`: where docs/algorithms says so.
export const presets = [
  {name: 'Apart, in the plane', group: 'Begin here', why: 'Press Step: GJK’s simplex walks towards the origin, and the bracket shrinks from both sides.',
    state: {flat: true, a: 'pentagon', b: 'triangle', at: [-1.1, -0.2, 0], to: [0.9, 0.4, 0], method: 'gjk', other: ''}},
  {name: 'Overlap, in the plane', group: 'Begin here', why: 'The simplex closes around the origin; then the polytope grows at its nearest face until that is the surface.',
    state: {flat: true, a: 'square', b: 'pentagon', at: [-0.35, -0.1, 0], to: [0.55, 0.2, 0], method: 'gjk', other: ''}},
  {name: 'Two boxes apart', group: 'Begin here', why: 'The same in space. Drag a body, or the background to look around.',
    state: {a: 'box', b: 'cube', at: [-1, 0, 0], to: [1.1, 0.4, 0.3], turnB: about([1, 1, 0.3], 0.7), method: 'gjk', other: ''}},
  {name: 'Curved bodies: polytope and Newton', group: 'Side by side', why: 'The same depth twice: left by more and more faces that close in on a curved surface, right by a few steps on the sphere of directions and a proof.',
    state: {a: 'ellipsoid', b: 'cylinder', at: [-0.35, 0, 0], to: [0.4, 0.15, 0.1], turnB: about([0, 1, 0.2], 0.8), method: 'epa_classic', other: 'auto'}},
  {name: 'Portal and polytope', group: 'Side by side', why: 'MPR stops where its ray leaves A − B. The other method finds the shortest way out.',
    state: {a: 'box', b: 'pebble', at: [-0.3, 0, 0], to: [0.4, 0.2, 0.15], method: 'mpr', other: 'gjk'}},
  {name: 'Sub-algorithms of GJK', group: 'Side by side', why: 'Voronoi regions and signed volumes find the same nearest points here: the walks agree step by step.',
    state: {a: 'cone', b: 'capsule', at: [-1, 0, 0], to: [0.9, 0.5, 0.4], turnB: about([1, 0.4, 0], 1), method: 'gjk', other: 'gjk_signed_volumes'}},
  {name: 'Faces alone miss an edge pair', group: 'Not to be followed literally', page: 'separating-plane',
    why: 'Two edges cross without touching. No face of either body separates them, so a search over faces alone says nothing; one pair of edges does. “No face separates” proves no overlap.',
    state: {a: 'cube', b: 'cube', at: [0, 0, -0.72], to: [0, 0, 0.72], turnA: about([1, 0, 0], Math.PI / 4), turnB: about([0, 1, 0], Math.PI / 4), method: 'separating_plane', other: 'sat'}},
  {name: 'MPR’s depth is not the least', group: 'Not to be followed literally', page: 'mpr',
    why: 'A plate deep in a box, off its middle: the ray from centre to centre leaves through the wrong side. The depth along the portal is an upper bound, no more.',
    state: {a: 'plate', b: 'box', at: [-0.62, 0, 0.22], to: [0.25, 0, 0], method: 'mpr', other: 'sat'}},
  {name: 'MPR’s three depths', group: 'Not to be followed literally', page: 'mpr',
    why: 'Go to the answer: three ways out. Along the ray (r), 0.716; along A’s motion (v), whose arrow can be dragged; by the portal’s normal (p), 0.7. Each is an upper bound, and none is the depth: the other method finds 0.22, across.',
    state: {flat: true, a: 'bar', b: 'bar', at: [-0.65, -0.14, 0], to: [0.65, 0.14, 0], way: [0.7, 0.6, 0], method: 'mpr', other: 'gjk'}},
  {name: 'A margin with a coarse stop', group: 'Not to be followed literally', page: 'epa',
    why: 'The bodies overlap by 0.00001. Grown by a margin of 0.01 each they overlap deeply, but the printed depth is a lower bound less the margins: with a stop at 10 % it says that they do not touch. The bracket beside it holds the truth.',
    state: {a: 'egg', b: 'lens', at: [-0.7, 0, 0], to: [0.69999, 0, 0], method: 'epa_margin', other: 'auto'}},
  {name: 'Spheres for faces', group: 'Not to be followed literally', page: 'epa',
    why: 'A sphere through a face and the point beyond it bulges out of the body at a sharp rim. “As printed” is 39 % too deep here; it bounds the depth from above, no more. The polytope keeps the lower bound.',
    state: {a: 'cylinder', b: 'cone', at: [-0.36, -0.07, -0.285], to: [0.36, 0.07, 0.285], turnB: [0.531501, 0.612771, 0.353910, 0.465582], method: 'epa_spheres', other: 'auto'}},
  {name: 'Nearest point of a triangle', group: 'Not to be followed literally', page: 'gjk',
    why: 'A − B is a sliver. The origin lies beyond its long side, whose nearest point is 2.236 away, and beyond a short one, which comes as near as 1.342. The first violated edge need not be the nearest: all regions are compared.',
    state: {flat: true, a: 'sliver', b: 'dot', at: [0, 0, 0], to: [0, 0, 0], method: 'gjk', other: 'gjk_signed_volumes'}},
  {name: 'The first visible face', group: 'Not to be followed literally', page: 'gjk',
    why: 'The face of points 1, 2 and 3 of this tetrahedron sees the origin from 1.633 away. The nearest point, at 0.649, lies on another face that sees it, too: all visible faces are compared.',
    state: {a: 'leaning', b: 'dot', at: [0, 0, 0], to: [0, 0, 0], method: 'gjk', other: ''}},
  {name: 'Bounds are not monotone', group: 'Not to be followed literally', page: 'gjk',
    why: 'The support planes of later directions lie behind those of earlier ones: watch for “bounds need not grow”. The best bound must be kept.',
    state: {a: 'plate', b: 'plate', at: [-0.6, -0.2, 0.1], to: [0.79, 0.37, 0.19], turnA: [0.861034, 0.280336, -0.400481, 0.140168],
      turnB: [-0.029936, 0.708478, -0.62865, 0.319314], method: 'gjk', other: ''}},
  {name: 'A relative stop that never fires', group: 'Not to be followed literally', page: 'epa',
    why: 'The spheres touch: |v| goes to 0, and a rule relative to |v|² is never met. The published method needs an absolute end; the bracket at 0 stays undecided, as it must.',
    state: {a: 'ellipsoid', b: 'sphere', at: [-0.9, 0, 0], to: [0.6, 0, 0], method: 'epa_classic', other: 'auto'}},
  {name: 'Concentric: no first direction', group: 'Not to be followed literally', page: 'gjk',
    why: 'Both centres are one point: “from A to B” is the zero vector, and needs a rule. MPR’s ray has no direction either.',
    state: {a: 'cube', b: 'octahedron', at: [0, 0, 0], to: [0, 0, 0], method: 'mpr', other: 'gjk'}},
  {name: 'Hemisphere test in a special position', group: 'Not to be followed literally', page: 'chung-wang',
    why: 'Deep and symmetric: all support points met can lie in a plane through the origin, where “no direction is left” would be no proof. Only a tetrahedron that holds the origin is.',
    state: {a: 'cube', b: 'cube', at: [-0.25, 0, 0], to: [0.25, 0, 0], method: 'chung_wang', other: 'sat'}},
  {name: 'Closest features in overlap', group: 'Not to be followed literally', page: 'v-clip',
    why: 'Lin and Canny’s walk cycles when bodies overlap. V-Clip stops at an edge that runs through a face: penetrating, without a depth.',
    state: {a: 'octahedron', b: 'tetrahedron', at: [-0.25, 0, 0], to: [0.3, 0.1, 0], method: 'v_clip', other: 'sat'}},
  {name: 'No relative motion', group: 'Not to be followed literally', page: 'casts',
    why: 'A stands still beside B: the quadratic of two moving spheres has a = 0, and the ray has no direction. The answer is “never”, not a division by zero.',
    state: {a: 'box', b: 'ellipsoid', at: [-1.1, 0, 0], to: [1, 0.2, 0], way: [0, 0, 0], method: 'cast', other: ''}},
  {name: 'Ray cast', group: 'In motion', why: 'The origin moves against A − B; each separating direction lets it jump ahead.',
    state: {a: 'pebble', b: 'cone', at: [-1.3, -0.2, 0], to: [1, 0.2, 0], way: [2.4, 0.5, 0.2], method: 'cast', other: ''}},
  {name: 'Turning on the way', group: 'In motion', why: 'A box flies and turns. Each step goes ahead by the time that distance and speed prove free.',
    state: {a: 'box', b: 'cylinder', at: [-1.5, -0.3, 0], to: [1, 0.2, 0], way: [2.2, 0.4, 0], method: 'impact', other: ''}},
];

export const defaults = {preset: 0, flat: false, a: 'box', b: 'cube', at: [-1, 0, 0], to: [1, 0.3, 0.2], turnA: still, turnB: still, way: [1.8, 0.3, 0],
  method: 'gjk', other: '', step: 0, azimuth: -1.1, elevation: 0.45, zoom: 1, sphere: false};
