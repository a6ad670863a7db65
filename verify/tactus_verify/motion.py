"""Casts and impacts for tactus-verify: bodies that are apart up to a time, and touch at another one."""

import math

from .bodies import (BITS, ONE, ROUNDINGS, UNIT, HalfSpace, Mesh, Polytope, add, cross, dot, fixed, neg, norm, outside,
                           pure, reals, rotate, sub, transposed)
from .proofs import NOTHING, Walk, apart_steps, height, is_direction, is_own, is_unit, orders, own_direction, per_length

# Terms of the series of sine and cosine at an angle below 1/4: the next one is below 2^-160.
TERMS = 24


def rotation_by(angular, t) -> tuple:
    """Rows of the rotation about a vector by its length times t: a quaternion's series at a small angle, then squared."""
    halvings = max(norm(angular).bit_length() - BITS, 0) + 4
    half = [(c * t >> BITS) >> halvings for c in angular]
    squared = dot(half, half) >> BITS
    cosine = sine = term = ONE
    for k in range(1, TERMS):
        term = -term * squared // ((2 * k - 1) * 2 * k) >> BITS
        cosine += term
        sine += term // (2 * k + 1)
    w, (x, y, z) = cosine, (c * sine >> BITS for c in half)
    for _ in range(halvings - 1):
        w, x, y, z = (w * w - x * x - y * y - z * z) >> BITS, 2 * w * x >> BITS, 2 * w * y >> BITS, 2 * w * z >> BITS
    xx, yy, zz, xy, xz, yz = (2 * c >> BITS for c in (x * x, y * y, z * z, x * y, x * z, y * z))
    wx, wy, wz = (2 * c >> BITS for c in (w * x, w * y, w * z))
    return (ONE - yy - zz, xy - wz, xz + wy), (xy + wz, ONE - xx - zz, yz - wx), (xz - wy, yz + wx, ONE - xx - yy)


