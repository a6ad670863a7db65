"""How far surfaces of triangles are apart that no plane parts: groups of triangles are halved until a plane parts each pair of groups.

Doubles only choose where to halve and which directions to try; each plane is tried in integers.
"""

import math

from .bodies import BITS, ONE, dot

STEPS = 24  # of the search for the direction of one pair of groups
MOST_PAIRS = 20000  # pairs of groups, after which nothing is proved
# Directions along which a component may stick out of a convex body.
OUTWARDS = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)]


def minus(u, v):
    return (u[0] - v[0], u[1] - v[1], u[2] - v[2])


class Surface:
    """A placed body as groups: of a mesh, any of its triangles; another body is one group."""

    def __init__(self, placed):
        self.placed, self.points = placed, placed.points
        self.near = [tuple(x / ONE for x in p) for p in self.points]
        self.triangles = placed.body.triangles

    def whole(self) -> list:
        return list(range(len(self.triangles))) if self.triangles else [0]

    def corners(self, group) -> list:
        if not self.triangles:
            return list(range(len(self.points)))
        return sorted({k for t in group for k in self.triangles[t]})

    def height(self, corners, n) -> int:
        if self.triangles:
            return (max(dot(n, self.points[k]) for k in corners) >> BITS) + self.placed.body.radius + 1
        return self.placed.height(n)

    def halves(self, group) -> tuple:
        middles = [tuple(sum(self.near[k][i] for k in self.triangles[t]) for i in range(3)) for t in group]
        spread = [max(m[i] for m in middles) - min(m[i] for m in middles) for i in range(3)]
        axis = spread.index(max(spread))
        order = [t for _, t in sorted((m[axis], t) for m, t in zip(middles, group))]
        return order[: len(order) // 2], order[len(order) // 2 :]

    def components(self) -> list:
        """Corners of each connected part of the surface."""
        if not self.triangles:
            return [self.corners([0])]
        above = list(range(len(self.points)))

        def root(k):
            while above[k] != k:
                above[k] = above[above[k]]
                k = above[k]
            return k

        for t in self.triangles:
            for k in t[1:]:
                above[root(k)] = root(t[0])
        parts = {}
        for k in self.corners(self.whole()):
            parts.setdefault(root(k), []).append(k)
        return list(parts.values())


def nearest_on_segment(p, q):
    """The point of a segment that is nearest to the origin."""
    d = minus(q, p)
    length = sum(x * x for x in d)
    t = 0.0 if length == 0.0 else min(1.0, max(0.0, -sum(x * y for x, y in zip(p, d)) / length))
    return tuple(x + t * y for x, y in zip(p, d))


def directions(a, b):
    """Guesses of a direction from A to B, better and better: steps towards the point of B - A that is nearest to the origin."""
    def farthest(points, n):
        return max(points, key=lambda p: p[0] * n[0] + p[1] * n[1] + p[2] * n[2])

    point = minus(b[0], a[0])
    kept = [point]
    for _ in range(STEPS):
        length = math.sqrt(sum(x * x for x in point))
        if length < 1e-12:
            return
        n = tuple(x / length for x in point)
        yield n
        new = minus(farthest(b, tuple(-x for x in n)), farthest(a, n))
        kept = nearest_simplex(kept[-3:] + [new])
        point = kept.pop()


def nearest_simplex(points) -> list:
    """Up to three of up to four points, and last the point of their hull's faces that is nearest to the origin."""
    best = None
    for i, p in enumerate(points):
        for q in points[i:]:
            candidates = [([p, q], nearest_on_segment(p, q))]
            for r in points:
                u, v = minus(q, p), minus(r, p)
                n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
                size = sum(x * x for x in n)
                if size < 1e-30:
                    continue
                t = sum(x * y for x, y in zip(p, n)) / size
                foot = tuple(t * x for x in n)
                inside = True
                for s, e in ((p, q), (q, r), (r, p)):
                    w, z = minus(e, s), minus(foot, s)
                    c = (w[1] * z[2] - w[2] * z[1], w[2] * z[0] - w[0] * z[2], w[0] * z[1] - w[1] * z[0])
                    inside = inside and sum(x * y for x, y in zip(c, n)) >= 0.0
                if inside:
                    candidates.append(([p, q, r], foot))
            for used, foot in candidates:
                size = sum(x * x for x in foot)
                if best is None or size < best[0]:
                    best = (size, used, foot)
    return best[1] + [best[2]]


def parted(a, group_a, b, group_b, need, first) -> bool:
    """Does a plane part the groups by `need`?"""
    corners_a, corners_b = a.corners(group_a), b.corners(group_b)

    def far(n) -> bool:
        n = tuple(int(x * ONE) for x in n)
        length = math.isqrt(dot(n, n))
        n = tuple((x << BITS) // length for x in n)
        return -b.height(corners_b, tuple(-x for x in n)) - a.height(corners_a, n) >= need

    if far(first):
        return True
    near_a, near_b = [a.near[k] for k in corners_a], [b.near[k] for k in corners_b]
    return any(far(n) for n in directions(near_a, near_b))


def surfaces_apart(placed_a, placed_b, need: int, first) -> bool:
    """Are the surfaces at least `need` apart? `first`: a direction, in doubles."""
    a, b = Surface(placed_a), Surface(placed_b)
    open_pairs, looked = [(a.whole(), b.whole())], 0
    while open_pairs:
        looked += 1
        if looked > MOST_PAIRS:
            return False
        group_a, group_b = open_pairs.pop()
        if parted(a, group_a, b, group_b, need, first):
            continue
        if len(group_a) == 1 and len(group_b) == 1:
            return False
        if len(group_a) >= len(group_b):
            open_pairs += [(half, group_b) for half in a.halves(group_a)]
        else:
            open_pairs += [(group_a, half) for half in b.halves(group_b)]
    return True


def side(a, b, c, p) -> int:
    """Sign of the volume of a tetrahedron."""
    u, v, w = minus(a, p), minus(b, p), minus(c, p)
    volume = (u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]))
    return (volume > 0) - (volume < 0)


