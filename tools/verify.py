#!/usr/bin/env python3
"""An exact second opinion: re-proves the output of `tactus query --certificate` without any code of the library.

    tools/verify.py QUERIES.jsonl ANSWERS.jsonl [--json]
    tools/verify.py --campaign N --seed S --tactus build/release/tactus

Every claim of an answer is proved, unproved or refuted, to 64 * 2^-53 * (size + offset); docs/guide/verify.md says how.
Exit codes: 0 all claims proved, 1 not all, 2 unusable input.
"""

import argparse
import json
import math
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from verify_bodies import BITS, UNIT, Mesh, Pair, Reader, Unusable, dot, neg, norm, outside, parse_lines, pure, sub
from verify_proofs import NOTHING, Walk, gap_along, is_unit, piece_named, proved_depth, proved_lower

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
        """lower <= distance <= upper."""
        lower, distance, upper = (self.number(name) for name in ("lower", "distance", "upper"))
        inside = distance is not None and (lower is None or lower <= distance) and (upper is None or distance <= upper)
        self.claims["value"] = PROVED if inside else REFUTED if distance is not None else UNPROVED

    # --- Witnesses ---

    def named_parts(self):
        """Indices of the parts that the points belong to: those that the certificate names, if it does."""
        pair, point_a, point_b = self.pair, *self.points()

        def chosen(parts, name, p):
            given = self.certificate.get(name, -1)
            if given >= 0 or len(parts) == 1:
                return max(given, 0)
            return min(range(len(parts)), key=lambda i: outside(parts[i], p))

        return chosen(pair.a, "part_a", point_a), chosen(pair.b, "part_b", point_b)

    def points(self):
        return self.pair.point(self.answer["point_a"]), self.pair.point(self.answer["point_b"])

    def judge_points(self):
        """Points belong to both bodies, to the named parts; point_b - point_a = distance * normal."""
        pair, (p, q) = self.pair, self.points()
        i, j = self.named_parts()
        if i >= len(pair.a) or j >= len(pair.b):
            self.claims["parts"] = REFUTED
            return
        a, b = pair.a[i], pair.b[j]
        inside = outside(a, p) <= pair.world_slack and outside(b, q) <= pair.world_slack
        self.claims["points"] = PROVED if inside else REFUTED
        if pair.compound:
            self.claims["parts"] = self.claims["points"]
        normal, distance = pure(self.answer["normal"]), self.number("distance")
        apart = sub(sub(q, p), tuple(distance * c >> BITS for c in normal))
        allowed = pair.world_slack
        if not (a.flat and b.flat):
            # A surface falls off by the square: points of equal depth to rounding lie within its square root.
            allowed += pair.length(math.sqrt(128 * UNIT) * pair.size)
        self.claims["relation"] = PROVED if norm(apart) <= allowed else UNPROVED

    def judge_normal(self):
        """A unit vector along which the parts are `distance` apart: -f(normal) = distance."""
        pair, n, distance = self.pair, pure(self.answer["normal"]), self.number("distance")
        if not is_unit(n):
            self.claims["normal"] = REFUTED
            return
        i, j = self.named_parts()
        if i >= len(pair.a) or j >= len(pair.b):
            self.claims["normal"] = UNPROVED
            return
        a = self.piece_at(pair.a[i], "triangle_a", self.points()[0])
        b = self.piece_at(pair.b[j], "triangle_b", self.points()[1])
        gap = gap_along(a, b, n)
        if gap == NOTHING or (isinstance(a, Mesh) or isinstance(b, Mesh)) and distance < 0:
            self.claims["normal"] = self.judge_way_out(i, j, n)
            return
        wrong = gap > distance + pair.slack and not pair.has_mesh
        self.claims["normal"] = PROVED if abs(gap - distance) <= pair.slack else REFUTED if wrong else UNPROVED

    def piece_at(self, part, name, p):
        """Of a mesh the triangle that is named or holds the point; where its body overlaps and is its hull, that."""
        if not isinstance(part, Mesh):
            return part
        named = self.answer.get(name, self.certificate.get(name, -1))
        if self.number("distance") < 0:
            return part.hull() if named < 0 and part.is_convex() else part
        if 0 <= named < len(part.triangles):
            return part.triangle(named)
        return min((part.triangle(t) for t in range(len(part.triangles))), key=lambda t: outside(t, p))

    def judge_way_out(self, i, j, n) -> str:
        """Of overlapping meshes the normal is the way out: moved along it by -lower, B is apart."""
        pair, lower = self.pair, self.number("lower")
        for entry in self.certificate.get("apart", []):
            if (max(entry["part_a"], 0), max(entry["part_b"], 0)) != (i, j):
                continue
            shift = tuple(pair.length(x) for x in entry["shift"])
            along = sub(shift, tuple(norm(shift) * c >> BITS for c in n))
            if norm(along) <= pair.slack and Walk(pair.a[i], pair.b[j], shift).lower(entry["steps"]) >= lower - pair.slack:
                return PROVED
        return UNPROVED

    def judge_contacts(self):
        """Each point belongs to both bodies, and is as deep along the normal as it says."""
        pair, n = self.pair, pure(self.answer["normal"])
        worst = PROVED
        for contact in self.answer.get("contacts", []):
            p, q = pair.point(contact["point_a"]), pair.point(contact["point_b"])
            inside = (min(outside(a, p) for a in pair.a) <= pair.world_slack
                      and min(outside(b, q) for b in pair.b) <= pair.world_slack)
            depth = dot(sub(p, q), n) >> BITS
            # Patches of compounds and meshes have normals of their own.
            single = not pair.compound and not pair.has_mesh
            if not inside or single and abs(depth - pair.length(contact["depth"])) > pair.world_slack:
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
            p, q = self.points()
            i, j = self.named_parts()
            if i < len(pair.a) and j < len(pair.b):
                best = norm(sub(q, p)) + outside(pair.a[i], p) + outside(pair.b[j], q)
                allowed = pair.world_slack
        if wanted is not None and (best is None or wanted < best - allowed) and self.certificate:
            depth = proved_depth(pair, self.certificate, -wanted)
            if depth > NOTHING and (best is None or -depth < best):
                best, allowed = -depth, pair.slack
        return best, allowed


