// The bodies of a robot, and how near they come to each other.
import {surfaceShape} from './surface_shape.js';

const scaled = (numbers, scale) => numbers.map((x, i) => x * scale[i % 3]);

// Radius of a ball about a body's origin that holds it, for what cannot be nearer.
function reachOf(shape) {
  const half = (shape.length ?? 0) / 2;
  if (shape.type === 'box') return Math.hypot(...shape.size) / 2;
  if (shape.type === 'sphere') return shape.radius;
  if (shape.type === 'capsule') return shape.radius + half;
  if (shape.type === 'cylinder') return Math.hypot(shape.radius, half);
  return Math.sqrt(shape.vertices.reduce((most, p) => Math.max(most, p[0] ** 2 + p[1] ** 2 + p[2] ** 2), 0));
}

export function robot(tactus) {
  let bodies = []; // {shape, reach}
  let pairs = []; // {a, b, bare}: bodies, and whether one is an open surface

  // The surface of a mesh file as a shape and as parts of a picture, both scaled; a mirroring scale turns the picture's faces.
  function meshBody({name, bytes}, scale) {
    const surface = tactus.surface(name, bytes);
    try {
      const {vertices, triangles} = surfaceShape(surface);
      const shape = {type: 'mesh', vertices: vertices.map((p) => scaled(p, scale)), triangles};
      const mirrored = scale[0] * scale[1] * scale[2] < 0;
      const parts = surface.picture().picture.map((part) => ({...part, vertices: scaled(part.vertices, scale),
        faces: mirrored ? part.faces.map((face) => [...face].reverse()) : part.faces}));
      return {shape, parts};
    } finally {
      surface.close();
    }
  }

  function closeRobot() {
    for (const {shape} of bodies) shape.close();
    bodies = [];
    pairs = [];
  }

  const gap = (a, b, poses) => Math.hypot(...[0, 1, 2].map((i) => poses[7 * a + i] - poses[7 * b + i])) - bodies[a].reach - bodies[b].reach;

  function measure(pair, poses, maxDistance) {
    const {a, b} = pair;
    const ask = () => tactus.distance(bodies[a].shape, poses.subarray(7 * a, 7 * a + 7), bodies[b].shape, poses.subarray(7 * b, 7 * b + 7),
      {signed: !pair.bare, maxDistance});
    const answer = ask();
    if (answer.status !== 'unsupported' || pair.bare) return answer;
    pair.bare = true; // an open surface has no inside
    return ask();
  }

  return {
    /// Opens the bodies of a robot, {shape} or {mesh: {name, bytes}, scale}, with their place for errors; answers with the parts that
    /// show each, and its reach about its origin. `asked`: pairs of bodies.
    openRobot(list, asked) {
      const next = [];
      try {
        const pictures = list.map(({shape, mesh, scale, place}) => {
          try {
            const made = mesh ? meshBody(mesh, scale) : {shape, parts: [shape]};
            const body = {shape: tactus.shape(made.shape), reach: reachOf(made.shape)};
            next.push(body);
            return {parts: made.parts, reach: body.reach};
          } catch (error) {
            throw new Error(place + error.message);
          }
        });
        closeRobot();
        [bodies, pairs] = [next, asked.map(([a, b]) => ({a, b, bare: false}))];
        return pictures;
      } catch (error) {
        for (const {shape} of next) shape.close();
        throw error;
      }
    },
    closeRobot,
    /// The least signed distance over the pairs at the bodies' poses (seven numbers each): {least, lower, below, measured, milliseconds}.
    /// Each of `least` and `below`, all pairs no farther than `most`, is an answer with its bodies a and b.
    clearance(poses, most) {
      const start = performance.now();
      const waiting = pairs.map((pair) => ({pair, bound: gap(pair.a, pair.b, poses)})).sort((x, y) => x.bound - y.bound);
      let [least, lower, upper, measured] = [null, Infinity, Infinity, 0];
      const below = [];
      for (const {pair, bound} of waiting) {
        const maxDistance = Math.max(upper, most);
        if (bound > maxDistance) {
          lower = Math.min(lower, bound);
          break;
        }
        const answer = {...measure(pair, poses, maxDistance), a: pair.a, b: pair.b};
        ++measured;
        lower = Math.min(lower, answer.lower);
        if (answer.lower > maxDistance) continue;
        if (answer.distance <= most) below.push(answer);
        upper = Math.min(upper, answer.upper);
        if (!least || answer.distance < least.distance) least = answer;
      }
      return {least, lower, below, measured, milliseconds: performance.now() - start};
    },
  };
}
