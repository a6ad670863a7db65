"""A campaign of forged lines for tactus-verify: true answers of the program with one field in another JSON form.

No forged line may be proved: what has another type than the format states must be refuted, whatever the other fields say, and
so must a verdict turned round or without an answer, a field that is given twice and a number that JSON does not have. Fields
of the right type with another value count where the value is certainly false. No line may end the run with an exception.
"""

import json
import math
import random
import time
from collections import Counter

from .bodies import ONE, Mesh, norm, outside, pure
from .claims import PLANAR_TYPES, PROVED, REFUTED, judge_line, verdict_of
from .forge_path import PathForgery
from .form import UNANSWERED
from .plane import PlanarOpinion
from .proofs import NOTHING, gap_along
from .reading import Pair, parse_line

PLACE = "@place of the forged value@"
# Texts of values by the type that JSON gives them. The last ones are no JSON, or a number that no double holds.
FORMS = {
    "true": ("true",), "false": ("false",), "null": ("null",),
    "string": ('""', '"yes"', '"true"', '"0"', '"undecided"', '"converged"', '"\\ud800"', '"\u00e9\u2028"', '"NaN"'),
    "number": ("0", "1", "-1", "0.5", "-0.0", "1e-320", "-7.25", "1e150", "-1e150", "12345678901234567890"),
    "list": ("[]", "[[]]", "[0]", "[1,0,0,0]", "[[1,0,0]]", '["1","0","0"]', "[true,false,true]", "[null,null,null]",
             "[{},{},{}]", "[" * 60 + "]" * 60),
    "pair": ("[0,0]", "[1,0]", "[0.6,-0.8]", "[1e150,-1e150]", "[-0.0,-1]"),
    "vector": ("[0,0,0]", "[1,0,0]", "[0.6,-0.8,0]", "[1e150,0,-1e150]", "[-0.0,0,-1]", "[0.1,0.2,0.3]"),
    "object": ("{}", '{"value":1}', '{"point_a":[0,0,0]}', '{"a":{"b":{"c":[]}}}'),
    "none": ("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1" * 400, "True", "None", "nul", "[1,0,0", "'1'", "01", ".5", "",
             "[NaN,0,0]", "[1e999,0,0]", '"\\x"', "[" * 5000 + "]" * 5000)}
# JSON types that a field may have: the format's.
NUMBER = ("number",)
RIGHT = {
    "status": ("string",), "overlap": ("true", "false", "string"), "hit": ("true", "false", "string"), "distance": ("number", "null"),
    "lower": ("number", "null"), "upper": ("number", "null"), "time": ("number", "null"), "time_upper": ("number", "null"),
    "normal": ("vector",), "point_a": ("vector",), "point_b": ("vector",), "method": ("string",), "iterations": NUMBER,
    "part_a": NUMBER, "part_b": NUMBER, "triangle_a": NUMBER, "triangle_b": NUMBER, "contacts": ("list",), "closed": ("true", "false"),
    "certificate": ("object",), "derivatives": ("object",), "smooth": ("true", "false"), "unique": ("true", "false"),
    "kind": ("string",), "direction": ("vector",), "depth": NUMBER, "linear_a": ("vector",), "angular_a": ("vector",),
    "linear_b": ("vector",), "angular_b": ("vector",)}
RIGHT_PLANAR = RIGHT | dict.fromkeys(("normal", "point_a", "point_b", "point", "translation"), ("pair",)) | dict.fromkeys(
    ("segment", "part", "angle", "contour", "stretch"), NUMBER) | {"overlap": ("true", "false"), "touches": ("list",)}
PLANAR_ASKS = ("distance", "distance", "overlap", "contacts", "touches", "cast")
# Fields that are not judged beyond their type: how the answer was found, and what is offered as a proof of it.
NO_CLAIMS = ("method", "iterations", "certificate", "derivatives")
STATUSES = ("unsupported", "invalid_input", "Converged", "ok", "", "converged ", "proved")


