"""Planar answers for tactus-verify: circles, contours and regions, by brute force over their segments, in integers.

Lengths are multiples of 2^-160 of the pair's size, as in verify_bodies.py. A body is its segments, grown by a radius where it is
a circle (of one segment without length); regions have an inside.
"""

import math

from .bodies import BITS, ONE, ROUNDINGS, UNIT, fixed, real, reals
from .form import PROVED, REFUTED, UNPROVED
from .motion import rotation_by

# What is read of shapes.
FIELDS = {"circle": {"type", "radius"}, "contour": {"type", "points", "closed", "crossing"}, "region": {"type", "outer", "holes"}}
# Bits below the size: a boundary's point moved in by so little is taken for one of the inside.
NUDGE = 100
# Units: more than the places of candidates are rounded by.
ROOM = 1 << 40
# Pairs of segments, each looked at for every claim.
MOST_PAIRS = 100000
# Segments of translations near enough to count, above which a depth is given up.
MOST_LINES = 60
# Steps of a motion, each as long as the gap lasts, after which a cast is given up.
MOST_STEPS = 1000


def dot(u, v) -> int:
    return u[0] * v[0] + u[1] * v[1]


def cross(u, v) -> int:
    return u[0] * v[1] - u[1] * v[0]


def sub(u, v) -> tuple:
    return (u[0] - v[0], u[1] - v[1])


def add(u, v) -> tuple:
    return (u[0] + v[0], u[1] + v[1])


def norm(v) -> int:
    return math.isqrt(dot(v, v))


def to_segment(p, a, b) -> int:
    """The distance of a point from a segment, to a unit."""
    along, whole = dot(sub(p, a), sub(b, a)), dot(sub(b, a), sub(b, a))
    if along <= 0 or whole == 0:
        return norm(sub(p, a))
    return norm(sub(p, b)) if along >= whole else abs(cross(sub(p, a), sub(b, a))) // math.isqrt(whole)


