"""A campaign of tactus-verify: random queries, answered by `tactus query --certificate`, of which fixed numbers per kind
of certificate must be proved; and from each answer a lie, made by changing one thing, which must not be."""

import copy
import json
import math
import random
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from .claims import PROVED, UNPROVED, class_of, judge_line, verdict_of
from .bodies import BITS, UNIT, HalfSpace, Mesh, add, dot, fixed, neg, outside, pure, sub
from .motion import MovingOpinion
from .proofs import NOTHING, gap_along
from .reading import Pair, Reader, Unusable

CONVEX = ("sphere", "box", "capsule", "cylinder", "cone", "ellipsoid", "convex")
RELATIONS = ("apart", "near", "touching", "shallow", "deep")
# Kinds of proof, and what part of the answers rests on each; `apart` are those of unions and meshes.
QUOTAS = {"separation": 0.25, "axes": 0.15, "faces": 0.15, "ball": 0.15, "apart": 0.15, "inside": 0.025, "motion": 0.125}
LIES = ("lower", "upper", "value", "normal", "length", "point_a", "point_b", "bracket", "certificate", "verdict", "part")
LIES_OF_MOTIONS = ("hit", "late", "early", "time_upper", "point", "touch")
# Of the answers about meshes that overlap, touch or move, so many may be left open: see `Campaign.is_open`.
MOST_OPEN = 0.8
TOUCHING = 1e-8  # of the size
# Rounds of queries after which a kind that is still short of answers is reported.
MOST_ROUNDS = 100


