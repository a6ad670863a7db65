// How a step is drawn: the difference A - B with the origin, and what the algorithm looks at.
import {add, cross, dot, norm, scale, unit} from './sketch.js';

/// Safe for the colour-blind, and never the only sign: each has a form of its own.
export const colours = {a: '#0072b2', b: '#c8500a', difference: '#77839a', simplex: '#9b3d7d', support: '#b37400', plane: '#2a7fae', answer: '#00805c',
  origin: '#1d2733', polytope: '#44546a', cap: '#00805c'};

/// Entries of the legend: mark, colour and words, by name.
export const marks = {
  a: ['area', colours.a, 'body A'],
  b: ['area', colours.b, 'body B'],
  difference: ['area', colours.difference, 'A − B (dashed: with the radii of round bodies)'],
  origin: ['cross', colours.origin, 'the origin'],
  simplex: ['disc', colours.simplex, 'points that the search rests on: simplex, portal or face'],
  inner: ['diamond', colours.simplex, 'inner point of the portal'],
  support: ['square', colours.support, 'support point, and the points of A and B it comes from'],
  plane: ['dash', colours.plane, 'supporting plane across the direction n'],
  polytope: ['line', colours.polytope, 'expanding polytope'],
  answer: ['line', colours.answer, 'answer: nearest points, or the shortest way out'],
  feature: ['line', colours.simplex, 'features that V-Clip looks at'],
  depths: ['line', colours.simplex, 'MPR’s depths: along its ray (r), along A’s motion (v), by the portal’s normal (p)'],
  ray: ['dash', colours.origin, 'way of the origin against A − B'],
  cap: ['area', colours.cap, 'directions that are proved'],
};

const kLabelled = 300; // pixels of a view from which on there is room for words beside the sphere

// A piece of the plane n.x = offset that holds the foot of the origin and, if given, a point; from the side it is a line.
function plane(sketch, n, offset, size, colour, point = null) {
  const foot = scale(n, offset);
  const along = point ? add(point, foot, -1) : [0, 0, 0];
  const length = norm(along);
  const u = length > 0.05 * size ? scale(along, 1 / length) : unit(Math.abs(n[2]) < 0.9 ? cross(n, [0, 0, 1]) : cross(n, [1, 0, 0]));
  const v = cross(n, u);
  const corners = [[-size, -size], [length + size, -size], [length + size, size], [-size, size]].map(([s, t]) => add(add(foot, u, s), v, t));
  sketch.polygon(corners, {fill: colour, alpha: 0.1});
  sketch.polygon(corners, {stroke: colour, width: 1.4, dash: [6, 5]});
}

function simplex(sketch, points, {names = true} = {}) {
  const style = {fill: colours.simplex, alpha: 0.14};
  for (let i = 0; i < points.length; ++i) {
    for (let j = i + 1; j < points.length; ++j) {
      for (let k = j + 1; k < points.length; ++k) sketch.polygon([points[i], points[j], points[k]], style);
      sketch.line(points[i], points[j], {stroke: colours.simplex, width: 2.2});
    }
  }
  points.forEach((p, i) => {
    sketch.mark(p, 'disc', colours.simplex);
    if (names) sketch.text(p, `${i + 1}`, colours.simplex, [-4, -10]);
  });
}

function portal(sketch, [inner, ...corners], reach) {
  if (corners.length === 3) sketch.polygon(corners, {fill: colours.simplex, alpha: 0.18});
  corners.forEach((p, i) => {
    sketch.line(inner, p, {stroke: colours.simplex, width: 1, alpha: 0.6});
    for (const q of corners.slice(i + 1)) sketch.line(p, q, {stroke: colours.simplex, width: 2.4});
    sketch.mark(p, 'disc', colours.simplex);
  });
  const length = norm(inner);
  if (length > 1e-9) sketch.arrow(inner, scale(inner, -reach / length), {stroke: colours.simplex, width: 1.5, dash: [5, 4]});
  sketch.mark(inner, 'diamond', colours.simplex);
}

function polytope(sketch, {points, faces}) {
  for (const [i, j, k] of faces) {
    const [p, q, r] = [points[i], points[j], points[k]];
    const n = cross(add(q, p, -1), add(r, p, -1));
    const near = dot(n, sketch.toEye) > 0;
    if (near) sketch.polygon([p, q, r], {fill: colours.polytope, alpha: 0.1});
    sketch.polygon([p, q, r], {stroke: colours.polytope, width: near ? 1 : 0.6, alpha: near ? 0.75 : 0.25});
  }
}