def judge_line(query, answer, reader, stop_early=False) -> dict:
    """Claims of one answer; one that is refused to be read counts as unproved."""
    if answer.get("status") in UNANSWERED:
        bounded = answer.get("lower") is not None or answer.get("upper") is not None
        return {"unanswered": REFUTED if bounded else PROVED}
    if query["ask"] not in ("distance", "overlap", "contacts"):
        return {"motion": UNPROVED}
    try:
        return Opinion(query, answer, reader).judge(stop_early)
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError, AttributeError, OverflowError) as error:
        return {f"malformed ({type(error).__name__}: {error})": UNPROVED}


def class_of(query) -> str:
    return "-".join(sorted(query[name]["type"] + ("+" if query[name].get("rounding") else "") for name in "ab"))


def verdict_of(claims) -> str:
    return next((v for v in (REFUTED, UNPROVED) if v in claims.values()), PROVED)


def verify(queries, answers, folder) -> list:
    """(query, answer, claims) of each line, matched by their order."""
    if len(queries) != len(answers) or any(q.get("id") != a.get("id") for q, a in zip(queries, answers)):
        raise Unusable("the answers are not those of the queries, line by line")
    reader = Reader(folder)
    return [(q, a, judge_line(q, a, reader)) for q, a in zip(queries, answers)]


def report(rows, as_json) -> None:
    table = Counter()
    for query, answer, claims in rows:
        kind = (answer.get("certificate") or {}).get("kind", "-")
        table[class_of(query), kind, verdict_of(claims)] += 1
        if not as_json:
            print(answer.get("id"), verdict_of(claims), *(f"{name}:{found}" for name, found in claims.items()))
    keys = sorted({key[:2] for key in table})
    counts = {key: [table[(*key, v)] for v in (PROVED, UNPROVED, REFUTED)] for key in keys}
    if as_json:
        lines = [{"id": a.get("id"), "verdict": verdict_of(c), "claims": c} for _, a, c in rows]
        table = [{"class": k[0], "kind": k[1], "proved": n[0], "unproved": n[1], "refuted": n[2]} for k, n in counts.items()]
        print(json.dumps({"answers": lines, "table": table}))
        return
    print(f"\n{'class':40} {'kind':12} {'proved':>8} {'unproved':>8} {'refuted':>8}")
    for (name, kind), numbers in counts.items():
        print(f"{name:40} {kind:12}" + "".join(f" {n:8}" for n in numbers))


def main() -> int:
    parser = argparse.ArgumentParser(description="Re-proves the output of `tactus query --certificate`.")
    parser.add_argument("files", nargs="*", metavar="QUERIES ANSWERS")
    parser.add_argument("--json", action="store_true", help="claims and table as JSON")
    arguments = parser.parse_args()
    try:
        if len(arguments.files) != 2:
            raise Unusable("needs a query file and the file of its answers")
        queries, answers = (parse_lines(name) for name in arguments.files)
        rows = verify(queries, answers, Path(arguments.files[0]).parent)
    except Unusable as error:
        print(error, file=sys.stderr)
        return 2
    report(rows, arguments.json)
    return 0 if all(verdict_of(claims) == PROVED for *_, claims in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