def places(value, path=()) -> list:
    """Paths of all fields of an answer, those inside of its objects and the first ones of its lists included."""
    found = []
    if isinstance(value, dict):
        for name, inner in value.items():
            found += [path + (name,)] + places(inner, path + (name,))
    elif isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        found += places(value[0], path + (0,))
    return found


def holder_of(value, path):
    for step in path[:-1]:
        value = value[step]
    return value


class Forger:
    """Forged lines of one true answer."""

    def __init__(self, query, answer, reader, rng):
        self.query, self.answer, self.random = query, answer, rng
        self.reader = reader
        self.planar = query["a"]["type"] in PLANAR_TYPES
        self.right = RIGHT_PLANAR if self.planar else RIGHT
        self.places = places(answer)

    def text(self, path, form, twice=False) -> str:
        copy = json.loads(json.dumps(self.answer))
        holder = holder_of(copy, path)
        kept = json.dumps(holder[path[-1]])
        holder[path[-1]] = PLACE
        text = json.dumps(copy)
        name, place = json.dumps(path[-1]), json.dumps(PLACE)
        return text.replace(place, f"{form}, {name}: {kept}" if twice else form)

    def forge(self):
        """(what was done, text of the line, must it be refuted, must it not be proved)."""
        path = self.random.choice(self.places)
        name, inner = path[-1], len(path) > 1
        about = "/".join(map(str, path[:1] + path[-1:])) if inner else name
        way = self.random.random()
        if way < 0.06 and isinstance(name, str):
            return f"{about} twice", self.text(path, "null", twice=True), True, True
        if way < 0.12:
            copy = json.loads(json.dumps(self.answer))
            copy[self.random.choice(("sure", "Overlap", "proof", "distances", "\u00e9"))] = self.random.choice((1, True, None, []))
            return "another field", json.dumps(copy), False, True
        if way < 0.18:
            wrong = dict(self.answer, status=self.random.choice(STATUSES))
            same = self.answer["status"] in UNANSWERED and wrong["status"] in UNANSWERED
            return "status", json.dumps(wrong), not same, not same
        if way < 0.22:
            line = json.dumps(self.answer)
            return "cut short", line[:self.random.randrange(1, len(line))], True, True
        kind = self.random.choice(list(FORMS))
        form = self.random.choice(FORMS[kind])
        wrong = kind == "none" or name in self.right and kind not in self.right[name]
        if name == "id":
            wrong = wrong or kind != "string" or json.loads(form) != self.answer["id"]
        return f"{about} {kind}", self.text(path, form), wrong, wrong or not inner and self.is_false(name, kind, form)

    def is_false(self, name, kind, form) -> bool:
        """Is a value of the right type certainly false?"""
        if name in NO_CLAIMS or name not in self.right or kind == "null":
            return False
        value, old = json.loads(form), self.answer[name]
        if name in ("overlap", "hit", "closed"):
            return value != old and "undecided" not in (value, old) and (name != "overlap" or self.is_sure())
        if name == "status":
            return value not in ("converged", "iteration_limit", "precision_limit", "local_minimum")
        if self.planar:
            return self.is_false_in_the_plane(name, value)
        pair = Pair(self.query, self.reader)
        allowed = 8 * max(pair.world_slack, 1)
        if name == "distance" and "time" in self.answer:
            return old is not None and abs(pair.length(value) - pair.length(old)) > allowed + pair.length(1e-6 * pair.size)
        if name in ("lower", "upper", "distance"):
            low, high = self.answer["lower"], self.answer["upper"]
            if name == "lower":
                return high is not None and pair.length(value) > pair.length(high) + allowed
            if name == "upper":
                return low is not None and pair.length(value) < pair.length(low) - allowed
            return None not in (low, high) and not (pair.length(low) - allowed <= pair.length(value) <= pair.length(high) + allowed)
        if name.startswith("part_") or name.startswith("triangle_"):
            return self.names_another(pair, name, value, allowed)
        if name == "normal" and self.query["ask"] != "overlap":
            return self.is_no_normal(pair, pure(value))
        if name in ("point_a", "point_b") and self.query["ask"] in ("distance", "contacts"):
            parts = pair.a if name == "point_a" else pair.b
            return all(outside(part, pair.point(value)) > allowed for part in parts)
        if name in ("time", "time_upper"):
            return value < 0 or value > 1 or name == "time" and value > (self.answer["time_upper"] or 1) + 1e-6
        return False

    def is_sure(self) -> bool:
        """Is the verdict one beyond rounding?"""
        opinion = PlanarOpinion(self.query, self.answer) if self.planar else Pair(self.query, self.reader)
        allowed = 8 * max(opinion.slack if self.planar else opinion.world_slack, 1)
        low, high = (None if self.answer[n] is None else opinion.length(self.answer[n]) for n in ("lower", "upper"))
        return low is not None and low > allowed or high is not None and high < -allowed

    def is_false_in_the_plane(self, name, value) -> bool:
        opinion = PlanarOpinion(self.query, self.answer)
        allowed = 8 * max(opinion.slack, 1)
        if name in ("lower", "upper", "distance") and "time" not in self.answer:
            low, high = opinion.length(self.answer["lower"]) - allowed, opinion.length(self.answer["upper"]) + allowed
            x = opinion.length(value)
            return x > high if name == "lower" else x < low if name == "upper" else not low <= x <= high
        if name in ("point_a", "point_b") and "time" not in self.answer:
            body = opinion.a if name == "point_a" else opinion.b
            return body.outside(opinion.point(value)) > allowed
        if name in ("time", "time_upper"):
            return value < 0 or value > 1 or name == "time" and value > (self.answer["time_upper"] or 1) + 1e-6
        return name == "normal" and abs(math.hypot(*value) - 1) > 1e-9

    def is_no_normal(self, pair, n) -> bool:
        """No unit vector, or one along which no two parts are as far apart as the answer says."""
        if norm(n) < ONE - (ONE >> 30) or norm(n) > ONE + (ONE >> 30):
            return True
        if "time" in self.answer or pair.has_mesh or self.answer["distance"] is None:
            return False
        gaps = [gap_along(a, b, n) for a in pair.a for b in pair.b]
        return all(gap == NOTHING or abs(gap - pair.length(self.answer["distance"])) > 4 * pair.slack for gap in gaps)

    def names_another(self, pair, name, value, allowed) -> bool:
        if not isinstance(value, int) or value < 0:
            return True
        parts, body = (pair.a, "a") if name.endswith("a") else (pair.b, "b")
        if name.startswith("triangle_"):
            p = pair.point(self.answer["point_" + body])
            index = self.answer.get("part_" + body, 0)
            part = parts[index] if index < len(parts) else None
            on = isinstance(part, Mesh) and value < len(part.triangles) and outside(part.triangle(value), p) <= allowed
            return not on
        if "time" in self.answer:
            return value >= len(parts)
        return value >= len(parts) or outside(parts[value], pair.point(self.answer["point_" + body])) > allowed


