"""The claims of an answer, each proved, unproved or refuted, for tactus-verify."""

import json
import math

from .bodies import BITS, UNIT, HalfSpace, Mesh, cross, dot, neg, norm, outside, pure, real, sub
from .form import PLANAR, PROVED, REFUTED, REQUIRED, UNPROVED, WITNESSES, form_of, form_of_planar, form_of_unanswered, is_answered, is_number
from .motion import MovingOpinion
from .plane import PlanarOpinion
from .proofs import NOTHING, Walk, ball_about, gap_along, is_own, is_unit, proved_depth, proved_lower, proved_lower_of_unions
from .reading import Broken, Pair, Unusable

# Converged is a bracket as narrow as this, of the size, unless the query asks for another width.
TOLERANCE = 1e-8
PLANAR_TYPES = ["circle", "contour", "region"]
UNREADABLE = (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError, AttributeError, OverflowError, RecursionError)


class Opinion:
    """What can be said of one answer. Bounds of the signed distance are found when a claim first needs them."""

    def __init__(self, query, answer, pair):
        self.query, self.answer, self.pair = query, answer, pair
        self.certificate = answer.get("certificate") or {}
        self.claims = {}

    def number(self, name):
        """A length that the answer states; None where it is unbounded."""
        value = self.answer.get(name)
        return None if value is None else self.pair.length(value)

    def judge(self, stop_early=False) -> dict:
        """Claims by name; with `stop_early` those up to the first that is not proved. The costly ones come last."""
        steps = [self.judge_value]
        if self.query["ask"] == "overlap":
            steps.append(self.judge_early_points)
        elif self.answer["distance"] is not None:
            steps += [self.judge_points, self.judge_normal, self.judge_derivatives]
        if self.query["ask"] == "contacts":
            steps.append(self.judge_contacts)
        for step in steps + [self.judge_bracket]:
            step()
            if stop_early and any(c != PROVED for c in self.claims.values()):
                break
        return self.claims

    def judge_value(self):
        """lower <= distance <= upper; what is unbounded or unknown is no claim. A distance has converged to the width asked for."""
        lower, value, upper = (self.number(name) for name in ("lower", "distance", "upper"))
        known = [x for x in (lower, value, upper) if x is not None]
        self.claims["value"] = PROVED if known == sorted(known) else REFUTED
        if value is None and known:
            self.claims["distance of a bracket"] = UNPROVED
        stops = self.query["ask"] != "distance" or self.query.get("max_distance") is not None
        if self.answer["status"] == "converged" and not stops:
            allowed = self.pair.length(max(real(self.query.get("tolerance", TOLERANCE)), 0.0) * self.pair.size) + self.pair.slack
            narrow = lower is not None and upper is not None and upper - lower <= allowed
            self.claims["status"] = PROVED if narrow else REFUTED

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
        outsides = [lambda part: outside(part, p), lambda part: outside(part, q)]
        if a is None or b is None:
            self.claims |= pair.judge_parts(self.answer, outsides, pair.world_slack)
            return
        self.claims |= pair.judge_parts(self.answer, outsides, pair.world_slack, self.marks_place(a, b))
        inside = outside(a, p) <= pair.world_slack and outside(b, q) <= pair.world_slack
        self.claims["points"] = PROVED if inside else UNPROVED if self.marks_place(a, b) else REFUTED
        self.judge_triangles()
        normal, distance = pure(self.answer["normal"]), self.number("distance")
        apart = sub(sub(q, p), tuple(distance * c >> BITS for c in normal))
        allowed = pair.world_slack
        if not (a.flat and b.flat):
            # A surface falls off by the square: points of equal depth to rounding lie within its square root.
            allowed += pair.length(math.sqrt(128 * UNIT) * pair.size)
        self.claims["relation"] = PROVED if norm(apart) <= allowed else UNPROVED

    def judge_early_points(self):
        """Of an overlap, which stops as soon as its verdict is known: the points are some of both bodies, and the normal is that of
        the distance along it or from point to point. An answer without them claims nothing of them."""
        given = [name for name in WITNESSES if name in self.answer]
        if self.answer.get("distance") is None and self.number("lower") is None and self.number("upper") is None:
            return
        if len(given) < len(WITNESSES) or self.answer.get("distance") is None:
            self.claims |= {f"{name} alone": UNPROVED for name in given}
            return
        self.judge_points()
        relation = self.claims.pop("relation", UNPROVED)
        self.judge_normal()
        if is_unit(pure(self.answer["normal"])) and PROVED in (relation, self.claims["normal"]):
            self.claims["normal"] = PROVED
        elif self.claims["normal"] == REFUTED and is_unit(pure(self.answer["normal"])):
            self.claims["normal"] = UNPROVED
        self.judge_derivatives()

    def judge_triangles(self):
        """A point lies on the triangle that is named: a claim for either body."""
        open_claim = self.marks_place(*self.parts())
        for part, name, p in zip(self.parts(), ("triangle_a", "triangle_b"), self.points()):
            if name not in self.answer:
                continue
            index = self.answer[name]
            known = isinstance(part, Mesh) and index < len(part.triangles)
            on = known and outside(part.triangle(index), p) <= self.pair.world_slack
            self.claims[name] = PROVED if on else UNPROVED if known and open_claim else REFUTED

    def marks_place(self, a, b) -> bool:
        """Where meshes or unions overlap, the points mark the place: they need not be the deepest ones."""
        if self.pair.union_depth and self.number("distance") <= self.pair.slack:
            return True
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
        meshes = isinstance(a, Mesh) or isinstance(b, Mesh) or pair.union_depth
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
        """Of overlapping meshes and unions the normal is the way out: moved along it by -lower, B is apart."""
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

    def judge_derivatives(self):
        """Where the distance is smooth its derivatives are those of the gap of two points along the normal. Whether it is, and
        whether the answer is unique, is left open."""
        given = self.answer.get("derivatives")
        for name in ("smooth", "unique"):
            if name in self.answer:
                self.claims[name] = UNPROVED
        if given is None:
            return
        self.claims["derivatives"] = UNPROVED
        if given.get("smooth") is not True:
            return
        pair, n, points = self.pair, pure(self.answer["normal"]), self.points()
        allowed = pair.world_slack + pair.length(math.sqrt(128 * UNIT) * pair.size)
        for body, normal, p, origin in zip("ab", (neg(n), n), points, pair.origins):
            moment = tuple(c >> BITS for c in cross(sub(p, origin), normal))
            turned = tuple(pair.length(c) for c in given["angular_" + body])
            moved = sub(pure(given["linear_" + body]), normal)
            if norm(moved) > pure((64 * UNIT, 0.0, 0.0))[0] or norm(sub(turned, moment)) > allowed:
                self.claims["derivatives"] = REFUTED

    def judge_contacts(self):
        """Each point belongs to both bodies, not inside the ball that a rounded one is grown by nor inside a curved one, and is as
        deep as it says: along the normal; where a patch has one of its own, along a line between two points of a contact."""
        pair = self.pair
        # Patches of compounds and meshes have normals of their own, and parts may hide points of others.
        single = not pair.compound and not pair.has_mesh
        contacts = [(pair.point(c["point_a"]), pair.point(c["point_b"]), pair.length(c["depth"])) for c in self.answer["contacts"]]
        normals = [pure(self.answer["normal"])]
        if not single:
            steps = [sub(p, q) if depth >= 0 else sub(q, p) for p, q, depth in contacts]
            # Shorter ones have the direction of their rounding.
            normals += [tuple((c << BITS) // norm(s) for c in s) for s in steps if norm(s) > pair.world_slack << 20]
        # Bodies nearer than the threshold have a contact.
        threshold, upper = pair.length(self.query.get("threshold", 0.0)), self.number("upper")
        near = upper is None or upper < threshold - pair.slack
        found = [UNPROVED if near and not contacts else PROVED]
        for p, q, depth in contacts:
            inside = max(min(outside(a, p) for a in pair.a), min(outside(b, q) for b in pair.b)) <= pair.world_slack
            below = single and max(ball_about(pair.a[0], p), ball_about(pair.b[0], q)) > pair.world_slack
            step = sub(p, q)
            deep = any(abs((dot(step, n) >> BITS) - depth) <= pair.world_slack for n in normals)
            deep = deep or not single and norm(step) <= pair.world_slack and abs(depth) <= pair.world_slack
            found.append(PROVED if inside and deep and not below else REFUTED if single and not below else UNPROVED)
        self.claims["contacts"] = worst_of(found)

    # --- Bracket ---

    def judge_bracket(self):
        """lower, upper and the verdict, by what is proved of the signed distance."""
        pair, lower, upper = self.pair, self.number("lower"), self.number("upper")
        normals = [pure(v) for v in (self.answer.get("normal"), self.certificate.get("direction")) if v]
        at_least = proved_lower(pair, self.certificate, normals)
        if pair.union_depth and at_least < 0:
            at_least = proved_lower_of_unions(pair, self.certificate, normals)
        if pair.unsigned:
            at_least = max(at_least, 0)
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
    """Claims of one answer. What the format does not allow is refuted or left unproved before anything is computed; a query that
    cannot be read leaves its answer unproved."""
    if isinstance(answer, Broken):
        return {f"a line of {answer.reason}": REFUTED}
    claims = {} if same_json(query.get("id") if isinstance(query, dict) else None, answer.get("id")) else {"id": REFUTED}
    if not is_answered(answer):
        claims |= form_of_unanswered(answer)
        return claims or {"unanswered": PROVED}
    if isinstance(query, Broken):
        return {f"an answer to a line of {query.reason}": REFUTED}
    ask = query.get("ask")
    if not isinstance(ask, str):
        return claims | {f"an answer to what is not known ({json.dumps(ask)})": UNPROVED}
    if any(isinstance(query.get(name), dict) and query[name].get("type") in PLANAR_TYPES for name in "ab"):
        return judge_planar(query, answer, claims)
    if ask not in REQUIRED:
        return claims | {f"an answer to what is not known ({json.dumps(ask)})": UNPROVED}
    claims |= form_of(ask, answer)
    if REFUTED in claims.values() or any(claim.endswith(" is missing") for claim in claims):
        return claims
    try:
        pair = Pair(query, reader)
        claims |= judge_closed(pair, answer)
        opinion = MovingOpinion(query, answer, pair) if ask in ("cast", "impact") else Opinion(query, answer, pair)
        return claims | opinion.judge(stop_early)
    except Unusable as error:
        return claims | {f"not judged ({error})": UNPROVED}
    except UNREADABLE as error:
        return claims | {f"malformed ({type(error).__name__}: {error})": UNPROVED}


def judge_planar(query, answer, claims) -> dict:
    """The same of a planar query."""
    ask = query.get("ask", "distance")
    if ask not in PLANAR:
        return claims | {f"an answer to what is not known ({json.dumps(ask)})": UNPROVED}
    claims |= form_of_planar(ask, answer)
    if REFUTED in claims.values() or any(claim.endswith(" is missing") for claim in claims):
        return claims
    try:
        return claims | PlanarOpinion(query, answer).judge()
    except UNREADABLE as error:
        return claims | {f"malformed ({type(error).__name__}: {error})": UNPROVED}


def same_json(x, y) -> bool:
    """Are two JSON values the same? Numbers are compared as doubles, and are no booleans."""
    if is_number(x) and is_number(y):
        return float(x) == float(y)
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(map(same_json, x, y))
    if isinstance(x, dict) and isinstance(y, dict):
        return x.keys() == y.keys() and all(same_json(x[k], y[k]) for k in x)
    return type(x) is type(y) and x == y


def judge_closed(pair, answer) -> dict:
    """`closed` is said of pairs with meshes, and is that all of them are."""
    if "closed" not in answer:
        return {}
    meshes = [part for part in pair.a + pair.b if isinstance(part, Mesh)]
    right = meshes and answer["closed"] == all(m.is_closed_surface for m in meshes)
    return {"closed": PROVED if right else REFUTED}


def class_of(query) -> str:
    try:
        return "-".join(sorted(query[name]["type"] + ("+" if query[name].get("rounding") else "") for name in "ab"))
    except (KeyError, TypeError, AttributeError):
        return "no query"


def worst_of(found) -> str:
    return next((v for v in (REFUTED, UNPROVED) if v in found), PROVED)


def verdict_of(claims) -> str:
    return worst_of(claims.values())
