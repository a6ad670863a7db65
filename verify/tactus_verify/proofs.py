"""Bounds of the signed distance of a pair that follow from a certificate, for tactus-verify.

Nothing here searches for an answer. A lower bound comes from directions along which the bodies are apart, or overlap no
further; an upper bound from points of both, or from a proof that they overlap by a depth in every direction.
"""

import math

from .bodies import (BITS, ONE, UNIT, HalfSpace, Mesh, add, cross, dot, fixed, nearest, nearest_of_simplex, neg,
                           norm, pure, rotate, sub, winding)
from .cover import depth_by_cover

NOTHING = -(1 << 100 * BITS)
# Cones of directions looked at before a depth is given up.
MOST_CONES = 100000
# Bits of their first directions: their lengths, rounded up, exceed the true ones by less than 2^-90.
SHORT = 100


def is_unit(n) -> bool:
    return abs(math.isqrt(dot(n, n)) - ONE) <= fixed(64 * UNIT, -BITS)


def is_direction(n) -> bool:
    """Long enough to be told from its rounding to units. Gaps are divided by its length, so that it need not be 1."""
    return norm(n) > ONE >> 30


def own_direction(a, b, n):
    """The direction along which two parts are looked at: a half-space's own normal, whatever is asked; None for two."""
    planes = [tuple(sense * c for c in part.normal) for part, sense in ((a, 1), (b, -1)) if isinstance(part, HalfSpace)]
    return n if not planes else planes[0] if len(planes) == 1 else None


def is_own(a, b, n) -> bool:
    """Is n the direction along which the parts are looked at, to rounding?"""
    own = own_direction(a, b, n)
    return own is not None and max(abs(x - y) for x, y in zip(own, n)) <= fixed(64 * UNIT, -BITS)


def height(part, n, first, last) -> int:
    """Largest n . x of pieces of a part, times 2^BITS."""
    if isinstance(part, HalfSpace):
        return part.offset << BITS
    if isinstance(part, Mesh):
        return max(dot(p, n) for p in part.corners_of_range(first, last))
    return dot(part.support(n), n) + part.radius * norm(n)


def gap_along(a, b, n, block=(0, None, 0, None), shift=(0, 0, 0)) -> int:
    """How far pieces of two parts are apart along n, from A to B, at least, where B is moved by `shift`; minus the depth
    along n where they overlap."""
    n = own_direction(a, b, n)
    if n is None or not is_direction(n):
        return NOTHING
    return per_length(dot(n, shift) - height(a, n, *block[:2]) - height(b, neg(n), *block[2:]), n)


def per_length(total, n) -> int:
    """total / |n|, rounded down."""
    return total // (norm(n) if total >= 0 else norm(n) - 2) - 1


# --- Lower bounds ----------------------------------------------------------------------------------------------------------


class Walk:
    """The steps of `apart` for one pair of parts: pieces of A and of B, and an interval of time, cut in pre-order."""

    def __init__(self, a, b, shift=(0, 0, 0), gap_during=None):
        """`gap_during`: of bodies that move, the least gap of a block (pieces of both, and an interval) along n."""
        self.a, self.b, self.shift = a, b, shift
        self.gap = gap_during or (lambda block, n: gap_along(a, b, n, block[:4], shift))

    def pieces(self, part) -> int:
        return len(part.triangles) if isinstance(part, Mesh) else 1

    def blocks(self, steps, time=0):
        """(block, n) of all steps that say apart along n, or None when the steps leave something out."""
        stack, found = [(0, self.pieces(self.a), 0, self.pieces(self.b), 0, time)], []
        for kind, value in steps:
            if not stack:
                return None
            a0, a1, b0, b1, t0, t1 = block = stack.pop()
            if kind == "n":
                found.append((block, pure(value)))
            elif kind == "a" and 0 < value < a1 - a0:
                stack += [(a0 + value, a1, b0, b1, t0, t1), (a0, a0 + value, b0, b1, t0, t1)]
            elif kind == "b" and 0 < value < b1 - b0:
                stack += [(a0, a1, b0 + value, b1, t0, t1), (a0, a1, b0, b0 + value, t0, t1)]
            elif kind == "t" and t0 < (t := fixed(float(value), -BITS)) < t1:
                stack += [(a0, a1, b0, b1, t, t1), (a0, a1, b0, b1, t0, t)]
            else:
                return None
        return None if stack else found

    def are_pieces(self, steps) -> bool:
        return any(kind in ("a", "b") for kind, _ in steps)

    def holds_component(self) -> bool:
        """Does a component of one lie inside the other, a closed mesh, where their surfaces do not meet?"""
        for outer, inner, shift in ((self.a, self.b, self.shift), (self.b, self.a, neg(self.shift))):
            if not isinstance(outer, Mesh) or isinstance(inner, HalfSpace) or not outer.is_closed:
                continue
            points = inner.components() if isinstance(inner, Mesh) else [inner.centre()]
            if any(outer.winds_around(add(p, shift)) for p in points):
                return True
        return False

    def lower(self, steps) -> int:
        """The signed distance is at least this."""
        blocks = self.blocks(steps)
        if blocks is None:
            return NOTHING
        least = min(self.gap(block, n) for block, n in blocks)
        if self.are_pieces(steps) and (least <= 0 or self.holds_component()):
            return NOTHING
        return least - (norm(self.shift) if any(self.shift) else 0)

    def is_apart_during(self, steps, time, slack) -> bool:
        """Are bodies that move apart from 0 to `time`? Only in intervals that end there they may touch, to rounding: from one
        interval to the next they would else change sides unseen."""
        blocks = self.blocks(steps, time)
        if blocks is None or self.are_pieces(steps) and self.holds_component():
            return False
        return all(self.gap(block, n) > (-slack if block[5] == time else 0) for block, n in blocks)


