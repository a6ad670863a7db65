"""Shapes and poses of query files as sets of integer vectors, for tools/verify.py.

Lengths are integers, multiples of 2^-160 of the pair's size; so are directions and rotations, of 1. What a double says is
one of them, except where it has bits below the unit. Sums and products are exact; a root, a quotient or a product that is
cut back to the unit errs by less than one unit. No inequality takes in as many as 2^90 such errors: together they stay
below 2^-70 of the size, and `Pair.slack` leaves room for 2^-53.
"""

import json
import math
import re
from itertools import combinations
from pathlib import Path

BITS = 160
ONE = 1 << BITS
UNIT = 2.0**-53  # of double
ROUNDINGS = 63  # of 64 that an answer may be wrong by: the last one is for the units above


class Unusable(Exception):
    """Input that is no valid query, answer or file."""


def fixed(x: float, exponent: int) -> int:
    """The multiple of 2^exponent that is nearest to a double."""
    mantissa, power = math.frexp(x)
    whole, shift = int(mantissa * 2.0**53), power - 53 - exponent
    return whole << shift if shift >= 0 else (whole + (1 << (-shift - 1))) >> -shift


def pure(v) -> tuple:
    """A direction's three numbers as multiples of 2^-BITS."""
    return tuple(fixed(float(x), -BITS) for x in v)


def dot(u, v) -> int:
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def cross(u, v) -> tuple:
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def sub(u, v) -> tuple:
    return (u[0] - v[0], u[1] - v[1], u[2] - v[2])


def add(u, v) -> tuple:
    return (u[0] + v[0], u[1] + v[1], u[2] + v[2])


def neg(u) -> tuple:
    return (-u[0], -u[1], -u[2])


def norm(v) -> int:
    """The length, rounded up."""
    return math.isqrt(dot(v, v)) + 1


def rotate(rows, v) -> tuple:
    return tuple(dot(row, v) >> BITS for row in rows)


def transposed(rows) -> tuple:
    return tuple(zip(*rows))