class Generator:
    """Random shapes, poses and queries."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.reader = Reader()

    def direction(self) -> list:
        v = [self.random.gauss(0, 1) for _ in range(3)]
        return [x / math.hypot(*v) for x in v]

    def rotation(self) -> list:
        if self.random.random() < 0.2:
            return [1, 0, 0, 0]
        q = [self.random.gauss(0, 1) for _ in range(4)]
        return [x / math.hypot(*q) for x in q]

    def extents(self, scale, count) -> list:
        thin = self.random.random() < 0.15
        return [scale * self.random.uniform(0.2, 1) * (10 ** self.random.uniform(-2, 0) if thin else 1) for _ in range(count)]

    def points(self, scale) -> list:
        """Points on an ellipsoid, in general position, so that all are corners of their hull."""
        radii = self.extents(scale, 3)
        count = self.random.choice((4, 6, 8, 16, 32, 64, 128))
        return [[r * x for r, x in zip(radii, self.direction())] for _ in range(count)]

    def mesh(self, scale) -> dict:
        """A closed surface: a ring of quadrilaterals, which is not convex."""
        around, across = self.random.choice(((5, 3), (8, 4), (12, 6)))
        thick = self.random.uniform(0.15, 0.4)
        vertices, triangles = [], []
        for i in range(around):
            for j in range(across):
                u, v = 2 * math.pi * i / around, 2 * math.pi * j / across
                r = 1 - thick + thick * math.cos(v)
                vertices.append([scale * r * math.cos(u), scale * r * math.sin(u), scale * thick * math.sin(v)])
                p, q = i * across + j, (i + 1) % around * across + j
                s, t = (i + 1) % around * across + (j + 1) % across, i * across + (j + 1) % across
                triangles += [[p, q, s], [p, s, t]]
        return {"type": "mesh", "vertices": vertices, "triangles": triangles}

    def shape(self, kind, scale) -> dict:
        if kind == "compound":
            parts = [{"shape": self.shape(self.random.choice(CONVEX), scale / 2), "pose": self.pose(0.5 * scale)}
                     for _ in range(self.random.randint(2, 4))]
            return {"type": kind, "parts": parts}
        if kind == "mesh":
            return self.mesh(scale)
        if kind == "halfspace":
            return {"type": kind, "normal": self.direction(), "offset": self.random.uniform(-scale, scale)}
        shape = {"type": kind}
        if kind == "box":
            shape["size"] = self.extents(scale, 3)
        elif kind == "ellipsoid":
            shape["radii"] = self.extents(scale, 3)
        elif kind == "convex":
            shape["vertices"] = self.points(scale)
        elif kind == "sphere":
            shape["radius"] = self.extents(scale, 1)[0]
        else:
            shape["radius"], shape["length"] = self.extents(scale, 2)
        if kind not in ("sphere", "capsule") and self.random.random() < 0.15:
            shape["rounding"] = scale * self.random.uniform(0.01, 0.3)
        return shape

    def pose(self, spread) -> dict:
        return {"position": [self.random.uniform(-spread, spread) for _ in range(3)], "quaternion": self.rotation()}

    def query(self, name, kind_a, kind_b, relation) -> dict:
        """Two bodies, placed so that points where both are farthest along a random direction are apart as the relation says:
        by that much where they are apart, and at most that deep where they overlap. `within`: B is small, at A's origin,
        between the parts or in the hole of a ring."""
        scale = 10 ** self.random.choice((0, 0, 0, -3, 3))
        far = scale * (1e4 if self.random.random() < 0.1 else 1)
        ask = self.random.choice(("distance", "distance", "distance", "overlap", "contacts"))
        # Contacts are not looked for beyond the threshold, and the distance not looked for any further.
        query = {"id": name, "class": relation, "ask": ask, "threshold": 10 * scale,
                 "a": self.shape(kind_a, scale), "pose_a": self.pose(far),
                 "b": self.shape(kind_b, scale * (0.1 if relation == "within" else self.random.choice((1, 1, 0.1))))}
        query["pose_b"] = {"position": query["pose_a"]["position"], "quaternion": self.rotation()}
        gap = {"apart": self.random.uniform(0.05, 2), "near": 10 ** self.random.uniform(-8, -2), "touching": 0.0,
               "shallow": -10 ** self.random.uniform(-8, -2), "deep": -self.random.uniform(0.02, 0.5), "within": 0.0}[relation]
        pair = Pair(query, self.reader)
        n = pure(self.direction())
        for body, sense in ((pair.a, 1), (pair.b, -1)):
            if isinstance(body[0], HalfSpace):
                n = tuple(sense * c for c in body[0].normal)
        if relation == "within":
            return query
        extent = scale if relation in ("apart", "near") else scale * (0.1 if query["b"]["type"] == "sphere" else 0.3)
        step = sub(farthest(pair.a, n), farthest(pair.b, neg(n)))
        query["pose_b"]["position"] = [x + pair.to_double(c) + gap * extent * math.ldexp(d, -BITS)
                                       for x, c, d in zip(query["pose_a"]["position"], step, n)]
        if relation in ("apart", "near") and self.random.random() < 0.25:
            self.set_in_motion(query, pair.size)
        return query

    def set_in_motion(self, query, size) -> None:
        """B flies at A, or past it."""
        far = [x - y for x, y in zip(query["pose_a"]["position"], query["pose_b"]["position"])]
        factor = self.random.uniform(0.3, 1.5)
        linear = [factor * x + 0.1 * size * self.random.gauss(0, 1) for x in far]
        query["ask"] = self.random.choice(("cast", "impact"))
        # Half-spaces that turn are not judged.
        turns = [[self.random.gauss(0, 1) * (query[name]["type"] != "halfspace") for _ in range(3)] for name in "ab"]
        query["motion"] = ({"a": [0, 0, 0], "b": linear} if query["ask"] == "cast" else
                           {"a": {"angular": turns[0]}, "b": {"linear": linear, "angular": turns[1]}})


def farthest(parts, n) -> tuple:
    """The point of a body that is farthest along n."""
    points = []
    for part in parts:
        if isinstance(part, HalfSpace):
            points.append(tuple(part.offset * c >> BITS for c in part.normal))
        else:
            body = part.hull() if isinstance(part, Mesh) else part
            points.append(add(body.support(n), tuple(part.radius * c >> BITS for c in n)))
    return max(points, key=lambda p: dot(p, n))


def kind_of(answer) -> str:
    certificate = answer.get("certificate") or {}
    kind = certificate.get("kind", "motion" if "time" in answer else "-")
    return "apart" if certificate.get("apart") and kind in ("none", "separation") else kind


class Liar:
    """Makes from a true answer one that is false in truth, by one change of at least four times the rounding allowed."""

    def __init__(self, query, answer, reader, rng):
        self.query, self.answer, self.random = query, answer, rng
        self.pair = Pair(query, reader)
        self.motion = MovingOpinion(query, answer, self.pair) if "motion" in query else None
        # In doubles: what is false of values, and of points in the world, whatever the verifier allows.
        self.values = 4 * 64 * UNIT * self.pair.size
        self.places = self.values * ((self.motion or self.pair).world_slack / max(self.pair.slack, 1))
        if self.motion:
            # A time that is off by this is off by a way of at least `places`, if the bodies approach fast enough.
            self.moments = 100 * self.places / self.pair.size

    def size(self, least) -> float:
        """Between `least` and a hundredth of the pair's size."""
        return least * (max(0.01 * self.pair.size / least, 1.0)) ** self.random.random()

    def tell(self, kind):
        """The lie, or None where there is none of this kind."""
        lie = copy.deepcopy(self.answer)
        return lie if getattr(self, "lie_about_" + kind)(lie) else None

    def approaching(self) -> bool:
        """Do the bodies come nearer along the normal by a tenth of the size in all of the time, where they meet?"""
        t, n = fixed(self.answer["time"], -BITS), pure(self.answer["normal"])
        p = self.pair.point(self.answer["point_a"])
        speeds = [dot(n, m.velocity(p, t)) >> BITS for m in (self.motion.motion_a, self.motion.motion_b)]
        return self.pair.to_double(speeds[0] - speeds[1]) > 0.1 * self.pair.size

    def order(self, lie) -> None:
        lie["lower"] = min(lie["lower"], lie["upper"])
        lie["distance"] = min(max(lie["distance"], lie["lower"]), lie["upper"])

    def lie_about_hit(self, lie) -> bool:
        """Nothing is hit, although it is before the end."""
        if lie["hit"] is not True or not lie["time_upper"] < 1 - self.moments:
            return False
        lie.update(hit=False, time=None, time_upper=None)
        return True

    def lie_about_late(self, lie) -> bool:
        """A first contact after the bodies have met."""
        if lie["hit"] is not True or self.answer["time_upper"] == 0:
            return False
        later = self.answer["time_upper"] + self.moments * 10 ** self.random.uniform(0, 6)
        lie.update(time=later, time_upper=later)
        return later <= 1 and self.approaching()

    def lie_about_early(self, lie) -> bool:
        """A first contact before the bodies meet."""
        earlier = self.answer["time"] - self.moments * 10 ** self.random.uniform(0, 6) if lie["hit"] is True else -1
        lie.update(time=earlier, time_upper=earlier)
        return earlier >= 0 and self.approaching()

    def lie_about_time_upper(self, lie) -> bool:
        if lie["hit"] is not True or self.answer["time"] < 2 * self.moments or not self.approaching():
            return False
        lie["time_upper"] = self.answer["time"] - self.moments
        lie["time"] = min(lie["time"], lie["time_upper"] / 2)
        return True

    def lie_about_point(self, lie) -> bool:
        """Out of the body, by much more than a motion's rounding."""
        if lie["hit"] is not True:
            return False
        lie["point_a"] = [x + 0.01 * self.pair.size * c for x, c in zip(lie["point_a"], lie["normal"])]
        return not self.pair.has_mesh and not self.pair.compound

    def lie_about_touch(self, lie) -> bool:
        """Points of contact that do not meet."""
        if "touch_a" not in lie["certificate"]:
            return False
        away = self.places * 10
        lie["certificate"]["touch_a"] = [x + away * c for x, c in zip(lie["certificate"]["touch_a"], lie["normal"])]
        return True

    def lie_about_lower(self, lie) -> bool:
        lie["lower"] = self.answer["upper"] + self.size(self.places)
        lie["upper"] = max(lie["upper"], lie["lower"])
        self.order(lie)
        return True

    def lie_about_upper(self, lie) -> bool:
        lie["upper"] = self.answer["lower"] - self.size(self.places)
        self.order(lie)
        return True

    def lie_about_value(self, lie) -> bool:
        lie["distance"] = self.answer["upper"] + self.size(self.values)
        return True

    def lie_about_bracket(self, lie) -> bool:
        """A bracket without width beside the truth."""
        away = self.size(self.places)
        up = self.random.random() < 0.5
        lie["lower"] = lie["distance"] = lie["upper"] = self.answer["upper"] + away if up else self.answer["lower"] - away
        return True

    def lie_about_normal(self, lie) -> bool:
        """Turned until the bodies are otherwise apart along it."""
        if self.query["ask"] == "overlap" or self.pair.has_mesh:
            return False
        angle, aside = 10 ** self.random.uniform(-6, -1), [self.random.gauss(0, 1) for _ in range(3)]
        turned = [x + angle * y for x, y in zip(lie["normal"], aside)]
        lie["normal"] = [x / math.hypot(*turned) for x in turned]
        gaps = [gap_along(a, b, pure(lie["normal"])) for a in self.pair.a for b in self.pair.b]
        distance = self.pair.length(lie["distance"])
        return all(gap == NOTHING or abs(gap - distance) > 4 * self.pair.slack for gap in gaps)

    def lie_about_length(self, lie) -> bool:
        if self.query["ask"] == "overlap":
            return False
        factor = 1 + self.size(256 * UNIT * self.pair.size) / self.pair.size
        lie["normal"] = [x * factor for x in lie["normal"]]
        return True

    def lie_about_witness(self, lie, name, sense) -> bool:
        """Moved out of its body."""
        away = sense * self.size(self.places)
        lie[name] = [x + away * c for x, c in zip(lie[name], lie["normal"])]
        parts, p = (self.pair.a if name == "point_a" else self.pair.b), self.pair.point(lie[name])
        return self.query["ask"] != "overlap" and all(outside(part, p) > 2 * self.pair.world_slack for part in parts)

    def lie_about_point_a(self, lie) -> bool:
        return self.lie_about_witness(lie, "point_a", 1)

    def lie_about_point_b(self, lie) -> bool:
        return self.lie_about_witness(lie, "point_b", -1)

    def lie_about_verdict(self, lie) -> bool:
        sure = lie["lower"] > self.places or lie["upper"] < -self.places
        if lie.get("overlap") not in (True, False) or not sure:
            return False
        lie["overlap"] = not lie["overlap"]
        return True

    def lie_about_part(self, lie) -> bool:
        """Another part than that which holds the point, or one that does not exist."""
        names = [n for n in ("part_a", "part_b") if n in lie]
        if not names or self.query["ask"] == "overlap":
            return False
        name = self.random.choice(names)
        parts = self.pair.a if name == "part_a" else self.pair.b
        p = self.pair.point(lie["point" + name[4:]])
        wrong = [i for i, part in enumerate(parts) if outside(part, p) > 4 * self.pair.world_slack] + [len(parts)]
        lie[name] = self.random.choice(wrong)
        return True

    def lie_about_certificate(self, lie) -> bool:
        """A false bracket with a certificate forged or cut short in its favour."""
        certificate, away = lie["certificate"], self.size(self.places)
        if self.answer["upper"] >= 0:
            lie["lower"] = lie["distance"] = lie["upper"] = self.answer["upper"] + away
            for entry in certificate.get("apart", []):
                entry["steps"] = entry["steps"][:len(entry["steps"]) // 2] or [["n", lie["normal"]]]
            return True
        lie["lower"] = lie["distance"] = lie["upper"] = self.answer["lower"] - away
        certificate["shrink_a"] = certificate.get("shrink_a", 0) + away
        if certificate["kind"] == "separation":
            certificate["core_point_b"] = certificate["core_point_a"]
        factor = 1 + away / abs(self.answer["lower"])
        for support in certificate.get("supports", []):
            for name in ("point_a", "point_b"):
                support[name] = [x * factor for x in support[name]]
        for name in ("supports", "faces"):
            if certificate.get(name) and self.random.random() < 0.3:
                certificate[name].pop()
        certificate["kind"] = self.random.choice((certificate["kind"], "ball", "faces", "separation", "axes"))
        certificate["direction"] = self.random.choice((certificate["direction"], [0.6, 0.0, 0.8]))
        return True


class Campaign:
    def __init__(self, count, seed, program):
        self.count, self.program = count, program
        self.generator = Generator(seed)
        self.wanted = {kind: math.ceil(share * count) for kind, share in QUOTAS.items()}
        self.cells = [(a, b, r) for i, a in enumerate(CONVEX) for b in CONVEX[i:] for r in RELATIONS]
        others = [("halfspace", b) for b in CONVEX] + [("compound", b) for b in CONVEX + ("compound", "halfspace")]
        others += [("mesh", b) for b in CONVEX + ("mesh", "compound", "halfspace")]
        self.cells += [(a, b, r) for a, b in others for r in RELATIONS]
        self.cells += 2 * [(a, b, "within") for a, b in others if a != "halfspace" and b != "halfspace"]
        self.proved, self.rejected, self.complaints = Counter(), Counter(), []
        self.open, self.overlapping = Counter(), 0

    def ask(self, cells, turn, derivatives=0.0) -> list:
        """Queries and their answers; `derivatives`: the part of the queries without motion that ask for them."""
        queries = [self.generator.query(f"{turn}-{i}", *cell) for i, cell in enumerate(cells)]
        for query in queries:
            if "motion" not in query and derivatives > self.generator.random.random():
                query["derivatives"] = True
        return self.answers_of(queries)

    def answers_of(self, queries, *plane) -> list:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "queries.jsonl"
            path.write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
            try:
                run = subprocess.run([self.program, *plane, "query", "--certificate", str(path)], capture_output=True, text=True,
                                     check=False)
            except OSError as error:
                raise Unusable(f"{self.program}: {error.strerror}") from error
        answers = [json.loads(line) for line in run.stdout.split("\n") if line]
        if run.returncode == 2 or len(answers) != len(queries):
            raise Unusable(f"{self.program} failed: {run.stderr}")
        return list(zip(queries, answers))

    @staticmethod
    def is_open(query, answer) -> bool:
        """Where meshes overlap, touch or move, an answer's points may only mark the place, and its certificate may prove less
        than the answer claims: such an answer is counted, and replaced by another one."""
        types = query["a"]["type"], query["b"]["type"]
        if "mesh" not in types or "halfspace" in types:
            return False
        return "motion" in query or answer["lower"] < TOUCHING * Pair(query, Reader()).size

    def judge(self, query, answer, number) -> bool:
        """One answer, and a lie made from it; is it one of those that count?"""
        kind, reader = kind_of(answer), self.generator.reader
        claims = judge_line(query, answer, reader)
        found = verdict_of(claims)
        if self.is_open(query, answer):
            self.overlapping += 1
            if found == UNPROVED:
                self.open[kind] += 1
                return False
        self.proved[class_of(query), kind, found] += 1
        if found != PROVED:
            self.complaints.append({"not proved": claims, "query": query, "answer": answer})
        self.lie(Liar(query, answer, reader, self.generator.random), kind, number)
        return True

    def lie(self, liar, kind, number) -> None:
        """Lies about one answer: one, and others for answers before of which there was none to make."""
        lies = LIES_OF_MOTIONS if liar.motion else LIES
        for i in range(len(lies)):
            about = lies[(number + i) % len(lies)]
            lie = liar.tell(about)
            if lie is None:
                continue
            accepted = verdict_of(judge_line(liar.query, lie, self.generator.reader, stop_early=True)) == PROVED
            self.rejected[about, kind, accepted] += 1
            if accepted:
                self.complaints.append({"accepted lie": about, "query": liar.query, "answer": lie})
            if sum(self.rejected.values()) >= sum(self.proved.values()):
                return

    def run(self, as_json) -> int:
        started = time.monotonic()
        taken = Counter()
        for turn in range(MOST_ROUNDS):
            if all(taken[kind] >= count for kind, count in self.wanted.items()):
                break
            self.generator.random.shuffle(self.cells)
            for query, answer in self.ask(self.cells, turn):
                kind = kind_of(answer)
                bounded = "time" in answer or answer.get("lower") is not None and answer.get("upper") is not None
                if bounded and taken[kind] < self.wanted.get(kind, 0):
                    taken[kind] += self.judge(query, answer, sum(taken.values()))
        self.report(as_json, time.monotonic() - started)
        complete = all(taken[kind] >= count for kind, count in self.wanted.items())
        open_enough = sum(self.open.values()) <= MOST_OPEN * self.overlapping
        return 0 if complete and open_enough and not self.complaints else 1

    def report(self, as_json, seconds) -> None:
        found = {"proved": sum(n for (_, _, v), n in self.proved.items() if v == PROVED), "answers": sum(self.proved.values()),
                 "rejected": sum(n for (*_, accepted), n in self.rejected.items() if not accepted),
                 "lies": sum(self.rejected.values()), "seconds": round(seconds, 1)}
        by_kind, by_lie = Counter(), Counter()
        for (_, kind, verdict), n in self.proved.items():
            by_kind[kind, verdict] += n
        for (about, _, accepted), n in self.rejected.items():
            by_lie[about, "accepted" if accepted else "rejected"] += n
        if as_json:
            rows = [{"class": c, "kind": k, "verdict": v, "answers": n} for (c, k, v), n in sorted(self.proved.items())]
            print(json.dumps(found | {"table": rows, "complaints": self.complaints}))
            return
        for complaint in self.complaints:
            print(json.dumps(complaint))
        for title, table in (("answers", by_kind), ("lies", by_lie)):
            for (name, verdict), n in sorted(table.items()):
                print(f"{title:8} {name:12} {verdict:10} {n:6}")
        for kind, count in self.wanted.items():
            got = sum(n for (k, _), n in by_kind.items() if k == kind)
            if got < count:
                print(f"quota of {kind}: {got} of {count} answers")
        for kind, n in sorted(self.open.items()):
            print(f"{'open':8} {kind:12} {UNPROVED:10} {n:6} of {self.overlapping} answers about meshes that overlap, touch or move")
        print(f"{found['proved']} of {found['answers']} answers proved, {found['rejected']} of {found['lies']} lies rejected, "
              f"{found['seconds']} s")