def proved_lower(pair, certificate, directions) -> int:
    """A lower bound of the signed distance of all pairs of parts."""
    orders(pair, certificate)
    steps = apart_steps(certificate)
    least = None
    for i, a in enumerate(pair.a):
        for j, b in enumerate(pair.b):
            best = max((gap_along(a, b, n) for n in directions), default=NOTHING)
            for entry in steps.get((i, j), []):
                shift = tuple(fixed(float(x), pair.grid) for x in entry.get("shift", (0, 0, 0)))
                best = max(best, Walk(a, b, shift).lower(entry["steps"]))
            least = best if least is None else min(least, best)
    return least


def proved_lower_of_unions(pair, certificate, directions) -> int:
    """The same of the depth of unions: one translation must free all pairs of parts, along a direction that they share, or that of
    the first entry, after which each pair is apart along its own."""
    orders(pair, certificate)
    listed, steps = certificate.get("apart", []), apart_steps(certificate)
    pairs = [(i, j, a, b) for i, a in enumerate(pair.a) for j, b in enumerate(pair.b)]
    best = max((min(gap_along(a, b, n) for _, _, a, b in pairs) for n in directions), default=NOTHING)
    if not listed or not any(listed[0]["shift"]):
        return best
    given = listed[0]["shift"]
    shift = tuple(fixed(float(x), pair.grid) for x in given)

    def after(i, j, a, b) -> int:
        straight = max((gap_along(a, b, n, shift=shift) - norm(shift) for n in directions), default=NOTHING)
        entries = (Walk(a, b, shift).lower(e["steps"]) for e in steps.get((i, j), []) if e["shift"] == given)
        return max(straight, max(entries, default=NOTHING))

    return max(best, min(after(*p) for p in pairs))


def apart_steps(certificate) -> dict:
    """The entries of `apart` by their parts, the body itself being the first one."""
    listed = {}
    for entry in certificate.get("apart", []):
        listed.setdefault((max(entry["part_a"], 0), max(entry["part_b"], 0)), []).append(entry)
    return listed


def orders(pair, certificate) -> None:
    """Puts the triangles in the order in which the steps count them; what is no permutation is left alone."""
    for parts, name in ((pair.a, "order_a"), (pair.b, "order_b")):
        for entry in certificate.get(name, []):
            mesh = parts[max(entry["part"], 0)] if entry["part"] < len(parts) else None
            if isinstance(mesh, Mesh) and sorted(entry["triangles"]) == list(range(len(mesh.triangles))):
                mesh.order = entry["triangles"]


# --- Lower bounds of a depth -----------------------------------------------------------------------------------------------


def ball_about(part, p) -> int:
    """Radius of a ball about a point that lies in the part; negative: how far the point is outside, at most."""
    if isinstance(part, HalfSpace):
        return -part.above(p)
    if isinstance(part, Mesh):
        return -part.beyond(p)
    out = part.beyond(p)
    return part.radius - out if out else part.radius + part.depth(p)


def depth_of_balls(a, b, p, q) -> int:
    """A ball about p in A and one about q in B overlap by their radii less the distance of p and q."""
    return ball_about(a, p) + ball_about(b, q) - (norm(sub(q, p)) if p != q else 0)


