"""Forged certificates of paths: one change of a true one, after which it is not about its robot and its rows any more, or says less.

Each kind is made at random. None may be proved for these files, and each that is malformed must be refused by the field that is wrong.
"""

import copy
import json
import math
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from .path import PathQuestion, judge_about
from .path_form import read_certificate
from .reading import Unusable

STILL = {"position": [0, 0, 0], "rotation": [1, 0, 0, 0, 1, 0, 0, 0, 1]}
# Of each kind of JSON some values.
KINDS = {"null": [None], "truth": [True, False], "number": [0, -1, 2, 0.5, -1e308, 10**400, 1e-320, 10**6], "text": ["", "x", "1", "none"],
         "list": [[], [0], [[[]]], [0, 0, 0]], "object": [{}, {"type": "sphere"}]}


def kind_of(value) -> str:
    kinds = {type(None): "null", bool: "truth", str: "text", list: "list", dict: "object"}
    return kinds.get(type(value), "number")


def places(value, path=()) -> list:
    """Where a value holds others."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, v in inner for place in ((*path, key), *places(v, (*path, key)))]


def moving(c) -> list:
    return [f for f in c["frames"] if f["motion"] != "none"]


def without_pair(c, gone: int) -> None:
    del c["pairs"][gone]
    for segment in c["segments"]:
        segment["claims"] = [[claim[0] - (claim[0] > gone), *claim[1:]] for claim in segment["claims"] if claim[0] != gone]


def rounded(c, rng) -> None:
    """A body is grown, or shrunk below its size."""
    rng.choice(c["bodies"])["shape"]["rounding"] = rng.choice((-1, 1)) * 10 ** rng.uniform(-6, 0)


def unknown_word(c, rng) -> None:
    """A word that nothing knows, after which there may seem to be nothing to prove."""
    field = rng.choice(("shapes", "interpolation", "certificate"))
    c[field] = rng.choice(("nothing", "", "Collision", "none", "spline"))
    if rng.random() < 0.5:
        c["bodies"], c["pairs"] = [], []
        for segment in c["segments"]:
            segment["claims"] = []


def other_word(c, rng) -> None:
    field, word = rng.choice((("shapes", "visual"), ("interpolation", "cubic")))
    c[field] = word


def pair_left_out(c, rng) -> None:
    without_pair(c, rng.randrange(len(c["pairs"])))


def coordinate_twice(c, rng) -> None:
    """The frames follow a coordinate of a name that the rows move another way."""
    k = rng.randrange(len(c["coordinates"]))
    c["coordinates"].append(c["coordinates"][k])
    for segment in c["segments"]:
        segment["coordinates"].append([rng.uniform(-1, 1), 0, 0, 0])
    for frame in moving(c):
        if frame["coordinate"] == k:
            frame["coordinate"] = len(c["coordinates"]) - 1


def index_below_zero(c, rng) -> None:
    if rng.random() < 0.5:
        frame = rng.choice(moving(c))
        frame["coordinate"] = frame["coordinate"] - len(c["coordinates"])
    else:
        c["pairs"][rng.randrange(len(c["pairs"]))][rng.randrange(2)] -= len(c["bodies"])


def hidden_coordinate(c, rng) -> None:
    """A polynomial more than there are coordinates, which a frame follows."""
    for segment in c["segments"]:
        segment["coordinates"].append([0, 0, 0, 0])
    rng.choice(moving(c))["coordinate"] = rng.choice((-1, len(c["coordinates"])))


def decoy(c, rng) -> None:
    """Far away, a body that has a link's name is asked in its place."""
    pair = rng.choice(c["pairs"])
    side = rng.randrange(2)
    c["frames"].append({"parent": -1, **copy.deepcopy(STILL), "motion": "none"})
    body = copy.deepcopy(c["bodies"][pair[side]])
    body["frame"], body["position"] = len(c["frames"]) - 1, [100, 0, 0]
    c["bodies"].append(body)
    pair[side] = len(c["bodies"]) - 1