def winding(surface, p, d) -> int | None:
    """How often a closed surface winds around a point: signed crossings of a ray; none where the ray meets an edge."""
    q = tuple(x + y for x, y in zip(p, d))
    total = 0
    for t in surface.triangles:
        a, b, c = (surface.points[k] for k in t)
        below, above = side(a, b, c, p), side(a, b, c, q)
        if below == 0 or above == 0:
            return None
        if below == above:
            continue
        turns = (side(p, q, a, b), side(p, q, b, c), side(p, q, c, a))
        if 0 in turns:
            if turns.count(0) < 3 and 1 in turns and -1 in turns:
                continue
            return None
        if turns[0] == turns[1] == turns[2]:
            total += below
    return total


def outside(surface, p) -> bool:
    """Is a point outside of a closed surface? Exact but for rays that meet edges, which are tried again elsewhere."""
    far = 4 * max(abs(x) for v in surface.points for x in v) + 4 * max(abs(x) for x in p) + ONE
    for k in range(8):
        d = tuple(int(far * x) for x in (math.cos(1 + 2.4 * k), math.sin(1 + 2.4 * k), 0.37 - 0.11 * k))
        found = winding(surface, p, d)
        if found is not None:
            return found == 0
    return False


def none_inside(placed_a, placed_b) -> bool:
    """Is of each component of either surface one point outside of the other body? Then, as surfaces that do not meet, none of it
    is inside."""
    a, b = Surface(placed_a), Surface(placed_b)
    for one, other in ((a, b), (b, a)):
        everything = other.corners(other.whole())
        for corners in one.components():
            if other.triangles:
                if not outside(other, one.points[corners[0]]):
                    return False
                continue

            def sticks_out(d, corners=corners, one=one, other=other, everything=everything) -> bool:
                n = tuple(x << (BITS - 1) for x in d)
                length = math.isqrt(dot(n, n))
                n = tuple((x << BITS) // length for x in n)
                return (max(dot(n, one.points[k]) for k in corners) >> BITS) > other.height(everything, n) + 2

            if not any(sticks_out(d) for d in OUTWARDS):
                return False
    return True