// A circle on the unit sphere about the origin: the directions of a cap.
function cap(sketch, {direction, cosine}, radius) {
  const u = unit(Math.abs(direction[2]) < 0.9 ? cross(direction, [0, 0, 1]) : cross(direction, [1, 0, 0]));
  const v = cross(direction, u);
  const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine));
  const rim = Array.from({length: 48}, (_, i) => {
    const angle = (2 * Math.PI * i) / 48;
    return scale(add(add(scale(direction, cosine), u, sine * Math.cos(angle)), v, sine * Math.sin(angle)), radius);
  });
  sketch.polygon(rim, {fill: colours.cap, alpha: dot(direction, sketch.toEye) > 0 ? 0.28 : 0.12});
  sketch.polygon(rim, {stroke: colours.cap, width: 1.2, alpha: 0.9});
  sketch.arrow([0, 0, 0], scale(direction, radius), {stroke: colours.cap, width: 1.5});
}

/// Draws one frame on the difference; the frames before it show caps and axes that were met. Names of marks used go to `used`.
export function drawFrame(sketch, frames, index, {size, reach}, used) {
  const frame = frames[index];
  const {stage, simplex: s, plane: p, polytope: hull, cap: proved, ray, segment} = frame;
  const origin = [0, 0, 0];
  if (hull) {
    polytope(sketch, hull);
    used.add('polytope');
  }
  if (proved || (stage === 'newton' && p)) {
    for (const old of frames.slice(0, index + 1)) {
      if (!old.cap) continue;
      cap(sketch, old.cap, 0.6 * size);
      used.add('cap');
    }
  }
  if (stage === 'sat' || stage === 'separating_plane') {
    for (const old of frames.slice(0, index)) if (old.plane) sketch.line(origin, scale(old.plane.direction, old.plane.offset), {stroke: colours.plane, width: 1, alpha: 0.35});
  }
  if (p && !s) {
    plane(sketch, p.direction, p.offset, 0.45 * size, colours.plane);
    sketch.arrow(origin, scale(p.direction, p.offset), {stroke: colours.plane, width: 2.2});
    used.add('plane');
  }
  if (s) {
    const shift = ray ? ray.point : origin;
    const points = s.points.map((w) => add(w, shift));
    if (stage === 'mpr' && points.length > 0) {
      portal(sketch, points, reach);
      used.add('inner').add('simplex');
    } else if (points.length > 0) {
      simplex(sketch, stage === 'chung_wang' ? [] : points, {names: points.length > 1 && stage.startsWith('gjk')});
      if (stage !== 'chung_wang') used.add('simplex');
    }
    const support = add(s.support, shift);
    plane(sketch, s.direction, dot(s.direction, support), 0.2 * size, colours.plane, support);
    const from = ray ? ray.point : origin;
    const tip = add(from, s.direction, 0.25 * size);
    sketch.arrow(from, tip, {stroke: colours.plane, width: 2});
    sketch.text(tip, 'n', colours.plane);
    sketch.mark(support, 'square', colours.support, 5);
    sketch.text(support, 's(n)', colours.support);
    used.add('support').add('plane');
  }
  if (ray) {
    const end = scale(ray.motion, 1);
    sketch.arrow(origin, end, {stroke: colours.origin, width: 1.5, dash: [5, 4]});
    sketch.mark(ray.point, 'diamond', colours.origin, 4);
    used.add('ray');
  }
  if (segment?.feature_a) {
    const differences = segment.feature_a.flatMap((x) => segment.feature_b.map((y) => add(x, y, -1)));
    differences.forEach((d) => sketch.mark(d, 'disc', colours.simplex, 4));
  }
  if (stage === 'result' && frame.answer.normal) {
    const n = frame.answer.normal;
    if (frame.answer.hit === undefined) {
      const place = scale(n, -frame.answer.distance);
      plane(sketch, n, -frame.answer.distance, 0.4 * size, colours.answer);
      sketch.line(origin, place, {stroke: colours.answer, width: 3.5});
      sketch.mark(place, 'disc', colours.answer, 5);
      used.add('answer');
    }
  }
  for (const {letter, way, beside} of frame.depths ?? []) {
    sketch.arrow(origin, way, {stroke: colours.simplex, width: 2.2});
    sketch.text(way, letter, colours.simplex, beside);
    used.add('depths');
  }
  sketch.mark(origin, 'cross', colours.origin, 5);
  sketch.text(origin, '0', colours.origin, [10, 16]);
  used.add('origin').add('difference');
}

