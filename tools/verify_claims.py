"""The claims of an answer, each proved, unproved or refuted, for tools/verify.py."""

import math

from verify_bodies import BITS, UNIT, HalfSpace, Mesh, dot, norm, outside, pure, sub
from verify_motion import MovingOpinion
from verify_proofs import NOTHING, Walk, ball_about, gap_along, is_own, is_unit, proved_depth, proved_lower
from verify_reading import Pair

PROVED, UNPROVED, REFUTED = "proved", "unproved", "refuted"
UNANSWERED = ("unsupported", "invalid_input")


class Opinion:
    """What can be said of one answer. Bounds of the signed distance are found when a claim first needs them."""

    def __init__(self, query, answer, reader):
        self.query, self.answer = query, answer
        self.pair = Pair(query, reader)
        self.certificate = answer.get("certificate") or {}
        self.claims = {}

    def number(self, name):
        """A length that the answer states; None where it is unbounded."""
        value = self.answer.get(name)
        return None if value is None else self.pair.length(value)

    def judge(self, stop_early=False) -> dict:
        """Claims by name; with `stop_early` those up to the first that is not proved. The costly ones come last."""
        steps = [self.judge_value]
        if self.query["ask"] != "overlap":
            steps += [self.judge_points, self.judge_normal]
        if self.query["ask"] == "contacts":
            steps.append(self.judge_contacts)
        for step in steps + [self.judge_bracket]:
            step()
            if stop_early and any(c != PROVED for c in self.claims.values()):
                break
        return self.claims

    def judge_value(self):
        """lower <= distance <= upper; what is unbounded or unknown is no claim."""
        known = [x for x in (self.number("lower"), self.number("distance"), self.number("upper")) if x is not None]
        self.claims["value"] = PROVED if known == sorted(known) else REFUTED

    # --- Witnesses ---

    def points(self):
        return self.pair.point(self.answer["point_a"]), self.pair.point(self.answer["point_b"])

    def parts(self):
        """The parts that the answer names, None where there is no such part; unnamed ones by the points."""
        found = []
        for parts, name, p in zip((self.pair.a, self.pair.b), ("part_a", "part_b"), self.points()):
            given = self.answer.get(name, -1)
            if given < 0:
                found.append(min(parts, key=lambda part: outside(part, p)))
            else:
                found.append(parts[given] if given < len(parts) else None)
        return found

    def judge_points(self):
        """Points belong to both bodies, to the named parts and triangles; point_b - point_a = distance * normal."""
        pair, (p, q), (a, b) = self.pair, self.points(), self.parts()
        if a is None or b is None:
            self.claims["parts"] = REFUTED
            return
        inside = outside(a, p) <= pair.world_slack and outside(b, q) <= pair.world_slack
        self.claims["points"] = PROVED if inside else UNPROVED if self.marks_place(a, b) else REFUTED
        if pair.compound:
            self.claims["parts"] = self.claims["points"]
        self.judge_triangles()
        normal, distance = pure(self.answer["normal"]), self.number("distance")
        apart = sub(sub(q, p), tuple(distance * c >> BITS for c in normal))
        allowed = pair.world_slack
        if not (a.flat and b.flat):
            # A surface falls off by the square: points of equal depth to rounding lie within its square root.
            allowed += pair.length(math.sqrt(128 * UNIT) * pair.size)
        self.claims["relation"] = PROVED if norm(apart) <= allowed else UNPROVED

    def judge_triangles(self):
        """A point lies on the triangle that is named."""
        for part, name, p in zip(self.parts(), ("triangle_a", "triangle_b"), self.points()):
            index = self.answer.get(name, -1)
            if index < 0 or self.claims.get("triangles") == REFUTED:
                continue
            known = isinstance(part, Mesh) and index < len(part.triangles)
            on = known and outside(part.triangle(index), p) <= self.pair.world_slack
            open_claim = known and self.marks_place(*self.parts())
            self.claims["triangles"] = PROVED if on else UNPROVED if open_claim else REFUTED

    def marks_place(self, a, b) -> bool:
        """Where meshes overlap, the points mark the place: they need not be the deepest ones."""
        planes = isinstance(a, HalfSpace) or isinstance(b, HalfSpace)
        meshes = isinstance(a, Mesh) or isinstance(b, Mesh)
        return meshes and not planes and self.number("distance") <= self.pair.slack

    def judge_normal(self):
        """A unit vector along which the parts are `distance` apart: -f(normal) = distance."""
        pair, n, distance = self.pair, pure(self.answer["normal"]), self.number("distance")
        (a, b), (p, q) = self.parts(), self.points()
        if not is_unit(n) or a is None or b is None:
            self.claims["normal"] = REFUTED
            return
        meshes = isinstance(a, Mesh) or isinstance(b, Mesh)
        gap = gap_along(self.piece_at(a, "triangle_a", p), self.piece_at(b, "triangle_b", q), n)
        if not is_own(a, b, n):
            self.claims["normal"] = UNPROVED
        elif abs(gap - distance) <= pair.slack:
            self.claims["normal"] = PROVED
        elif meshes and distance <= pair.slack:
            self.claims["normal"] = self.judge_way_out(a, b, n)
        else:
            wrong = gap > distance + pair.slack and not meshes
            self.claims["normal"] = REFUTED if wrong else UNPROVED

    def piece_at(self, part, name, p):
        """Of a mesh that is apart the triangle that is named or nearest to the point; otherwise the whole part."""
        if not isinstance(part, Mesh) or self.number("distance") < 0:
            return part
        named = self.answer.get(name, -1)
        if named < 0:
            named = min(range(len(part.triangles)), key=lambda t: outside(part.triangle(t), p))
        return part.triangle(named) if named < len(part.triangles) else part

    def judge_way_out(self, a, b, n) -> str:
        """Of overlapping meshes the normal is the way out: moved along it by -lower, B is apart."""
        pair, lower = self.pair, self.number("lower")
        if lower is None or gap_along(a, b, n) >= lower - pair.slack:
            return PROVED if lower is not None else UNPROVED
        for entry in self.certificate.get("apart", []):
            if pair.a[max(entry["part_a"], 0)] is not a or pair.b[max(entry["part_b"], 0)] is not b:
                continue
            shift = tuple(pair.length(x) for x in entry["shift"])
            along = norm(sub(shift, tuple(norm(shift) * c >> BITS for c in n))) <= pair.slack
            if along and Walk(a, b, shift).lower(entry["steps"]) >= lower - pair.slack:
                return PROVED
        return UNPROVED

    def judge_contacts(self):
        """Each point belongs to both bodies, not inside the ball that a rounded one is grown by nor inside a curved one, and is as
        deep along the normal as it says."""
        pair, n = self.pair, pure(self.answer["normal"])
        # Patches of compounds and meshes have normals of their own, and parts may hide points of others.
        single = not pair.compound and not pair.has_mesh
        worst = PROVED
        for contact in self.answer.get("contacts", []):
            p, q = pair.point(contact["point_a"]), pair.point(contact["point_b"])
            inside = max(min(outside(a, p) for a in pair.a), min(outside(b, q) for b in pair.b)) <= pair.world_slack
            below = single and max(ball_about(pair.a[0], p), ball_about(pair.b[0], q)) > pair.world_slack
            depth = dot(sub(p, q), n) >> BITS
            if not inside or below or single and abs(depth - pair.length(contact["depth"])) > pair.world_slack:
                worst = UNPROVED
        self.claims["contacts"] = worst

    # --- Bracket ---

    def judge_bracket(self):
        """lower, upper and the verdict, by what is proved of the signed distance."""
        pair, lower, upper = self.pair, self.number("lower"), self.number("upper")
        normals = [pure(v) for v in (self.answer.get("normal"), self.certificate.get("direction")) if v]
        at_least = proved_lower(pair, self.certificate, normals)
        at_most, allowed = self.proved_upper(upper)
        if lower is not None:
            self.claims["lower"] = (PROVED if lower <= at_least + pair.slack else
                                    REFUTED if at_most is not None and lower > at_most + allowed else UNPROVED)
        if upper is not None:
            self.claims["upper"] = (PROVED if at_most is not None and upper >= at_most - allowed else
                                    REFUTED if upper < at_least - pair.slack else UNPROVED)
        verdict = self.answer.get("overlap")
        if verdict is True:
            known = at_most is not None and at_most <= allowed
            self.claims["verdict"] = PROVED if known else REFUTED if at_least > pair.slack else UNPROVED
        elif verdict is False:
            known = at_most is not None and at_most < -allowed
            self.claims["verdict"] = PROVED if at_least >= -pair.slack else REFUTED if known else UNPROVED

    def proved_upper(self, wanted):
        """An upper bound of the signed distance, None if nothing is known, and the rounding that it is allowed."""
        pair, best, allowed = self.pair, None, self.pair.slack
        if self.answer.get("point_a"):
            (p, q), (a, b) = self.points(), self.parts()
            if a is not None and b is not None:
                best, allowed = norm(sub(q, p)) + outside(a, p) + outside(b, q), pair.world_slack
        if wanted is not None and (best is None or wanted < best - allowed) and self.certificate:
            depth = proved_depth(pair, self.certificate, -wanted)
            if depth > NOTHING and (best is None or -depth < best):
                # One kind rests on a point in the world.
                best, allowed = -depth, pair.world_slack if self.certificate["kind"] == "inside" else pair.slack
        return best, allowed


def judge_line(query, answer, reader, stop_early=False) -> dict:
    """Claims of one answer; one that is refused to be read counts as unproved."""
    if answer.get("status") in UNANSWERED:
        bounded = answer.get("lower") is not None or answer.get("upper") is not None
        return {"unanswered": REFUTED if bounded else PROVED}
    try:
        if query["ask"] in ("cast", "impact"):
            return MovingOpinion(query, answer, Pair(query, reader)).judge()
        return Opinion(query, answer, reader).judge(stop_early)
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError, AttributeError, OverflowError) as error:
        return {f"malformed ({type(error).__name__}: {error})": UNPROVED}


def class_of(query) -> str:
    return "-".join(sorted(query[name]["type"] + ("+" if query[name].get("rounding") else "") for name in "ab"))


def verdict_of(claims) -> str:
    return next((v for v in (REFUTED, UNPROVED) if v in claims.values()), PROVED)