def no_rotation(c, rng) -> None:
    rotation = rng.choice(c["frames"] + c["bodies"])["rotation"]
    way = rng.randrange(3)
    if way == 0:
        rotation[:] = [x * rng.choice((1000.0, 0.5, -1.0, 1 + 1e-14)) if x else x for x in rotation]
        if all(abs(abs(x) - y) < 1e-15 for x, y in zip(rotation, STILL["rotation"])) and rotation[0] > 0:
            rotation[0] = 2.0
    elif way == 1:
        rotation[rng.randrange(9)] += rng.choice((-1, 1)) * 10 ** rng.uniform(-11, 2)
    else:
        rotation[:3], rotation[3:6] = rotation[3:6], rotation[:3]


def bent(c, rng) -> None:
    """From row to row, but not straight."""
    p = rng.choice(rng.choice(c["segments"])["coordinates"])
    bend = rng.choice((-1, 1)) * 10 ** rng.uniform(-6, 1)
    p[1], p[2 + rng.randrange(2)] = p[1] - bend, bend


def rests_elsewhere(c, rng) -> None:
    k = c["coordinates"].index("still")
    for segment in c["segments"]:
        segment["coordinates"][k][0] += 0.01 + rng.random()


def wrong_parent(c, rng) -> None:
    i = rng.randrange(1, len(c["frames"]))
    c["frames"][i]["parent"] = rng.choice((-1, -2, i, i + 1, len(c["frames"]), 0.0, None))


def link_twice(c, rng) -> None:
    rng.choice(c["frames"][1:])["link"] = c["frames"][0]["link"]


def another_kind(c, rng) -> None:
    """A value of another kind of JSON in any place."""
    path = rng.choice(places(c))
    holder = c
    for step in path[:-1]:
        holder = holder[step]
    old = kind_of(holder[path[-1]])
    holder[path[-1]] = rng.choice(KINDS[rng.choice([k for k in KINDS if k != old])])


def missing_field(c, rng) -> None:
    holder = rng.choice([c, *c["frames"], *c["bodies"], *c["segments"], *(b["shape"] for b in c["bodies"])])
    del holder[rng.choice([name for name in holder if name != "link"])]


def unknown_field(c, rng) -> None:
    holder = rng.choice([c, *c["frames"], *c["bodies"], *c["segments"], *(b["shape"] for b in c["bodies"])])
    holder[rng.choice(("scale", "Rounding", "proved", ""))] = rng.choice((0, 1.0, None, "x"))


# Each with whether it breaks the form, so that the field must be named.
FORGERIES = {rounded: False, unknown_word: True, other_word: False, pair_left_out: False, coordinate_twice: True, index_below_zero: True,
             hidden_coordinate: True, decoy: False, no_rotation: True, bent: False, rests_elsewhere: False, wrong_parent: False,
             link_twice: True, another_kind: True, missing_field: True, unknown_field: True}


def verdict_of(text: str, robot: Path, rows: Path) -> str:
    """`refused` names a field of the certificate, `unproved` a fault of it."""
    try:
        return "proved" if judge_about(read_certificate(text), str(robot), str(rows), PathQuestion()).proved() else "unproved"
    except Unusable as error:
        return "refused" if str(error).startswith("no certificate: ") else f"unusable: {error}"
    except Exception as error:  # noqa: BLE001: a crash is what is looked for
        return f"crash: {type(error).__name__}: {error}"


def forge_path(certificate, kind, rng, robot: Path, rows: Path) -> tuple:
    """The verdict on one forgery, and whether it is a fault of the verifier."""
    forged = copy.deepcopy(certificate)
    kind(forged, rng)
    verdict = verdict_of(json.dumps(forged), robot, rows)
    return verdict, verdict != "refused" if FORGERIES[kind] else verdict not in ("refused", "unproved")