def nearest_of_simplex(corners) -> tuple:
    """The point nearest to the origin of the hull of up to four points, and the corners it lies between."""
    best = None
    for count in range(1, len(corners) + 1):
        for chosen in combinations(corners, count):
            first, edges = chosen[0], [sub(c, chosen[0]) for c in chosen[1:]]
            gram = [[dot(e, d) for d in edges] for e in edges]
            right = [-dot(e, first) for e in edges]
            whole = determinant(gram)
            shares = [determinant([row[:k] + [r] + row[k + 1:] for row, r in zip(gram, right)]) for k in range(count - 1)]
            if whole <= 0 or min(shares, default=1) <= 0 or sum(shares) >= whole:
                continue
            x = tuple(first[i] + sum(s * e[i] for s, e in zip(shares, edges)) // whole for i in range(3))
            if best is None or dot(x, x) < dot(best[0], best[0]):
                best = (x, list(chosen))
    return best


def determinant(m) -> int:
    if len(m) == 3:
        return dot(m[0], cross(m[1], m[2]))
    if len(m) == 2:
        return m[0][0] * m[1][1] - m[0][1] * m[1][0]
    return m[0][0] if m else 1


def nearest(points) -> tuple:
    """A point of the hull of the points, the one nearest to the origin to some units: simplex by simplex."""
    x = min(points, key=lambda p: dot(p, p))
    simplex = [x]
    while True:
        p = min(points, key=lambda q: x[0] * q[0] + x[1] * q[1] + x[2] * q[2])
        if p in simplex or dot(x, x) - dot(x, p) <= 4 * norm(x):
            return x
        y, corners = nearest_of_simplex(simplex + [p])
        if dot(y, y) >= dot(x, x):
            return x
        x, simplex = y, corners


class Polytope:
    """Hull of points, grown by a ball: spheres, capsules, boxes, hulls, triangles."""

    flat = True

    def __init__(self, points, radius):
        self.points, self.radius = points, radius
        self.rough = None

    def support(self, m) -> tuple:
        """A farthest point of the core along m, of any length."""
        x, y, z = m
        return max(self.points, key=lambda p: p[0] * x + p[1] * y + p[2] * z)

    def some_support(self, m) -> tuple:
        """A point of the core about as far along m as any: found in doubles."""
        if len(self.points) < 16:
            return self.support(m)
        if self.rough is None:
            self.rough = [(math.ldexp(p[0], -BITS), math.ldexp(p[1], -BITS), math.ldexp(p[2], -BITS)) for p in self.points]
        x, y, z = (c / norm(m) for c in m)
        heights = [x * p[0] + y * p[1] + z * p[2] for p in self.rough]
        return self.points[heights.index(max(heights))]

    def beyond(self, p) -> int:
        """How far a point lies outside the core, at most."""
        x = nearest([sub(q, p) for q in self.points])
        return norm(x) if any(x) else 0

    def depth(self, _) -> int:
        """How far a point lies inside the core, at least."""
        return 0

    def centre(self) -> tuple:
        return self.points[0]


class Curved:
    """Cylinder, cone or ellipsoid, placed; grown by a ball."""

    flat = False

    def __init__(self, kind, sizes, rotation, position, radius):
        self.kind, self.sizes, self.radius = kind, sizes, radius
        self.rotation, self.back, self.position = rotation, transposed(rotation), position

    def support(self, m) -> tuple:
        x, y, z = rotate(self.back, m)
        if self.kind == "ellipsoid":
            r = self.sizes
            scaled = (r[0] * x, r[1] * y, r[2] * z)
            length = math.isqrt(dot(scaled, scaled)) or 1
            local = tuple(a * b // length for a, b in zip(r, scaled))
        else:
            radius, half = self.sizes
            across = math.isqrt(x * x + y * y)
            rim = (radius * x // across, radius * y // across) if across else (0, 0)
            if self.kind == "cylinder":
                local = (*rim, half if z > 0 else -half)
            else:
                local = (*rim, -half) if radius * across > 2 * half * z else (0, 0, half)
        return add(rotate(self.rotation, local), self.position)

    some_support = support

    def beyond(self, p) -> int:
        x, y, z = q = rotate(self.back, sub(p, self.position))
        if self.kind == "ellipsoid":
            return outside_ellipsoid(self.sizes, q)
        radius, half = self.sizes
        across = math.isqrt(x * x + y * y) + 1
        if self.kind == "cylinder":
            out = (max(across - radius, 0), max(abs(z) - half, 0), 0)
        else:
            out = nearest([(-across, -half - z, 0), (radius - across, -half - z, 0), (-across, half - z, 0)])
        return norm(out) if any(out) else 0

    def depth(self, p) -> int:
        x, y, z = q = rotate(self.back, sub(p, self.position))
        if self.kind == "ellipsoid":
            return depth_in_ellipsoid(self.sizes, q)
        radius, half = self.sizes
        across = math.isqrt(x * x + y * y) + 1
        if self.kind == "cylinder":
            return max(min(radius - across, half - abs(z)), 0)
        slant = (radius * (half - z) - 2 * half * across) // norm((radius, 2 * half, 0))
        return max(min(slant, z + half), 0)

    def centre(self) -> tuple:
        return self.position


def outside_ellipsoid(radii, p) -> int:
    """How far a point lies outside an ellipsoid: at most as far as a point inside that a step down the gradient reaches."""
    squares = [r * r for r in radii]

    def inside(q) -> bool:
        a, b, c = squares
        return q[0] ** 2 * b * c + q[1] ** 2 * a * c + q[2] ** 2 * a * b <= a * b * c

    if inside(p):
        return 0
    if min(radii) <= 0:
        return norm(p)
    total = norm(p)
    level = sum((x * x << BITS) // s for x, s in zip(p, squares)) - ONE
    gradient = [(x << 2 * BITS) // s for x, s in zip(p, squares)]
    steep = sum(g * g for g in gradient)
    for widened in range(40):
        # The Newton step, a little longer each time.
        step = (level << (2 * BITS - 1)) // steep if steep else 0
        step += (step >> max(60 - 2 * widened, 1)) + 1
        q = tuple(x - (step * g >> BITS) for x, g in zip(p, gradient))
        if inside(q):
            return min(norm(sub(p, q)), total)
    return total


def depth_in_ellipsoid(radii, p) -> int:
    """How far a point lies inside an ellipsoid, at least: for every t below the least squared radius, the squared distance
    to the surface is at least t - sum t p_i^2 / (r_i^2 - t), the dual of its minimisation."""
    if min(radii) <= 0:
        return 0
    least = min(radii) ** 2

    terms = [(x * x, r * r) for x, r in zip(p, radii) if x]

    def bound(t) -> int:
        return t - sum(t * x2 // (r2 - t) + 1 for x2, r2 in terms)

    def rising(t) -> bool:
        return all(r2 > t for _, r2 in terms) and sum((x2 * r2 << BITS) // (r2 - t) ** 2 for x2, r2 in terms) < ONE

    low, high = 0, least
    if rising(high):
        low = high
    while high - low > least >> 100:
        middle = (low + high) // 2
        low, high = (middle, high) if rising(middle) else (low, middle)
    return math.isqrt(max(bound(low), 0))


class HalfSpace:
    """All x with normal . x <= offset; the normal is a unit vector."""

    flat, radius = True, 0

    def __init__(self, normal, offset):
        self.normal, self.offset = normal, offset

    def above(self, p) -> int:
        return (dot(self.normal, p) >> BITS) - self.offset

    def beyond(self, p) -> int:
        return max(self.above(p), 0)


class Mesh:
    """Triangles over points; closed ones have an inside."""

    flat, radius = True, 0

    def __init__(self, points, triangles):
        self.points, self.triangles = points, triangles
        self.order = range(len(triangles))

    def corners(self, triangle) -> list:
        return [self.points[i] for i in self.triangles[triangle]]

    def corners_of_range(self, first, last) -> list:
        return [self.points[i] for i in {i for k in self.order[first:last] for i in self.triangles[k]}]

    def triangle(self, index) -> Polytope:
        return Polytope(self.corners(index), 0)

    def hull(self) -> Polytope:
        return Polytope(self.points, 0)

    def is_closed(self) -> bool:
        """Each side between two places is met as often in one sense as in the other."""
        sides = {}
        for t in self.triangles:
            for k in range(3):
                tail, head = self.points[t[k]], self.points[t[(k + 1) % 3]]
                if tail != head:
                    key, sense = ((tail, head), 1) if tail < head else ((head, tail), -1)
                    sides[key] = sides.get(key, 0) + sense
        return bool(self.triangles) and not any(sides.values())

    def is_convex(self) -> bool:
        """Closed, and no point lies beyond the plane of any triangle: then the body is the hull."""
        for t in range(len(self.triangles)):
            p, q, r = self.corners(t)
            normal = cross(sub(q, p), sub(r, p))
            if any(dot(normal, sub(x, p)) > 0 for x in self.points):
                return False
        return self.is_closed() and self.winds_around(centroid(self.points))

    def winds_around(self, p) -> bool:
        return winding([[sub(c, p) for c in self.corners(t)] for t in range(len(self.triangles))]) != 0

    def components(self) -> list:
        """A point of each connected component."""
        parent = {p: p for p in self.points}

        def root(p):
            while parent[p] != p:
                parent[p] = p = parent[parent[p]]
            return p

        for t in range(len(self.triangles)):
            p, q, r = self.corners(t)
            parent[root(q)] = parent[root(r)] = root(p)
        return list({root(self.corners(t)[0]): None for t in range(len(self.triangles))})

    def distance(self, p) -> int:
        """How far a point is from the triangles, rounded up."""
        best = None
        for t in range(len(self.triangles)):
            corners = [sub(c, p) for c in self.corners(t)]
            beyond = [max(min(c[i] for c in corners), -max(c[i] for c in corners), 0) for i in range(3)]
            if best is not None and dot(beyond, beyond) >= best:
                continue
            x = nearest_of_simplex(corners)[0]
            best = dot(x, x) if best is None else min(best, dot(x, x))
        return math.isqrt(best) + 1 if best else 0

    def beyond(self, p) -> int:
        surface = self.distance(p)
        return 0 if surface and self.is_closed() and self.winds_around(p) else surface


def outside(part, p) -> int:
    """How far a point lies outside a part, its ball included, at most."""
    return max(part.beyond(p) - part.radius, 0)


def centroid(points) -> tuple:
    return tuple(sum(p[i] for p in points) // len(points) for i in range(3))


def winding(triangles) -> int:
    """How often triangles of a closed surface wind around the origin: crossings of a ray, by signs of determinants. A ray
    that meets an edge gives way to another."""
    for turn in range(1, 100):
        ray = (7919 * turn * turn + 1, 104729 - 613 * turn, 1299709 % (turn + 5) + 3 * turn + 11)
        turns, grazed = 0, False
        for p, q, r in triangles:
            signs = [dot(ray, cross(p, q)), dot(ray, cross(q, r)), dot(ray, cross(r, p))]
            if min(signs) < 0 < max(signs):
                continue
            volume = dot(p, cross(q, r))
            if 0 in signs:
                grazed = grazed or any(cross(sub(q, p), sub(r, p)))
                continue
            if (volume > 0) == (signs[0] > 0) and volume:
                turns += 1 if volume > 0 else -1
        if not grazed:
            return turns
    raise Unusable("no ray misses the edges of a surface")


# --- Reading ---------------------------------------------------------------------------------------------------------------


def parse_lines(path) -> list:
    """The objects of a .jsonl file; comments of the form // are allowed."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise Unusable(str(error)) from error
    objects = []
    for number, line in enumerate(lines, 1):
        text = re.sub(r'("(?:[^"\\]|\\.)*")|//.*', lambda m: m.group(1) or "", line).strip()
        if not text:
            continue
        try:
            objects.append(json.loads(text))
        except ValueError as error:
            raise Unusable(f"{path}:{number}: {error}") from error
    return objects


def read_points_file(path) -> tuple:
    """Vertices and triangles of an OBJ or OFF file."""
    try:
        lines = [line.split("#")[0].split() for line in Path(path).read_text(encoding="utf-8").splitlines()]
    except OSError as error:
        raise Unusable(str(error)) from error
    vertices, polygons = [], []
    if Path(path).suffix.lower() == ".obj":
        for words in filter(None, lines):
            if words[0] == "v":
                vertices.append([float(w) for w in words[1:4]])
            elif words[0] == "f":
                corners = [int(w.split("/")[0]) for w in words[1:]]
                polygons.append([c - 1 if c > 0 else c + len(vertices) for c in corners])
    elif Path(path).suffix.lower() == ".off":
        rows = [words for words in lines if words]
        head = 1 if len(rows[0]) == 1 else 0
        count, faces = (int(w) for w in rows[head][-3:-1])
        vertices = [[float(w) for w in row[:3]] for row in rows[head + 1:head + 1 + count]]
        polygons = [[int(w) for w in row[1:1 + int(row[0])]] for row in rows[head + 1 + count:head + 1 + count + faces]]
    else:
        raise Unusable(f"{path}: only OBJ and OFF files are read")
    return vertices, [[p[0], p[i], p[i + 1]] for p in polygons for i in range(1, len(p) - 1)]


def rotation_of(pose) -> tuple:
    """Rows of a pose's rotation. A quaternion's length is divided out; a matrix stays if it is a rotation to rounding
    (8.9e-16, as the reader of tactus does), otherwise its polar factor is taken, by Newton's iteration."""
    if isinstance(pose, dict):
        q = pure(pose.get("quaternion", (1, 0, 0, 0)))
        w, x, y, z = q
        n = sum(c * c for c in q)
        doubled = ((n - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                   (2 * (x * y + w * z), n - 2 * (x * x + z * z), 2 * (y * z - w * x)),
                   (2 * (x * z - w * y), 2 * (y * z + w * x), n - 2 * (x * x + y * y)))
        return tuple(tuple((e << BITS) // n for e in row) for row in doubled)
    given = rows = tuple(pure(pose[4 * i:4 * i + 3]) for i in range(3))
    for _ in range(20):
        cofactors = (cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1]))
        whole = dot(rows[0], cofactors[0]) >> 2 * BITS
        if whole <= 0:
            raise Unusable("a pose's matrix is no rotation")
        rows = tuple(tuple((a + c // whole) // 2 for a, c in zip(r, s)) for r, s in zip(rows, cofactors))
    change = max(abs(a - b) for r, s in zip(rows, given) for a, b in zip(r, s))
    return given if change <= fixed(8.9e-16, -BITS) else rows


def position_of(pose) -> list:
    if isinstance(pose, dict):
        return [float(x) for x in pose.get("position", (0, 0, 0))]
    return [float(pose[3]), float(pose[7]), float(pose[11])]


IDENTITY = {"position": [0, 0, 0]}


class Reader:
    """Shapes as they are written, flattened: a list of (primitive, poses from the outermost inwards)."""

    def __init__(self, folder="."):
        self.folder, self.files = Path(folder), {}

    def points(self, shape) -> tuple:
        """Scaled vertices and triangles; the program scales in doubles too."""
        scale = shape.get("scale", 1.0)
        scale = [float(s) for s in scale] if isinstance(scale, list) else [float(scale)] * 3
        if "file" in shape:
            name = self.folder / shape["file"]
            if name not in self.files:
                self.files[name] = read_points_file(name)
            vertices, triangles = self.files[name]
        else:
            vertices, triangles = shape["vertices"], shape.get("triangles", [])
        vertices = [[float(x) * s for x, s in zip(v, scale)] for v in vertices]
        if scale[0] * scale[1] * scale[2] < 0:
            triangles = [[t[0], t[2], t[1]] for t in triangles]
        return vertices, triangles

    def flatten(self, shape, poses) -> list:
        if shape["type"] != "compound":
            return [(shape, poses)]
        if "parts" not in shape:
            raise Unusable("compounds from files are not read")
        return [flat for part in shape["parts"]
                for flat in self.flatten(part["shape"], poses + [part.get("pose", IDENTITY)])]

    def reach(self, shape) -> float:
        """Radius of a ball about the primitive's origin that holds it; of a half-space its offset."""
        kind, grown = shape["type"], float(shape.get("rounding", 0))
        if kind in ("convex", "mesh"):
            return grown + max(math.hypot(*v) for v in self.points(shape)[0])
        if kind == "halfspace":
            return abs(float(shape["offset"])) / math.hypot(*map(float, shape["normal"]))
        if kind == "box":
            return grown + math.hypot(*map(float, shape["size"])) / 2
        if kind == "ellipsoid":
            return grown + max(map(float, shape["radii"]))
        radius, half = float(shape["radius"]), float(shape.get("length", 0)) / 2
        return grown + (math.hypot(radius, half) if kind in ("cylinder", "cone") else radius + half)

    def place(self, shape, rotation, position, grid):
        """One primitive in its pose."""
        kind, radius = shape["type"], fixed(float(shape.get("rounding", 0)), grid)

        def at(v) -> tuple:
            return add(rotate(rotation, v), position)

        def length(name, factor=1.0) -> int:
            return fixed(float(shape[name]) * factor, grid)

        if kind == "sphere":
            return Polytope([position], radius + length("radius"))
        if kind == "capsule":
            half = length("length", 0.5)
            return Polytope([at((0, 0, half)), at((0, 0, -half))] if half else [position], radius + length("radius"))
        if kind == "box":
            x, y, z = (fixed(float(s) * 0.5, grid) for s in shape["size"])
            return Polytope([at((i * x, j * y, k * z)) for i in (1, -1) for j in (1, -1) for k in (1, -1)], radius)
        if kind in ("cylinder", "cone"):
            return Curved(kind, (length("radius"), length("length", 0.5)), rotation, position, radius)
        if kind == "ellipsoid":
            radii = tuple(fixed(float(r), grid) for r in shape["radii"])
            equal = len(set(radii)) == 1
            return Polytope([position], radius + radii[0]) if equal else Curved(kind, radii, rotation, position, radius)
        if kind == "halfspace":
            scale = math.frexp(max(abs(float(x)) for x in shape["normal"]))[1]
            raw = tuple(fixed(float(x), scale - BITS) for x in shape["normal"])
            whole = math.isqrt(dot(raw, raw))
            normal = rotate(rotation, tuple((x << BITS) // whole for x in raw))
            offset = (fixed(float(shape["offset"]), grid + scale) << BITS) // whole
            return HalfSpace(normal, offset + (dot(normal, position) >> BITS))
        if kind in ("convex", "mesh"):
            vertices, triangles = self.points(shape)
            placed = [at(tuple(fixed(x, grid) for x in v)) for v in vertices]
            return Polytope(list(dict.fromkeys(placed)), radius) if kind == "convex" else Mesh(placed, triangles)
        raise Unusable(f"unknown shape {kind}")


class Pair:
    """Two bodies about A's position: `a` and `b` are their convex parts, half-spaces and meshes."""

    def __init__(self, query, reader):
        pose_a, pose_b = query.get("pose_a", IDENTITY), query.get("pose_b", IDENTITY)
        flat = [reader.flatten(query[name], []) for name in "ab"]
        at_a, at_b = position_of(pose_a), position_of(pose_b)
        offset = math.dist(at_a, at_b)
        size = sum(max(sum(math.hypot(*position_of(p)) for p in poses) + reader.reach(s) for s, poses in body) for body in flat)
        if not 0 < size + offset < 1e300:
            raise Unusable("a pair without extent, or beyond the range of double")
        self.grid = math.frexp(size + offset)[1] - BITS
        self.origin = tuple(fixed(x, self.grid) for x in at_a)
        self.size = size + offset
        self.slack = self.length(ROUNDINGS * UNIT * self.size)
        # Points in the world are rounded where they are.
        self.world_slack = self.length(ROUNDINGS * UNIT * (self.size + max(map(abs, at_a)) + max(map(abs, at_b))))
        self.a, self.b = (self.place(body, pose, reader) for body, pose in zip(flat, (pose_a, pose_b)))
        self.has_mesh = any(isinstance(p, Mesh) for p in self.a + self.b)
        self.compound = len(self.a) > 1 or len(self.b) > 1 or any(query[name]["type"] == "compound" for name in "ab")

    def length(self, x) -> int:
        return fixed(float(x), self.grid)

    def point(self, v) -> tuple:
        """A point in the world."""
        return sub(tuple(fixed(float(x), self.grid) for x in v), self.origin)

    def to_double(self, length) -> float:
        return math.ldexp(length / ONE, self.grid + BITS)

    def place(self, body, pose, reader) -> list:
        parts = []
        for shape, poses in body:
            rotation, position = rotation_of(pose), self.point(position_of(pose))
            for inner in poses:
                local = tuple(fixed(x, self.grid) for x in position_of(inner))
                position = add(position, rotate(rotation, local))
                columns = transposed(rotation_of(inner))
                rotation = transposed(tuple(rotate(rotation, c) for c in columns))
            part = reader.place(shape, rotation, position, self.grid)
            part.frame = (rotation, position)
            parts.append(part)
        return parts