def nearest_of(a, b) -> tuple:
    """The point of a segment that is nearest to the origin."""
    side = sub(b, a)
    along = min(max(-dot(a, side), 0), dot(side, side))
    return add(a, tuple(c * along // dot(side, side) for c in side))


def around(middle, direction, squared) -> list:
    """The two points on a line that are away from one of it by a root."""
    if squared < 0:
        return []
    step = tuple(x * math.isqrt(squared) // norm(direction) for x in direction)
    return [add(middle, step), sub(middle, step)]


def sign(x) -> int:
    return (x > 0) - (x < 0)


def between(s, t) -> int:
    """The distance of two segments, to a unit."""
    (a, b), (c, d) = s, t
    sides = [sign(cross(sub(b, a), sub(p, a))) for p in t] + [sign(cross(sub(d, c), sub(p, c))) for p in s]
    if sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0:
        return 0
    return min(to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b))


class Body:
    """A placed planar shape."""

    def __init__(self, shape, pose, origin, grid):
        kind = self.kind = shape["type"]
        if not shape.keys() <= FIELDS[kind]:
            raise ValueError(f"a {kind} of {', '.join(shape)}")
        x, y, angle = reals(pose)
        rows = rotation_by((0, 0, fixed(angle, -BITS)), ONE)
        place = tuple(fixed(c, grid) - o for c, o in zip((x, y), origin))

        def at(v) -> tuple:
            v = tuple(fixed(c, grid) for c in reals(v, 2))
            return tuple((rows[i][0] * v[0] + rows[i][1] * v[1] >> BITS) + place[i] for i in (0, 1))

        self.radius = fixed(real(shape["radius"]), grid) if kind == "circle" else 0
        self.centre = place
        lists = [[(0, 0)]] if kind == "circle" else [shape["points"]] if kind == "contour" else [shape["outer"], *shape.get("holes", [])]
        self.closed = kind != "contour" or shape.get("closed", True) is True
        self.contours = []
        for points in lists:
            placed = [at(p) for p in points]
            ends = placed[1:] + placed[:1] if self.closed else placed[1:] or placed
            self.contours.append(list(zip(placed, ends)))
        self.segments = [s for c in self.contours for s in c]

    def changed(self, change):
        """The body with all of its points changed."""
        other = object.__new__(Body)
        contours = [[tuple(map(change, s)) for s in contour] for contour in self.contours]
        other.__dict__ = {**self.__dict__, "contours": contours, "segments": [s for c in contours for s in c],
                          "centre": change(self.centre)}
        return other

    def moved(self, way):
        return self.changed(lambda p: add(p, way))

    def boundary(self, p) -> int:
        """How far a point is from the boundary."""
        return abs(min(to_segment(p, *s) for s in self.segments) - self.radius)

    def holds(self, p) -> bool:
        """Is a point inside? By the parity of a ray's crossings: holes lie in the outer contour."""
        if self.kind == "circle":
            return norm(sub(p, self.centre)) < self.radius
        inside = False
        for a, b in self.segments if self.kind == "region" else ():
            if (a[1] > p[1]) != (b[1] > p[1]) and (cross(sub(b, a), sub(p, a)) > 0) == (b[1] > a[1]):
                inside = not inside
        return inside

    def outside(self, p) -> int:
        return 0 if self.holds(p) else self.boundary(p)

    def directions(self):
        """The outward normals of a convex region, of any length; None for what is not one."""
        if self.kind != "region" or len(self.contours) != 1:
            return None
        sides = [sub(b, a) for a, b in self.segments if a != b]
        turns = [cross(d, e) for d, e in zip(sides, sides[1:] + sides[:1])]
        if not sides or min(turns) < 0 < max(turns) or not any(turns) or turns_around(sides) != 1:
            return None
        sense = 1 if max(turns) > 0 else -1
        return [(sense * d[1], -sense * d[0]) for d in sides]

    def height(self, n) -> int:
        return max(dot(p, n) for s in self.segments for p in s)


def turns_around(sides) -> int:
    """How often the directions of a closed contour go around."""
    halves = [(d[1] > 0 or d[1] == 0 and d[0] > 0) for d in sides]
    return sum(x and not y for x, y in zip(halves, halves[1:] + halves[:1]))


class PlanarOpinion:
    """What can be said of an answer to a planar query."""

    def __init__(self, query, answer):
        poses = [query.get("pose_" + n, [0, 0, 0]) for n in "ab"]
        extents = [math.hypot(*reals(p, 2)) for n in "ab" for p in self.points_of(query[n])]
        size = sum(extents and [max(extents)] or []) + sum(real(query[n].get("radius", 0)) for n in "ab") + math.dist(
            *(reals(p)[:2] for p in poses))
        if not size < 1e150:
            raise ValueError("beyond the range of double")
        self.query, self.answer = query, answer
        self.grid = math.frexp(size or 1.0)[1] - BITS
        origin = tuple(fixed(c, self.grid) for c in reals(poses[0])[:2])
        self.origin, self.claims = origin, {}
        self.a, self.b = (Body(query[n], pose, origin, self.grid) for n, pose in zip("ab", poses))
        self.start_a, self.start_b = (tuple(fixed(c, self.grid) - o for c, o in zip(reals(pose)[:2], origin)) for pose in poses)
        way = sum(math.hypot(*(reals(m.get("linear", [0, 0]) if isinstance(m, dict) else m, 2))) for m in query.get("motion", {}).values())
        if len(self.a.segments) * len(self.b.segments) > MOST_PAIRS:
            raise ValueError(f"more than {MOST_PAIRS} pairs of segments")
        world = way + max(abs(c) for pose in poses for c in reals(pose)[:2])
        self.slack = self.length(ROUNDINGS * UNIT * 2 * (size + world))
        self.threshold = self.length(query.get("threshold", 0.0))

    @staticmethod
    def points_of(shape) -> list:
        return shape.get("points", []) + shape.get("outer", []) + [p for hole in shape.get("holes", []) for p in hole]

    def length(self, x) -> int:
        return fixed(real(x), self.grid)

    def point(self, v) -> tuple:
        return tuple(self.length(c) - o for c, o in zip(v, self.origin))

    def judge(self) -> dict:
        ask = self.query["ask"]
        if ask == "cast":
            self.judge_cast()
            return self.claims
        if ask == "touches":
            self.judge_touches()
            return self.claims
        self.judge_bracket()
        if self.answer["distance"] is not None:
            self.judge_points(self.a, self.b)
        if ask == "contacts":
            self.judge_contacts()
        return self.claims

    def unit(self, v) -> tuple:
        return tuple(fixed(c, -BITS) for c in v)

    @staticmethod
    def is_unit(n) -> bool:
        return abs(norm(n) - ONE) <= fixed(64 * UNIT, -BITS)

    def judge_points(self, a, b) -> None:
        """Points lie on both boundaries, or, where there is no depth, belong to both; point_b - point_a = distance * normal."""
        answer, n = self.answer, self.unit(self.answer["normal"])
        p, q, d = self.point(answer["point_a"]), self.point(answer["point_b"]), self.length(answer["distance"])
        off = max(a.boundary(p), b.boundary(q)) if self.is_solid() else max(a.outside(p), b.outside(q))
        self.claims["points"] = PROVED if off <= self.slack else REFUTED
        apart = norm(sub(sub(q, p), tuple(d * c >> BITS for c in n)))
        # Of a cast both ends are rounded: where a way ends, and where it leads to.
        allowed = self.slack * (2 if self.query["ask"] == "cast" else 1)
        self.claims["normal"] = REFUTED if not self.is_unit(n) else PROVED if apart <= allowed else UNPROVED

    # --- Bracket ---

    def is_deep(self, depth) -> bool:
        """Do the bodies overlap after every translation that is shorter than `depth`?"""
        if self.a.kind == self.b.kind:
            return self.a.kind == "region" and self.are_deep(depth)
        ball, other = (self.a, self.b) if self.a.kind == "circle" else (self.b, self.a)
        return ball.kind == "circle" and self.is_ball_deep(ball, other, depth)

    def is_solid(self) -> bool:
        """Is there a depth? Of a curve with a curve or a region there is none."""
        kinds = {self.a.kind, self.b.kind}
        return "circle" in kinds or kinds == {"region"}

    def gap(self, a, b) -> int:
        """How far the bodies are apart; negative where their interiors meet, then minus a depth that they have at least."""
        if a.kind == "circle" or b.kind == "circle":
            ball, other = (a, b) if a.kind == "circle" else (b, a)
            from_centre = -other.boundary(ball.centre) if other.holds(ball.centre) else other.outside(ball.centre)
            if other.kind == "circle":
                from_centre = norm(sub(ball.centre, other.centre)) - other.radius
            return from_centre - ball.radius
        least = min(between(s, t) for s in a.segments for t in b.segments)
        held = a.holds(b.segments[0][0]) or b.holds(a.segments[0][0])
        if least > 0 and not held:
            return least
        if not self.is_solid() or not self.meets(a, b):
            return 0
        return -self.convex_depth(a, b)

    def convex_depth(self, a, b) -> int:
        """The depth of convex regions, by the normals of their sides; of others 1, more than nothing."""
        normals = a.directions(), b.directions()
        if None in normals:
            return 1
        directions = normals[0] + [(-x, -y) for x, y in normals[1]]
        return max(min((a.height(n) + b.height((-n[0], -n[1]))) // (norm(n) + 1) for n in directions), 1)

    @staticmethod
    def pieces(own, other):
        """The segments of one body, cut where those of the other cross or end: middles, and the way across of a small length."""
        for p, q in own.segments:
            side = sub(q, p)
            length = norm(side)
            if length == 0:
                continue
            cuts = {0, ONE}
            for c, d in other.segments:
                across = cross(side, sub(d, c))
                if across:
                    cuts.add((cross(sub(c, p), sub(d, c)) << BITS) // across)
                else:
                    cuts |= {(dot(sub(e, p), side) << BITS) // (length * length) for e in (c, d)}
            cuts = sorted(t for t in cuts if 0 <= t <= ONE)
            step = tuple((c << BITS - NUDGE) // length for c in (-side[1], side[0]))
            for s, t in zip(cuts, cuts[1:]):
                yield add(p, tuple(c * (s + t) >> (BITS + 1) for c in side)), step

    def meets(self, a, b) -> bool:
        """Do the interiors of two regions meet? Then a piece of one's boundary, moved in a little, is in both."""
        return any(own.holds(p) and other.holds(p) for own, other in ((a, b), (b, a)) for middle, step in self.pieces(own, other)
                   for p in (add(middle, step), sub(middle, step)))

    def overlaps_well(self, a, b) -> bool:
        """Do the interiors of two regions meet, however either is moved by some units?"""
        return any(own.holds(p) and other.holds(p) and other.boundary(p) > ROOM
                   for own, other in ((a, b), (b, a)) for middle, step in self.pieces(own, other)
                   for p in (add(middle, step), sub(middle, step)))

    def are_deep(self, depth) -> bool:
        """Do two regions overlap after every translation of B that is shorter than `depth`? The translations after which they do not
        begin where a corner slides along an edge, on segments: the shortest one is the nearest point of one, or a crossing of two.
        So all of these that are shorter must leave the interiors overlapping."""
        a, b = self.a, self.b
        lines = [(sub(p, c), sub(q, c)) for p, q in a.segments for c, _ in b.segments]
        lines += [(sub(p, c), sub(p, d)) for p, _ in a.segments for c, d in b.segments]
        near = [s for s in lines if s[0] != s[1] and to_segment((0, 0), *s) < depth]
        if len(near) > MOST_LINES:
            return False
        places = {nearest_of(*s) for s in near}
        for i, (p, q) in enumerate(near):
            for c, d in near[:i]:
                across = cross(sub(q, p), sub(d, c))
                along = cross(sub(c, p), sub(d, c))
                if across and 0 <= along * sign(across) <= abs(across):
                    places.add(add(p, tuple(x * along // across for x in sub(q, p))))
        return all(norm(x) >= depth or self.overlaps_well(a, b.moved(x)) for x in places)

    def is_ball_deep(self, ball, other, depth) -> bool:
        """The same of a circle and a curve or region. Its centre is free outside of the edges moved aside by the radius and of the
        circles about the corners; the nearest free place is a foot on one of them or a crossing of two."""
        c, r = ball.centre, ball.radius
        lines = []
        for p, q in other.segments:
            side = sub(q, p)
            if any(side):
                across = tuple(x * r // norm(side) for x in (-side[1], side[0]))
                lines += [(add(p, x), side) for x in (across, sub((0, 0), across))]
        corners = list({p for s in other.segments for p in s})
        if len(lines) + len(corners) > MOST_LINES:
            return False
        places = [add(p, tuple(x * dot(sub(c, p), d) // dot(d, d) for x in d)) for p, d in lines]
        for e in corners:
            way = sub(c, e) if c != e else (1, 0)
            places.append(add(e, tuple(x * r // max(norm(way), 1) for x in way)))
        for i, (p, d) in enumerate(lines):
            for o, e in lines[:i]:
                if cross(d, e):
                    places.append(add(p, tuple(x * cross(sub(o, p), e) // cross(d, e) for x in d)))
            for e in corners:
                foot = add(p, tuple(x * dot(sub(e, p), d) // dot(d, d) for x in d))
                places += around(foot, d, r * r - dot(sub(e, foot), sub(e, foot)))
        for i, e in enumerate(corners):
            for o in corners[:i]:
                way = sub(o, e)
                middle = add(e, tuple(x // 2 for x in way))
                places += around(middle, (-way[1], way[0]), r * r - dot(way, way) // 4)

        def is_free(x) -> bool:
            return not (other.holds(x) or min(to_segment(x, *s) for s in other.segments) < r - ROOM)

        return not any(norm(sub(x, c)) < depth and is_free(x) for x in places)

    def judge_bracket(self) -> None:
        answer = self.answer
        lower, value, upper = (None if answer[n] is None else self.length(answer[n]) for n in ("lower", "distance", "upper"))
        known = [x for x in (lower, value, upper) if x is not None]
        self.claims["value"] = PROVED if known == sorted(known) else REFUTED
        at_most = at_least = self.gap(self.a, self.b)
        convex = "circle" in (self.a.kind, self.b.kind) and all(c.directions() or c.kind == "circle" for c in (self.a, self.b))
        if at_least < 0 and not (convex or self.a.directions() and self.b.directions()):
            at_least = self.way_out(lower)
        if lower is not None:
            self.claims["lower"] = PROVED if lower <= at_least + self.slack else REFUTED if lower > at_most + self.slack else UNPROVED
        if upper is not None:
            known = upper >= at_most - self.slack or at_most < 0 and self.is_deep(-upper - self.slack)
            self.claims["upper"] = PROVED if known else REFUTED if upper < at_least - self.slack else UNPROVED
        if self.query["ask"] == "overlap":
            right, sure = (at_most < 0, abs(at_most) > self.slack) if self.is_solid() else self.crosses(at_most)
            self.claims["verdict"] = PROVED if right == answer["overlap"] else REFUTED if sure else UNPROVED

    def crosses(self, gap) -> tuple:
        """Does a curve have a point in common with a curve, or enter the inside of a region? And is that beyond rounding?"""
        if "region" not in (self.a.kind, self.b.kind):
            return gap <= self.slack, gap > self.slack
        curve, region = (self.a, self.b) if self.b.kind == "region" else (self.b, self.a)
        middles = [middle for middle, _ in self.pieces(curve, region)]
        inside = [region.boundary(p) for p in middles if region.holds(p)]
        deep = max(inside, default=0) > self.slack
        return deep, deep or not inside and gap > self.slack

    def way_out(self, lower) -> int:
        """The signed distance is at least minus the length of a way after which the bodies are apart: along the normal."""
        if lower is None or lower >= 0 or not self.is_unit(self.unit(self.answer["normal"])):
            return -(1 << 400)
        n = self.unit(self.answer["normal"])
        way = tuple((self.slack - lower) * c >> BITS for c in n)
        return lower if self.gap(self.a, self.b.moved(way)) >= 0 else -(1 << 400)

    # --- Motion ---

    def bodies_at(self, t) -> list:
        """Both bodies after a part of their motions, turned about their own origins."""
        placed = []
        for (linear, angular), name in zip(self.motions, "ab"):
            way = tuple(t * self.length(c) >> BITS for c in linear)
            body, start = (self.a, self.start_a) if name == "a" else (self.b, self.start_b)
            if angular:
                rows = rotation_by((0, 0, t * fixed(angular, -BITS) >> BITS), ONE)

                def turned(p, rows=rows, start=start) -> tuple:
                    v = sub(p, start)
                    return add(start, tuple((rows[i][0] * v[0] + rows[i][1] * v[1]) >> BITS for i in (0, 1)))

                body = body.changed(turned)
            placed.append(body.moved(way))
        return placed

    def judge_cast(self) -> None:
        """Apart before `time`: by steps no longer than the gap lasts at the greatest speed of any point. At `time_upper` they meet."""
        given = self.query.get("motion", {})
        self.motions = []
        for name in "ab":
            motion = given.get(name, [0, 0])
            linear, angular = (motion.get("linear", [0, 0]), real(motion.get("angular", 0))) if isinstance(motion, dict) else (motion, 0)
            self.motions.append((reals(linear, 2), angular))
        answer, hit = self.answer, self.answer["hit"]
        if hit is False:
            self.claims["value"] = PROVED if answer["time"] is None and answer["time_upper"] is None else REFUTED
            self.claims["verdict"] = self.apart_until(ONE)
            return
        time, upper = answer["time"], answer["time_upper"]
        if time is None:
            self.claims["time"] = UNPROVED
            return
        self.claims["value"] = PROVED if 0 <= time <= 1 and (upper is None or time <= upper) else REFUTED
        self.claims["time"] = PROVED if time == 0 else self.apart_until(fixed(float(time), -BITS))
        if upper is not None:
            meet = upper <= 1 and self.gap(*self.bodies_at(fixed(float(upper), -BITS))) <= self.slack
            self.claims["time_upper"] = PROVED if meet else UNPROVED
        if hit is True:
            self.claims["verdict"] = self.claims.get("time_upper", UNPROVED)
        if answer["distance"] is not None:
            self.judge_points(*self.bodies_at(fixed(float(time), -BITS)))

    def apart_until(self, end) -> str:
        speed = 1
        for (linear, angular), body, start in zip(self.motions, (self.a, self.b), (self.start_a, self.start_b)):
            reach = max(norm(sub(p, start)) for s in body.segments for p in s) + 1
            speed += norm(tuple(self.length(c) for c in linear)) + 2 + (abs(fixed(angular, -BITS)) * reach >> BITS)
        t = 0
        for _ in range(MOST_STEPS):
            if (end - t) * speed >> BITS <= self.slack:
                return PROVED
            gap = self.gap(*self.bodies_at(t))
            if gap <= 0:
                return UNPROVED
            t = min(t + (gap << BITS) // speed, end)
        return UNPROVED

    # --- Lists ---

    def judge_contacts(self) -> None:
        """Points on both boundaries, as deep along the normal as it says, and none deeper than the whole."""
        found, lower = [PROVED], self.answer["lower"]
        deepest = None if lower is None else max(-self.length(lower), 0) + self.slack
        for contact in self.answer["contacts"]:
            p, q, n = self.point(contact["point_a"]), self.point(contact["point_b"]), self.unit(contact["normal"])
            depth = self.length(contact["depth"])
            on = max(self.a.boundary(p), self.b.boundary(q)) <= self.slack and self.is_unit(n)
            deep = abs((dot(sub(p, q), n) >> BITS) - depth) <= self.slack
            found.append(PROVED if on and deep and deepest is not None and depth <= deepest else REFUTED)
        upper = self.answer["upper"]
        if not self.answer["contacts"] and (upper is None or self.length(upper) < self.threshold - self.slack):
            found.append(UNPROVED)
        self.claims["contacts"] = next((v for v in (REFUTED, UNPROVED) if v in found), PROVED)

    def judge_touches(self) -> None:
        """Each touch is the place of its segment that is nearest to the centre, and none is left out that is deeper."""
        ball, other = (self.a, self.b) if self.a.kind == "circle" else (self.b, self.a)
        for name in ("point", "segment", "normal", "angle", "kind"):
            self.claims["touches: " + name] = PROVED
        depths = [self.touch(t, ball, other) for t in self.answer["touches"]]
        least = self.gap(ball, other)
        complete = -least <= max(depths) + self.slack if depths else least > self.threshold - self.slack
        self.claims["touches"] = PROVED if complete else REFUTED if depths else UNPROVED

    def touch(self, touch, ball, other) -> int:
        def claim(name, true) -> None:
            if not true:
                self.claims["touches: " + name] = REFUTED

        depth, n, p = self.length(touch["depth"]), self.unit(touch["normal"]), self.point(touch["point"])
        away = ball.radius - depth
        contour = touch.get("contour", 0)
        known = contour < len(other.contours) and touch["segment"] < len(other.contours[contour])
        claim("segment", known)
        if known:
            start, end = other.contours[contour][touch["segment"]]
            part = abs(norm(sub(p, start)) - self.length(touch["part"])) <= self.slack
            claim("segment", part and to_segment(p, start, end) <= self.slack)
            claim("point", abs(to_segment(ball.centre, start, end) - abs(away)) <= self.slack)
            corner = {"convex": [start], "end": [start, end]}.get(touch["kind"])
            claim("kind", corner is None or min(norm(sub(p, c)) for c in corner) <= self.slack)
            claim("kind", touch["kind"] != "end" or not other.closed)
        inward = norm(sub(sub(ball.centre, p), tuple(away * c >> BITS for c in n)))
        claim("normal", self.is_unit(n) and inward <= self.slack)
        rows = rotation_by((0, 0, fixed(real(touch["angle"]), -BITS)), ONE)
        turned = norm(sub((rows[0][0], rows[1][0]), n))
        claim("angle", abs(touch["angle"]) <= math.pi and turned <= fixed(64 * UNIT, -BITS))
        return depth
