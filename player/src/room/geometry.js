// Pictures of shapes: every part of a shape becomes one triangle mesh, rounding included.
import {BufferGeometry, Float32BufferAttribute, Vector3} from 'three';

const kTurns = 32; // corners of a circle
const kArcStep = Math.PI / 14; // angle between two points of a rounded profile

function toGeometry(positions, normals, indices) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new Float32BufferAttribute(normals, 3));
  if (indices) geometry.setIndex(indices);
  return geometry;
}

// Rounds a polygon (r, z), listed from the lower to the upper end of the axis, by a disc of `radius`: one outline of
// points with normals. A corner of an unrounded polygon gives two points with its two normals, that is, a sharp edge.
function roundedOutline(corners, radius) {
  const angles = [-Math.PI / 2];
  for (let i = 0; i + 1 < corners.length; ++i) {
    const [r0, z0] = corners[i];
    const [r1, z1] = corners[i + 1];
    angles.push(Math.atan2(r0 - r1, z1 - z0));
  }
  angles.push(Math.PI / 2);
  const outline = [];
  corners.forEach(([r, z], i) => {
    const sweep = angles[i + 1] - angles[i];
    const steps = radius > 0 ? Math.max(1, Math.ceil(sweep / kArcStep)) : 1;
    for (let k = 0; k <= steps; ++k) {
      const angle = angles[i] + (sweep * k) / steps;
      const normal = [Math.cos(angle), Math.sin(angle)];
      outline.push({r: r + radius * normal[0], z: z + radius * normal[1], normal});
    }
  });
  return outline;
}

// Turns an outline about the z axis.
function turned(corners, radius) {
  const outline = roundedOutline(corners, radius);
  const positions = [];
  const normals = [];
  const indices = [];
  for (const {r, z, normal} of outline) {
    for (let k = 0; k <= kTurns; ++k) {
      const c = Math.cos((2 * Math.PI * k) / kTurns);
      const s = Math.sin((2 * Math.PI * k) / kTurns);
      positions.push(r * c, r * s, z);
      normals.push(normal[0] * c, normal[0] * s, normal[1]);
    }
  }
  const stride = kTurns + 1;
  for (let i = 0; i + 1 < outline.length; ++i) {
    for (let k = 0; k < kTurns; ++k) {
      const a = i * stride + k;
      indices.push(a, a + 1, a + stride + 1, a, a + stride + 1, a + stride);
    }
  }
  return toGeometry(positions, normals, indices);
}

// A unit sphere stretched to the radii, then moved outwards along its normals.
function ellipsoid(radii, rounding) {
  const geometry = turned([[0, 0]], 1);
  const position = geometry.attributes.position;
  const normal = geometry.attributes.normal;
  const n = new Vector3();
  for (let i = 0; i < position.count; ++i) {
    const u = [position.getX(i), position.getY(i), position.getZ(i)];
    n.set(u[0] / radii[0], u[1] / radii[1], u[2] / radii[2]).normalize();
    normal.setXYZ(i, n.x, n.y, n.z);
    position.setXYZ(i, u[0] * radii[0] + rounding * n.x, u[1] * radii[1] + rounding * n.y,
      u[2] * radii[2] + rounding * n.z);
  }
  return geometry;
}

// Unit normal of a polygon by the sum of its corner products (Newell), so that slivers do no harm.
function polygonNormal(points) {
  const normal = new Vector3();
  points.forEach((p, i) => {
    const q = points[(i + 1) % points.length];
    normal.x += (p.y - q.y) * (p.z + q.z);
    normal.y += (p.z - q.z) * (p.x + q.x);
    normal.z += (p.x - q.x) * (p.y + q.y);
  });
  return normal.normalize();
}

// Polygons with flat faces. With rounding each face moves outwards, each edge becomes a strip of a cylinder and each
// vertex a patch of a sphere.
function polyhedron(vertices, faces, rounding) {
  const corner = [];
  for (let i = 0; i < vertices.length; i += 3) {
    corner.push(new Vector3(vertices[i], vertices[i + 1], vertices[i + 2]));
  }
  const positions = [];
  const normals = [];
  const put = (vertex, normal) => {
    positions.push(vertex.x + rounding * normal.x, vertex.y + rounding * normal.y, vertex.z + rounding * normal.z);
    normals.push(normal.x, normal.y, normal.z);
  };
  const faceNormals = faces.map((face) => polygonNormal(face.map((v) => corner[v])));
  faces.forEach((face, f) => {
    for (let i = 1; i + 1 < face.length; ++i) {
      for (const v of [face[0], face[i], face[i + 1]]) put(corner[v], faceNormals[f]);
    }
  });
  if (!(rounding > 0)) return toGeometry(positions, normals);

  const faceOfEdge = new Map();
  faces.forEach((face, f) => face.forEach((v, i) => faceOfEdge.set(`${v},${face[(i + 1) % face.length]}`, f)));
  const rims = corner.map(() => []); // per vertex: the strips that end there
  for (const [key, left] of faceOfEdge) {
    const [tail, head] = key.split(',').map(Number);
    const right = faceOfEdge.get(`${head},${tail}`);
    if (right === undefined) continue;
    const from = faceNormals[left];
    const to = faceNormals[right];
    const steps = Math.max(1, Math.ceil(from.angleTo(to) / kArcStep));
    const arc = [];
    for (let k = 0; k <= steps; ++k) arc.push(from.clone().lerp(to, k / steps).normalize());
    rims[tail].push(arc);
    if (tail > head) continue;
    for (let k = 0; k < steps; ++k) {
      const [n, m] = [arc[k], arc[k + 1]];
      put(corner[head], n), put(corner[tail], n), put(corner[tail], m);
      put(corner[head], n), put(corner[tail], m), put(corner[head], m);
    }
  }
  rims.forEach((arcs, v) => {
    const centre = new Vector3();
    for (const arc of arcs) centre.add(arc[0]);
    centre.normalize();
    for (const arc of arcs) {
      for (let k = 0; k + 1 < arc.length; ++k) {
        put(corner[v], centre), put(corner[v], arc[k + 1]), put(corner[v], arc[k]);
      }
    }
  });
  return toGeometry(positions, normals);
}

function box(size, rounding) {
  const vertices = [];
  for (let i = 0; i < 8; ++i) {
    for (let axis = 0; axis < 3; ++axis) vertices.push((((i >> axis) & 1) - 0.5) * size[axis]);
  }
  const faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
  return polyhedron(vertices, faces, rounding);
}

/// Mesh of one part of a shape, in the part's own frame; a half-space has none.
export function partGeometry(part) {
  const rounding = part.rounding ?? 0;
  const half = (part.length ?? 0) / 2;
  switch (part.type) {
    case 'sphere': return turned([[0, 0]], part.radius + rounding);
    case 'capsule': return turned([[0, -half], [0, half]], part.radius + rounding);
    case 'cylinder': return turned([[0, -half], [part.radius, -half], [part.radius, half], [0, half]], rounding);
    case 'cone': return turned([[0, -half], [part.radius, -half], [0, half]], rounding);
    case 'ellipsoid': return ellipsoid(part.radii, rounding);
    case 'box': return box(part.size, rounding);
    case 'convex':
    case 'mesh': return polyhedron(part.vertices, part.faces, rounding);
    default: throw new Error(`a shape of type ${part.type} has no picture`);
  }
}