class Motion:
    """Constant velocities of a body: of its origin, and about it. Heights are those of the body at time 0, looked at along
    directions that turn backwards."""

    def __init__(self, given, ask, origin, reach, grid):
        linear = reals(given if ask == "cast" else given.get("linear", (0, 0, 0)))
        angular = reals((0, 0, 0) if ask == "cast" else given.get("angular", (0, 0, 0)))
        self.linear = tuple(fixed(c, grid) for c in linear)
        self.angular = pure(angular)
        self.turns = any(self.angular)
        self.origin, self.reach = origin, reach

    def at_start(self, p, t) -> tuple:
        """Where the point of the body that is at p at time t was at time 0."""
        moved = sub(sub(p, self.origin), tuple(t * c >> BITS for c in self.linear))
        return add(rotate(transposed(rotation_by(self.angular, t)), moved) if self.turns else moved, self.origin)

    def velocity(self, p, t) -> tuple:
        """Of the point of the body that is at p at time t."""
        arm = sub(sub(p, self.origin), tuple(t * c >> BITS for c in self.linear))
        return add(self.linear, tuple(c >> BITS for c in cross(self.angular, arm)))

    def turning(self, part) -> tuple:
        """Where the point c is in a part about which it turns; its angular velocity v as a set, in the frame of the body; and
        the bend: |x(t) - first order| is below t^2 times it. What is round about an axis u through c is the same set without
        the turn about u: v = w - (w . u) u / |u|^2. Since v' = w x v = (w - v) x v, second derivatives are below
        |v|^2 + |w - v| |v|."""
        spin = norm(self.angular)
        if part.axis is None:
            return self.origin, self.angular, (spin * spin >> BITS) * part.reach // 2
        aside = norm(sub(part.centre(), self.origin))
        rest = part.spread() if isinstance(part, Polytope) else part.reach - aside
        across, squared = (0, 0, 0), dot(part.axis, part.axis)
        if squared:
            across = sub(self.angular, tuple(dot(self.angular, part.axis) * c // squared for c in part.axis))
        left, about = norm(across), norm(sub(self.angular, across))
        bend = (spin * spin >> BITS) * aside + (left * (left + about) >> BITS) * rest
        return part.centre(), across, bend // 2

    def height(self, part, pieces, n, start, end) -> list:
        """Largest n . x of pieces at both ends of an interval, at least for all times between them if joined by a line.
        Around the middle m a point x, from the origin, is at x + (t - m) w x x, but for the bend."""
        middle, half = (start + end) // 2, (end - start + 1) // 2
        back = transposed(rotation_by(self.angular, middle)) if self.turns else None
        centre, across, bend = self.turning(part) if self.turns else (self.origin, self.angular, 0)
        error = ((bend * half >> BITS) * half >> BITS) * norm(n) >> BITS
        heights = []
        for t, sign in ((start, -1), (end, 1)):
            own = whole = n
            if self.turns:
                m = rotate(back, n)
                own, whole = (add(m, tuple(sign * half * c >> 2 * BITS for c in cross(m, w))) for w in (across, self.angular))
            travelled = dot(n, add(self.origin, tuple(t * c >> BITS for c in self.linear)))
            swung = dot(whole, sub(centre, self.origin)) - dot(own, centre)
            heights.append(height(part, own, *pieces) + swung + travelled + error)
        return heights


class MovingOpinion:
    """What can be said of an answer to `cast` or `impact`."""

    def __init__(self, query, answer, pair):
        self.query, self.answer, self.pair = query, answer, pair
        self.certificate = answer.get("certificate") or {}
        given = [query["motion"][name] for name in "ab"]
        self.motion_a, self.motion_b = motions = [
            Motion(g, query["ask"], origin, pair.length(reach), pair.grid)
            for g, origin, reach in zip(given, pair.origins, pair.reaches)]
        # The way of the origins, and of what turns about them, is rounded like any length.
        travelled = sum(norm(m.linear) + (norm(m.angular) * m.reach >> BITS) for m in motions)
        self.slack = pair.slack + (travelled * ROUNDINGS >> 53)
        self.world_slack = pair.world_slack + (travelled * ROUNDINGS >> 53)
        self.claims = {}

    def gap_during(self, a, b):
        """The least gap of blocks of two parts that move. Concave in time: the ends of an interval tell."""
        def gap(block, n) -> int:
            first_a, last_a, first_b, last_b, start, end = block
            n = own_direction(a, b, n)
            planes = [m for part, m in ((a, self.motion_a), (b, self.motion_b)) if isinstance(part, HalfSpace)]
            if n is None or not is_direction(n) or any(m.turns for m in planes):
                return NOTHING
            up = self.motion_a.height(a, (first_a, last_a), n, start, end)
            down = self.motion_b.height(b, (first_b, last_b), neg(n), start, end)
            return min(per_length(-x - y, n) for x, y in zip(up, down))

        return gap

    def apart_until(self, time) -> bool:
        """Are all pairs of parts apart, to rounding, from 0 to `time`?"""
        orders(self.pair, self.certificate)
        listed = apart_steps(self.certificate)
        whole = [v for v in (self.answer.get("normal"), self.certificate.get("direction")) if v]
        for i, a in enumerate(self.pair.a):
            for j, b in enumerate(self.pair.b):
                walk = Walk(a, b, gap_during=self.gap_during(a, b))
                trials = [e["steps"] for e in listed.get((i, j), [])] + [[["n", v]] for v in whole]
                if not any(walk.is_apart_during(steps, time, self.slack) for steps in trials):
                    return False
        return True

    def judge(self, stop_early=False) -> dict:
        """Claims by name; with `stop_early` those up to the first that is not proved."""
        hit, time, upper = (self.answer[name] for name in ("hit", "time", "time_upper"))
        if hit is False:
            self.claims["verdict"] = self.found(self.apart_until(ONE))
            return self.claims
        start = fixed(float(time), -BITS)
        ordered = 0 <= time <= 1 and (upper is None or time <= upper)
        self.claims["value"] = "proved" if ordered else "refuted"
        if self.answer["distance"] is not None:
            self.judge_witnesses(start)
        if stop_early and any(claim != "proved" for claim in self.claims.values()):
            return self.claims
        self.claims["time"] = self.found(start == 0 or self.apart_until(start))
        if upper is not None:
            self.claims["time_upper"] = self.found(self.touches(fixed(float(upper), -BITS)))
        if hit is True:
            self.claims["verdict"] = self.claims.get("time_upper", "unproved")
        return self.claims

    @staticmethod
    def found(true) -> str:
        return "proved" if true else "unproved"

    def beyond(self, point_a, point_b, t) -> int:
        """How far two points are outside of the bodies at a time."""
        pair = self.pair
        p, q = (m.at_start(pair.point(v), t) for m, v in ((self.motion_a, point_a), (self.motion_b, point_b)))
        return max(min(outside(a, p) for a in pair.a), min(outside(b, q) for b in pair.b))

    def touches(self, t) -> bool:
        """Do the certificate's points belong to the bodies at a time, and coincide?"""
        points = [self.certificate.get(name) for name in ("touch_a", "touch_b")]
        if None in points or not 0 <= t <= ONE:
            return False
        p, q = (self.pair.point(v) for v in points)
        return self.beyond(*points, t) <= self.world_slack and norm(sub(q, p)) <= self.world_slack

    def judge_witnesses(self, t):
        """At `time` the points belong to the bodies, and are apart by `distance` along the normal."""
        pair, answer = self.pair, self.answer
        p, q = pair.point(answer["point_a"]), pair.point(answer["point_b"])
        starts = [m.at_start(v, t) for m, v in ((self.motion_a, p), (self.motion_b, q))]
        self.claims |= pair.judge_parts(answer, [lambda part, x=x: outside(part, x) for x in starts], self.world_slack)
        inside = self.beyond(answer["point_a"], answer["point_b"], t) <= self.world_slack
        # Bodies that may only have come near need not have points.
        self.claims["points"] = "proved" if inside else "refuted" if answer["hit"] is True else "unproved"
        n, distance = pure(answer["normal"]), pair.length(answer["distance"])
        apart = norm(sub(sub(q, p), tuple(distance * c >> BITS for c in n)))
        curved = not all(part.flat for part in pair.a + pair.b)
        allowed = self.world_slack + (pair.length(math.sqrt(128 * UNIT) * pair.size) if curved else 0)
        self.claims["relation"] = self.found(apart <= allowed)
        pieces_a, pieces_b = (self.pieces_at(m, parts, v, t) for m, parts, v in
                              ((self.motion_a, pair.a, p), (self.motion_b, pair.b, q)))
        proved = any(is_own(a, b, n) and abs(self.gap_during(a, b)((0, None, 0, None, t, t), n) - distance) <= self.slack
                     for a in pieces_a for b in pieces_b) if is_unit(n) else False
        self.claims["normal"] = self.found(proved) if is_unit(n) else "refuted"

    def pieces_at(self, motion, parts, p, t) -> list:
        """The part nearest to a point at a time; of a mesh the triangles that hold it, to rounding, or the nearest one, unless
        the bodies overlap there."""
        start = motion.at_start(p, t)
        part = min(parts, key=lambda part: outside(part, start))
        if not isinstance(part, Mesh) or self.pair.length(self.answer["distance"]) < -self.slack:
            return [part]
        far = sorted((outside(piece, start), index) for index, piece in enumerate(map(part.triangle, range(len(part.triangles)))))
        held = [index for off, index in far if off <= self.world_slack] or [far[0][1]]
        pieces = [part.triangle(index) for index in held]
        for piece in pieces:
            piece.reach = part.reach
        return pieces
