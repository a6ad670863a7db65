// The cut of a surface by a plane across an axis.

/// `picture`: parts with vertices (x, y, z one after the other) and faces; `axis`: 0, 1, 2. Segments [from, to] with the inside to
/// their left as seen from the axis' end, their whole length, and the area that they bound (of a closed surface).
export function slice(picture, axis, level) {
  const segments = [];
  for (const {vertices, faces} of picture) {
    const corner = (i) => [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]];
    for (const face of faces) {
      for (let k = 2; k < face.length; ++k) {
        const segment = cut([face[0], face[k - 1], face[k]].map(corner), axis, level);
        if (segment) segments.push(segment);
      }
    }
  }
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const length = segments.reduce((sum, [p, q]) => sum + Math.hypot(q[u] - p[u], q[v] - p[v]), 0);
  const area = segments.reduce((sum, [p, q]) => sum + (p[u] * q[v] - p[v] * q[u]) / 2, 0);
  return {segments, length, area};
}

// A corner on the plane counts as above, so that each cut edge is cut once.
function cut(corners, axis, level) {
  const above = corners.map((p) => p[axis] >= level);
  if (above[0] === above[1] && above[1] === above[2]) return null;
  const ends = {};
  corners.forEach((p, i) => {
    const q = corners[(i + 1) % 3];
    if (above[i] === above[(i + 1) % 3]) return;
    const t = (level - p[axis]) / (q[axis] - p[axis]);
    const place = p.map((x, k) => (k === axis ? level : x + t * (q[k] - x)));
    ends[above[i] ? 'down' : 'up'] = place;
  });
  // Seen from outside the face turns counter-clockwise: where its edge goes down the segment begins.
  return [ends.down, ends.up];
}
