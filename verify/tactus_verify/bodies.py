"""Placed shapes as sets of integer vectors, for tactus-verify.

Lengths are integers, multiples of 2^-160 of the pair's size; so are directions and rotations, of 1. What a double says is
one of them, except where it has bits below the unit. Sums and products are exact; a root, a quotient or a product that is
cut back to the unit errs by less than one unit. No inequality takes in as many as 2^90 such errors: together they stay
below 2^-70 of the size, and `Pair.slack` leaves room for 2^-53.
"""

import math
from functools import cached_property
from itertools import combinations

BITS = 160
ONE = 1 << BITS
UNIT = 2.0**-53  # of double
ROUNDINGS = 63  # of 64 that an answer may be wrong by: the last one is for the units above


def fixed(x: float, exponent: int) -> int:
    """The multiple of 2^exponent that is nearest to a double."""
    mantissa, power = math.frexp(x)
    whole, shift = int(mantissa * 2.0**53), power - 53 - exponent
    return whole << shift if shift >= 0 else (whole + (1 << (-shift - 1))) >> -shift


def real(x) -> float:
    """A number of a file; what is a word or a truth value there is none."""
    if isinstance(x, bool) or not isinstance(x, (int, float)):
        raise ValueError(f"{x!r} is no number")
    return float(x)


def reals(v, count=3) -> list:
    if not isinstance(v, (list, tuple)) or len(v) != count:
        raise ValueError(f"{v!r} are not {count} numbers")
    return [real(x) for x in v]


def pure(v) -> tuple:
    """A direction's numbers as multiples of 2^-BITS."""
    return tuple(fixed(real(x), -BITS) for x in v)


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
        """A point of the core; of a segment its middle."""
        if len(self.points) != 2:
            return self.points[0]
        return tuple((x + y) >> 1 for x, y in zip(*self.points))

    def spread(self) -> int:
        """The farthest point's distance from the centre."""
        centre = self.centre()
        return max(norm(sub(p, centre)) for p in self.points) + self.radius

    @cached_property
    def axis(self):
        """Of a capsule; zero for a ball: about it the body is the same however it turns."""
        p, q = (self.points * 2)[:2]
        return (sub(q, p) if any(sub(q, p)) else (0, 0, 0)) if len(self.points) < 3 else None


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
            # With more digits: of a direction nearly along the axis, x and y have few.
            fine = math.isqrt((x * x + y * y) << 2 * BITS) + 1
            rim = ((radius * x << BITS) // fine, (radius * y << BITS) // fine)
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

    @cached_property
    def axis(self):
        """About it the body is the same however it turns."""
        return None if self.kind == "ellipsoid" and self.sizes[0] != self.sizes[1] else transposed(self.rotation)[2]


def outside_ellipsoid(radii, p) -> int:
    """How far a point lies outside an ellipsoid, at most: as far as from x_i = r_i^2 p_i / (r_i^2 + t), a point of it for
    every t that is large enough, and the nearest one for the least of these."""
    if min(radii) <= 0:
        return norm(p)
    terms = [(x, r, r * r) for x, r in zip(p, radii)]

    def inside(t) -> bool:
        return sum((r * x << BITS) ** 2 // (r2 + t) ** 2 for x, r, r2 in terms) < ONE * ONE

    if inside(0):
        return 0
    scaled = [r * x for x, r, _ in terms]
    low, high = 0, norm(scaled)
    while high - low > min(radii) ** 2 >> 100:
        middle = (low + high) // 2
        low, high = (low, middle) if inside(middle) else (middle, high)
    return norm([x - r2 * x // (r2 + high) for x, _, r2 in terms])


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

    flat, radius, axis = True, 0, None

    def __init__(self, normal, offset):
        self.normal, self.offset = normal, offset

    def above(self, p) -> int:
        return (dot(self.normal, p) >> BITS) - self.offset

    def beyond(self, p) -> int:
        return max(self.above(p), 0)


class Mesh:
    """Triangles over points; closed ones have an inside, unless they are taken as a `bare` surface. What is asked of the
    surface alone is asked of its own points, `local`, which no rotation has rounded."""

    flat, radius, axis = True, 0, None

    def __init__(self, points, triangles, local=None, bare=False):
        self.points, self.triangles, self.local, self.bare = points, triangles, local or points, bare
        self.order = range(len(triangles))

    def corners(self, triangle) -> list:
        return [self.points[i] for i in self.triangles[triangle]]

    def local_corners(self) -> list:
        return [[self.local[i] for i in t] for t in self.triangles]

    def corners_of_range(self, first, last) -> list:
        return [self.points[i] for i in {i for k in self.order[first:last] for i in self.triangles[k]}]

    def triangle(self, index) -> Polytope:
        return Polytope(self.corners(index), 0)

    def hull(self) -> Polytope:
        return Polytope(self.points, 0)

    @property
    def is_closed(self) -> bool:
        """Is there an inside?"""
        return not self.bare and self.is_closed_surface

    @cached_property
    def is_closed_surface(self) -> bool:
        """Each side between two places is met as often in one sense as in the other."""
        sides = {}
        for corners in self.local_corners():
            for tail, head in zip(corners, corners[1:] + corners[:1]):
                if tail != head:
                    key, sense = ((tail, head), 1) if tail < head else ((head, tail), -1)
                    sides[key] = sides.get(key, 0) + sense
        return bool(self.triangles) and not any(sides.values())

    @cached_property
    def is_convex(self) -> bool:
        """Closed, and no point lies beyond the plane of any triangle: then the body is the hull."""
        for p, q, r in self.local_corners():
            normal = cross(sub(q, p), sub(r, p))
            level = dot(normal, p)
            if any(dot(normal, x) > level for x in self.local):
                return False
        middle = tuple(sum(p[i] for p in self.local) // len(self.local) for i in range(3))
        return self.is_closed and winding([[sub(c, middle) for c in corners] for corners in self.local_corners()]) != 0

    def winds_around(self, p) -> bool:
        return winding([[sub(c, p) for c in self.corners(t)] for t in range(len(self.triangles))]) != 0

    def components(self) -> list:
        """A point of each connected component."""
        parent = {p: p for p in self.local}

        def root(p):
            while parent[p] != p:
                parent[p] = p = parent[parent[p]]
            return p

        for p, q, r in self.local_corners():
            parent[root(q)] = root(p)
            parent[root(r)] = root(p)
        return list({root(self.local[t[0]]): self.points[t[0]] for t in self.triangles}.values())

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
        return 0 if surface and self.is_closed and self.winds_around(p) else surface


def outside(part, p) -> int:
    """How far a point lies outside a part, its ball included, at most."""
    return max(part.beyond(p) - part.radius, 0)


def winding(triangles) -> int:
    """How often triangles of a closed surface wind around the origin: crossings of a ray, by signs of determinants. A ray
    that meets an edge gives way to another. The origin must not lie on a triangle."""
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
    raise ValueError("no ray misses the edges of a surface: the origin lies on it")