def planar_shape(rng) -> dict:
    """A circle, a contour, or a region: a box on whole coordinates, a convex one, a star."""
    kind = rng.choice(("circle", "contour", "box", "convex", "star"))
    if kind == "circle":
        return {"type": kind, "radius": rng.choice((0.5, 1, 2, rng.uniform(0.1, 3)))}
    if kind == "box":
        x, y, w, h = (rng.randint(1, 8) for _ in range(4))
        return {"type": "region", "outer": [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]}
    angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(rng.randint(3, 7)))
    reach = [3 if kind == "convex" else rng.uniform(1, 4) for _ in angles]
    points = [[r * math.cos(t), r * math.sin(t)] for r, t in zip(reach, angles)]
    return {"type": "contour", "points": points, "closed": rng.random() < 0.5} if kind == "contour" else {"type": "region", "outer": points}


def planar_query(rng, name) -> dict:
    query = {"id": name, "a": planar_shape(rng), "b": planar_shape(rng), "ask": rng.choice(PLANAR_ASKS)}
    query["pose_b"] = [rng.randint(-8, 8), rng.randint(-8, 8), 0] if rng.random() < 0.5 else [rng.uniform(-6, 6) for _ in range(3)]
    if query["ask"] == "touches":
        query["a"] = {"type": "circle", "radius": rng.uniform(0.1, 4)}
    if query["ask"] == "cast":
        query["motion"] = {"a": [rng.uniform(-8, 8), rng.uniform(-8, 8)], "b": {"linear": [0, 0], "angular": rng.choice((0, 1))}}
    return query