def random_robot(rng) -> str:
    """A cross of slides: of two links that pass each other one has two bodies; a joint that no row names rests at a limit."""
    sizes = [rng.uniform(0.02, 0.2) for _ in range(5)]
    box = " ".join(str(rng.uniform(0.05, 0.3)) for _ in range(3))
    angles = " ".join(str(rng.uniform(-3, 3)) for _ in range(3))
    solids = [f'<sphere radius="{sizes[0]}"/>', f'<capsule radius="{sizes[1]}" length="{sizes[2]}"/>', f'<box size="{box}"/>',
              f'<cylinder radius="{sizes[3]}" length="{sizes[4]}"/>']
    rng.shuffle(solids)

    def link(name, *bodies) -> str:
        return f'<link name="{name}">' + "".join(f'<collision><origin xyz="{at}" rpy="{angles}"/><geometry>{solid}</geometry></collision>'
                                                 for at, solid in bodies) + "</link>"

    axes = [" ".join(str(rng.uniform(-1, 1)) for _ in range(3)) for _ in range(3)]
    return (f'<robot name="cross">{link("base", ("0 0 0", solids[0]))}{link("mid", ("0 10 0", solids[1]))}'
            f'{link("tip", ("0 0.9 0", solids[2]), ("0 5 0", solids[3]))}{link("end")}'
            f'<joint name="j" type="prismatic"><parent link="base"/><child link="mid"/><axis xyz="{axes[0]}"/><limit lower="-9" upper="9"/></joint>'
            f'<joint name="k" type="revolute"><parent link="mid"/><child link="tip"/><axis xyz="{axes[1]}"/><limit lower="-9" upper="9"/></joint>'
            f'<joint name="still" type="revolute"><parent link="tip"/><child link="end"/><axis xyz="{axes[2]}"/>'
            f'<limit lower="0.25" upper="9"/></joint></robot>')


class PathForgery:
    """`count` forgeries of the certificates of random robots."""

    def __init__(self, count: int, program: str, rng):
        self.count, self.program, self.random = count, program, rng
        self.found, self.complaints = Counter(), []

    def certificate(self, folder: Path):
        """Of a path that is free; none where the program reads no robots."""
        robot, rows, file = (folder / name for name in ("robot.urdf", "rows.csv", "certificate.json"))
        for _ in range(50):
            robot.write_text(random_robot(self.random))
            angle, way = self.random.uniform(-0.2, 0.2), self.random.uniform(-0.2, 0.2)
            rows.write_text(f"time,k,j\n0,0,0\n1,{angle},{way}\n3,{math.sin(angle)},{-way}\n")
            run = subprocess.run([self.program, "robot", "path", robot, rows, "--certificate", file], capture_output=True, check=False)
            if run.returncode == 0:
                return json.loads(file.read_text()), robot, rows
            if run.returncode != 1:
                return None
        raise Unusable("no robot of fifty has a free path")

    def run(self) -> None:
        started = time.monotonic()
        kinds = list(FORGERIES)
        with tempfile.TemporaryDirectory() as name:
            while sum(self.found.values()) < self.count:
                made = self.certificate(Path(name))
                if made is None:
                    self.found["robots are not read"] += self.count
                    break
                certificate, robot, rows = made
                if (verdict := verdict_of(json.dumps(certificate), robot, rows)) != "proved":
                    self.complaints.append({"true path": verdict, "robot": robot.read_text(), "rows": rows.read_text()})
                for _ in range(min(4 * len(kinds), self.count - sum(self.found.values()))):
                    kind = kinds[sum(self.found.values()) % len(kinds)]
                    verdict, fault = forge_path(certificate, kind, self.random, robot, rows)
                    self.found[f"path {verdict}" if not fault else "path complaint"] += 1
                    if fault:
                        self.complaints.append({"forged path": kind.__name__, "verdict": verdict, "robot": robot.read_text()})
        self.seconds = time.monotonic() - started