def best_balls(a, b, given, wanted) -> int:
    """The best that balls prove about the certificate's points, about the centre of either part, about the cores' nearest
    points and between the centres of curved parts: tried in this order, up to what is enough."""

    def trials():
        for p, q in given + [(a.centre(), a.centre()), (b.centre(), b.centre())]:
            yield depth_of_balls(a, b, p, q)
        if a.flat and b.flat and len(a.points) * len(b.points) <= 64:
            x = nearest([sub(p, q) for p in a.points for q in b.points])
            yield a.radius + b.radius - (norm(x) if any(x) else 0)
        if not a.flat and not b.flat:
            yield depth_of_balls(a, b, *centres_between(a, b))

    best = NOTHING
    for depth in trials():
        best = max(best, depth)
        if best >= wanted:
            break
    return best


def centres_between(a, b) -> tuple:
    """Two points on the line between the centres of curved bodies, moved towards each other as far as that gains."""
    start, end = a.centre(), b.centre()
    way = sub(end, start)

    def at(t) -> tuple:
        step = tuple(c * t >> BITS for c in way)
        return add(start, step), sub(end, step)

    low, high = 0, ONE // 2
    while high - low > ONE >> 54:
        third = (high - low) // 3
        if depth_of_balls(a, b, *at(low + third)) < depth_of_balls(a, b, *at(high - third)):
            low += third
        else:
            high -= third
    return at(low)


class Corner:
    """A direction m of any length and a point w of A - B far along it; `wanted` is the depth times |m|."""

    def __init__(self, a, b, m, depth):
        self.m = m
        self.w = sub(a.some_support(m), b.some_support(neg(m)))
        self.wanted = depth * norm(m)
        self.length = float(norm(m))
        self.unit = tuple(c / self.length for c in m)
        self.place = tuple(math.ldexp(c, -BITS) for c in self.w)


def holds_all(corners, shares) -> bool:
    """Is the mixture of the corners' points high enough over every corner? Then it is over all of the cone: m = sum c_j m_j
    has q . m = sum c_j q . m_j >= depth sum c_j |m_j| >= depth |m|."""
    weights = [round(s * (1 << 60)) for s in shares]
    if min(weights) < 0 or not any(weights):
        return False
    q = tuple(sum(s * c.w[i] for s, c in zip(weights, corners)) for i in range(3))
    return all(dot(q, c.m) >= sum(weights) * c.wanted for c in corners)


def mixtures(excess):
    """Shares of three points that may be good over three corners: excess[i][j] is what point i is too high over corner j."""
    for i in range(3):
        if min(excess[i]) >= 0:
            yield tuple(float(i == k) for k in range(3))
            return
    for i in range(3):
        k = (i + 1) % 3
        low, high = 0.0, 1.0
        for x, y in zip(excess[i], excess[k]):  # share s of i, 1 - s of k
            if x >= 0 and y >= 0:
                continue
            if x < 0 and y < 0:
                low = 2.0
                break
            s = y / (y - x)
            low, high = (max(low, s), high) if x > y else (low, min(high, s))
        if low <= high:
            shares = [0.0] * 3
            shares[i], shares[k] = (low + high) / 2, 1 - (low + high) / 2
            yield tuple(shares)
            return
    # The mixture that is equally high over all corners, per length.
    columns = list(zip(*excess))
    level = cross(sub(columns[0], columns[1]), sub(columns[0], columns[2]))
    total = sum(level)
    if total and min(c / total for c in level) >= 0:
        yield tuple(c / total for c in level)


def cone_is_deep(corners) -> bool:
    excess = [[float(dot(p.w, c.m) - c.wanted) / c.length for c in corners] for p in corners]
    return any(holds_all(corners, shares) for shares in mixtures(excess))


def is_deep(a, b, direction, depth) -> bool:
    """Do two convex parts overlap by at least `depth` >= 0 in every direction? The cones between three directions, at first
    eight about `direction`, are cut until a point of A - B is high enough over each; balls are left out, of both sides."""
    wanted = max(depth - a.radius - b.radius, 0)
    n = tuple(c >> (BITS - SHORT) for c in direction)
    least = min(range(3), key=lambda i: abs(n[i]))
    x = cross(n, tuple(int(i == least) for i in range(3)))
    y = tuple(c >> SHORT for c in cross(n, x))
    pole, other, *equator = (Corner(a, b, m, wanted) for m in (n, neg(n), x, y, neg(x), neg(y)))
    stack = [(other, equator[(i + 1) % 4], equator[i]) for i in range(4)]
    stack += [(pole, equator[i], equator[(i + 1) % 4]) for i in range(4)]
    for _ in range(MOST_CONES):
        if not stack:
            return True
        corners = stack.pop()
        if any(dot(c.w, c.m) < c.wanted and dot(sub(a.support(c.m), b.support(neg(c.m))), c.m) < c.wanted for c in corners):
            return False
        if cone_is_deep(corners):
            continue
        # Cut across the edge along which the points of A - B turn most.
        turns = [dot(sub(c.unit, d.unit), sub(c.place, d.place)) for c, d in zip(corners, corners[1:] + corners[:1])]
        i = turns.index(max(turns))
        start, end, rest = corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]
        middle = Corner(a, b, halfway(start.m, end.m), wanted)
        stack += [(middle, end, rest), (start, middle, rest)]
    return False