class Forgery:
    """`count` forged lines of the answers to random queries."""

    def __init__(self, count, campaign):
        self.count, self.campaign, self.random = count, campaign, random.Random(campaign.generator.random.random())
        self.found, self.complaints, self.answers = Counter(), [], Counter()

    def judge(self, forger) -> None:
        about, text, refused, false = forger.forge()
        try:
            claims = judge_line(forger.query, parse_line(text.encode("utf-8", "surrogatepass")), forger.reader, stop_early=True)
        except Exception as error:  # noqa: BLE001: a crash is what is looked for
            claims = {f"crash: {type(error).__name__}: {error}": "crash"}
        verdict = "crash" if "crash" in claims.values() else verdict_of(claims)
        self.found[verdict, "refused" if refused else "false" if false else "open"] += 1
        if verdict == "crash" or false and verdict == PROVED or refused and verdict != REFUTED:
            self.complaints.append({"forged": about, "claims": claims, "query": forger.query, "line": text})

    def run(self, as_json) -> int:
        started, turn, reader = time.monotonic(), 0, self.campaign.generator.reader
        cells = list(self.campaign.cells)
        while sum(self.found.values()) < self.count:
            self.random.shuffle(cells)
            plane = [planar_query(self.random, f"plane-{turn}-{i}") for i in range(len(cells) // 3)]
            answers = self.campaign.ask(cells, f"forged-{turn}", derivatives=0.1) + self.campaign.answers_of(plane, "planar")
            self.random.shuffle(answers)
            for query, answer in answers:
                verdict = verdict_of(judge_line(query, answer, reader))
                self.answers[verdict] += 1
                if verdict == REFUTED:
                    self.complaints.append({"true answer refuted": judge_line(query, answer, reader), "query": query, "answer": answer})
                    continue
                forger = Forger(query, answer, reader, self.random)
                for _ in range(min(20, self.count - sum(self.found.values()))):
                    self.judge(forger)
                if sum(self.found.values()) >= self.count:
                    break
            turn += 1
        paths = PathForgery(max(1, self.count // 10), self.campaign.program, self.random)
        paths.run()
        self.found.update({tuple(name.split(" ", 1)[::-1]): n for name, n in paths.found.items()})
        self.complaints += paths.complaints
        return self.report(as_json, time.monotonic() - started)

    def report(self, as_json, seconds) -> int:
        table = {f"{expected} {verdict}": n for (verdict, expected), n in sorted(self.found.items())}
        if as_json:
            print(json.dumps({"forged": table, "answers": self.answers, "complaints": self.complaints, "seconds": round(seconds, 1)}))
        else:
            for complaint in self.complaints[:20]:
                print(json.dumps(complaint))
            for name, n in table.items():
                print(f"forged   {name:24} {n:6}")
            for name, n in sorted(self.answers.items()):
                print(f"true     {name:24} {n:6}")
            print(f"{sum(self.found.values())} forged lines, {len(self.complaints)} complaints, {seconds:.1f} s")
        return 1 if self.complaints else 0
