// Points of a surface at which its distances are measured: fine enough for a picture, few at first.

const kEdges = 40; // edges of at most this part of the surface's size
const kMostPoints = 12_000; // that large triangles are cut into
const kCoarsest = 4; // cells along the surface's box
const kLevels = 7;

const mix = (a, b, t) => a.map((x, i) => x + t * (b[i] - x));
const distance = (a, b) => Math.hypot(...a.map((x, i) => b[i] - x));

function boxOf(points) {
  const [lower, upper] = [[...points[0]], [...points[0]]];
  for (const p of points) {
    for (let i = 0; i < 3; ++i) {
      lower[i] = Math.min(lower[i], p[i]);
      upper[i] = Math.max(upper[i], p[i]);
    }
  }
  return {lower, upper, size: distance(lower, upper)};
}

// Into how many rows each triangle is cut, so that its edges are short and the points not too many.
function rowsOf(vertices, triangles, size) {
  const longest = triangles.map((t) => Math.max(...t.map((v, i) => distance(vertices[v], vertices[t[(i + 1) % 3]]))));
  for (let edge = size / kEdges; ; edge *= 1.4) {
    const rows = longest.map((length) => Math.max(1, Math.ceil(length / edge)));
    const added = rows.reduce((sum, n) => sum + (n > 1 ? ((n + 1) * (n + 2)) / 2 : 0), 0);
    if (added <= kMostPoints) return rows;
  }
}

/// {vertices, triangles} with large triangles cut; the given vertices come first.
export function refined({vertices, triangles}) {
  const rows = rowsOf(vertices, triangles, boxOf(vertices).size || 1);
  const points = [...vertices];
  const cut = [];
  triangles.forEach((triangle, t) => {
    const n = rows[t];
    if (n === 1) return cut.push(triangle);
    const [a, b, c] = triangle.map((i) => vertices[i]);
    const corners = new Map([['0 0', triangle[0]], [`${n} 0`, triangle[1]], [`${n} ${n}`, triangle[2]]]);
    // Row i lies between a and the side from b to c; its place k runs along that side.
    const at = (i, k) => corners.get(`${i} ${k}`) ?? corners.set(`${i} ${k}`, points.push(i === 0 ? a : mix(mix(a, b, i / n), mix(a, c, i / n), k / i)) - 1).get(`${i} ${k}`);
    for (let i = 0; i < n; ++i) {
      for (let k = 0; k <= i; ++k) {
        cut.push([at(i, k), at(i + 1, k), at(i + 1, k + 1)]);
        if (k < i) cut.push([at(i, k), at(i + 1, k + 1), at(i, k + 1)]);
      }
    }
  });
  return {vertices: points, triangles: cut};
}

/// An order of points from coarse to fine, and for each an earlier one of its neighbourhood, which stands for it until it is measured.
export function coarseFirst(points) {
  const {lower, upper} = boxOf(points);
  const width = Math.max(...upper.map((x, i) => x - lower[i])) || 1;
  const parents = Int32Array.from(points, (_, i) => i);
  const order = [];
  const taken = new Uint8Array(points.length);
  let coarser = () => undefined;
  for (let level = 0, cells = kCoarsest; level < kLevels && order.length < points.length; ++level, cells *= 2) {
    const cellOf = (i) => points[i].reduce((key, x, axis) => key * (cells + 1) + Math.floor((cells * (x - lower[axis])) / width), 0);
    const first = new Map(order.map((i) => [cellOf(i), i]).reverse());
    const above = coarser;
    points.forEach((_, i) => {
      if (taken[i] || first.has(cellOf(i))) return;
      first.set(cellOf(i), i);
      parents[i] = above(i) ?? i;
      taken[i] = 1;
      order.push(i);
    });
    coarser = (i) => first.get(cellOf(i));
  }
  points.forEach((_, i) => {
    if (taken[i]) return;
    parents[i] = coarser(i) ?? i;
    order.push(i);
  });
  return {order, parents};
}