def halfway(m, n) -> tuple:
    """A direction exactly between two, in the cone that they span, about halfway."""
    longer = norm(m).bit_length() - norm(n).bit_length()
    return add(tuple(c << max(-longer, 0) for c in m), tuple(c << max(longer, 0) for c in n))


def depth_of_faces(a, b, frames, certificate, grid) -> int:
    """Triangles between points of A - B form a closed surface that winds around the origin: the hull of the points holds the
    ball about the origin that the triangles leave free. Of any others a point is near to the origin."""
    points, out = [], 0
    for support in certificate["supports"]:
        p, q = (placed(frame, support[name], grid) for frame, name in zip(frames, ("point_a", "point_b")))
        out = max(out, a.beyond(p) + b.beyond(q))
        points.append(sub(p, q))
    indices = [i for f in certificate["faces"] for i in f]
    if min(indices) < 0 or max(indices) >= len(points):
        return NOTHING
    surface = Mesh(points, certificate["faces"])
    triangles = [surface.corners(t) for t in range(len(surface.triangles))]
    free = math.isqrt(min(dot(x, x) for x in (nearest_of_simplex(t)[0] for t in triangles))) - 2
    held = free > 0 and surface.is_closed and winding(triangles) != 0
    return (free if held else -(free + 4)) - out + a.radius + b.radius


def placed(frame, v, grid) -> tuple:
    """A local point in the world."""
    rotation, position = frame
    return add(rotate(rotation, tuple(fixed(float(x), grid) for x in v)), position)


def piece_of(part, triangle):
    """A part, or a triangle of it; a mesh without a triangle is its hull where that is its body. None: no such piece."""
    if not isinstance(part, Mesh):
        return part
    if triangle >= 0:
        return part.triangle(triangle) if triangle < len(part.triangles) else None
    return part.hull() if part.is_convex else None


def depth_inside(pair, certificate, part_a, part_b) -> int:
    """A point of one body lies inside the other, a closed mesh, as deep as the nearest triangle."""
    p = pair.point(certificate["inside_point"])
    best = NOTHING
    for mesh, other in ((part_a, part_b), (part_b, part_a)):
        free = mesh.distance(p) - 2 if isinstance(mesh, Mesh) and mesh.is_closed else 0
        if free > 0 and mesh.winds_around(p):
            best = max(best, free + ball_about(other, p))
    return best


def proved_depth(pair, certificate, wanted) -> int:
    """A depth that the certificate proves; `wanted`, less the rounding allowed, where that is enough."""
    kind = certificate.get("kind", "none")
    at_a, at_b = certificate.get("part_a", -1), certificate.get("part_b", -1)
    if kind == "none" or not (-1 <= at_a < len(pair.a) and -1 <= at_b < len(pair.b)):
        return NOTHING
    part_a, part_b = pair.a[max(at_a, 0)], pair.b[max(at_b, 0)]
    n = pure(certificate["direction"])
    if kind == "inside":
        return depth_inside(pair, certificate, part_a, part_b)
    if kind == "covered":
        depth = depth_by_cover(pair, certificate, wanted, piece_of)
        return NOTHING if depth is None else depth
    if isinstance(part_a, HalfSpace) or isinstance(part_b, HalfSpace):
        gap = gap_along(part_a, part_b, n)
        return -gap - 2 if gap > NOTHING else NOTHING
    a = piece_of(part_a, certificate.get("triangle_a", -1))
    b = piece_of(part_b, certificate.get("triangle_b", -1))
    if a is None or b is None or not is_unit(n):
        return NOTHING
    frames = part_a.frame, part_b.frame
    given = []
    if kind == "separation":
        given.append(tuple(placed(frame, certificate[name], pair.grid)
                           for frame, name in zip(frames, ("core_point_a", "core_point_b"))))
    allowed = wanted - pair.slack
    best = best_balls(a, b, given, allowed)
    if best >= allowed or kind == "separation":
        return best
    if kind == "faces" and certificate.get("faces"):
        best = max(best, depth_of_faces(a, b, frames, certificate, pair.grid))
    if best < allowed and allowed >= 0 and is_deep(a, b, n, allowed):
        best = allowed
    return best