/// Draws on the bodies what the frame says of their points.
export function drawOnBodies(sketch, frame, used) {
  const {simplex: s, segment, answer} = frame;
  if (s) {
    for (const p of [s.support_a, s.support_b]) sketch.mark(p, 'square', colours.support, 4.5);
    sketch.line(s.support_a, s.support_b, {stroke: colours.support, width: 1.2, dash: [3, 4]});
    used.add('support');
  }
  for (const [name, colour] of [['feature_a', colours.simplex], ['feature_b', colours.simplex]]) {
    const corners = segment?.[name];
    if (!corners) continue;
    if (corners.length > 2) sketch.polygon(corners, {fill: colour, alpha: 0.3});
    corners.forEach((p, i) => sketch.line(p, corners[(i + 1) % corners.length], {stroke: colour, width: 3}));
    if (corners.length === 1) sketch.mark(corners[0], 'disc', colour, 5);
    used.add('feature');
  }
  const pair = answer?.point_a ? [answer.point_a, answer.point_b] : segment && !segment.feature_a ? [segment.point_a, segment.point_b] : null;
  if (pair) {
    sketch.line(...pair, {stroke: colours.answer, width: 3.5});
    for (const p of pair) sketch.mark(p, 'disc', colours.answer, 4.5);
    used.add('answer');
  }
}

/// The direction sphere in a corner of the sketch, painted with f: dark where it is low, a line where it is zero.
export function drawSphere(sketch, {rows, values}, frames, index) {
  const {context, width, height} = sketch;
  const radius = Math.max(30, Math.min(width, height) * 0.16);
  const [cx, cy] = [width - radius - 12, height - radius - 12];
  const least = Math.min(...values);
  const most = Math.max(...values);
  const at = (n) => [cx + radius * dot(n, sketch.right), cy - radius * dot(n, sketch.up)];
  const direction = (i, j) => {
    const [polar, azimuth] = [(Math.PI * i) / rows, (Math.PI * j) / rows];
    return [Math.sin(polar) * Math.cos(azimuth), Math.sin(polar) * Math.sin(azimuth), Math.cos(polar)];
  };
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j < 2 * rows; ++j) {
      const middle = direction(i + 0.5, j);
      if (dot(middle, sketch.toEye) < -0.1) continue;
      const f = values[2 * rows * i + j];
      const t = (f - least) / (most - least || 1);
      context.beginPath();
      for (const [di, dj] of [[0, -0.5], [0, 0.5], [1, 0.5], [1, -0.5]]) context.lineTo(...at(direction(i + di, j + dj)));
      context.fillStyle = f < 0 ? `rgb(${20 + 60 * t}, ${110 + 60 * t}, ${90 + 50 * t})` : `hsl(222, 45%, ${25 + 68 * t}%)`;
      context.strokeStyle = context.fillStyle; // no seams between the patches
      context.lineWidth = 1;
      context.fill();
      context.stroke();
    }
  }
  context.beginPath();
  context.arc(cx, cy, radius + 2, 0, 2 * Math.PI);
  context.lineWidth = 4;
  context.strokeStyle = '#f7f9fc';
  context.stroke();
  context.lineWidth = 1;
  context.strokeStyle = colours.origin;
  context.stroke();
  const seen = frames.slice(0, index + 1).map(({plane: p, simplex: s}) => p?.direction ?? s?.direction).filter(Boolean);
  seen.forEach((n, i) => {
    const front = dot(n, sketch.toEye) > 0;
    context.beginPath();
    context.arc(...at(n), i === seen.length - 1 ? 5 : 3, 0, 2 * Math.PI);
    context.globalAlpha = front ? 1 : 0.35;
    context.fillStyle = i === seen.length - 1 ? '#f0b400' : '#fff';
    context.fill();
    context.strokeStyle = colours.origin;
    context.stroke();
    context.globalAlpha = 1;
  });
  if (width < kLabelled) return;
  context.font = '12px system-ui, "DejaVu Sans", sans-serif';
  context.fillStyle = colours.origin;
  context.textAlign = 'right';
  context.lineWidth = 4;
  context.strokeStyle = 'rgba(255,255,255,.9)';
  for (const draw of ['strokeText', 'fillText']) context[draw]('f(n): dark is low, green is < 0', width - 10, cy - radius - 8);
  context.textAlign = 'left';
}
