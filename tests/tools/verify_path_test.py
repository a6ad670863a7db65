#!/usr/bin/env python3
"""verify_path_test.py PROGRAM   the exact second opinion on paths of robots: what the program proves free is proved again, and
nothing that was forged is."""

import copy
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "verify"))

from tactus_verify.bodies import BITS, ONE, fixed  # noqa: E402
from tactus_verify.path import HALF_PI, GUARD, judge_path, sine_cosine  # noqa: E402
from tactus_verify.reading import Unusable  # noqa: E402
from tactus_verify.robot_files import compare_robot, compare_rows  # noqa: E402

PROGRAM = ""
EFFORT = float(os.environ.get("TACTUS_TEST_EFFORT", "1"))
# An L, which no plane parts from what lies in its corner.
L = """v 0 0 0\nv 1 0 0\nv 1 0.1 0\nv 0.1 0.1 0\nv 0.1 1 0\nv 0 1 0\nv 0 0 0.2\nv 1 0 0.2\nv 1 0.1 0.2\nv 0.1 0.1 0.2\nv 0.1 1 0.2\nv 0 1 0.2
f 1 4 2\nf 2 4 3\nf 1 5 4\nf 1 6 5\nf 7 8 10\nf 8 9 10\nf 7 10 11\nf 7 11 12\nf 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9
f 4 5 11\nf 4 11 10\nf 5 6 12\nf 5 12 11\nf 6 1 7\nf 6 7 12\n"""
ARM = """<robot name="arm"><link name="base"/>
<link name="upper"><collision><origin xyz="0.3 0 0"/><geometry><box size="0.6 0.08 0.08"/></geometry></collision></link>
<link name="lower"><collision><origin xyz="0.3 0 0" rpy="0 1.5707963 0"/><geometry><{shape}/></geometry></collision></link>
<link name="hand"><collision><origin xyz="0.02 0 0"/><geometry><sphere radius="0.04"/></geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0.03 1"/><limit lower="-3" upper="3"/></joint>
<joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0.6 0 0"/><axis xyz="0 0 1"/></joint>
<joint name="grip" type="prismatic"><parent link="lower"/><child link="hand"/><origin xyz="0.6 0 0"/><limit lower="0" upper="0.1"/>
<mimic joint="elbow" multiplier="0.01" offset="0.05"/></joint></robot>"""
SHAPES = ('cylinder radius="0.04" length="0.6"', 'capsule radius="0.04" length="0.5"', 'mesh filename="l.obj" scale="0.3 0.3 0.3"')
CELL = {"bodies": [{"name": "pole", "type": "fixed", "shape": {"type": "cylinder", "radius": 0.001, "length": 2}, "pose": {"position": [0.9, 0.5, 0]}},
                   {"name": "floor", "type": "fixed", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": -0.7}}]}
FREE = "shoulder,elbow\n0,0\n0,-2.2\n1.2,-2.2\n1.2,-1.7\n"


class Paths(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        for name, content in (("l.obj", L), ("cell.json", json.dumps(CELL)), ("path.csv", FREE)):
            (self.folder / name).write_text(content)

    def certificate(self, shape, *options) -> dict:
        (self.folder / "arm.urdf").write_text(ARM.replace("{shape}", shape))
        run = subprocess.run([PROGRAM, "robot", "path", "arm.urdf", "path.csv", "--obstacles", "cell.json", "--certificate", "c.json", *options],
                             cwd=self.folder, capture_output=True, text=True, check=False)
        if "tinyxml2" in run.stderr:
            self.skipTest("built without tinyxml2")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return json.loads((self.folder / "c.json").read_text())

    def test_free_paths_are_proved(self):
        for shape in SHAPES:
            for options in ((), ("--interpolation", "cubic"), ("--clearance", "0.01")):
                certificate = self.certificate(shape, *options)
                claims, faults = judge_path(json.dumps(certificate))
                self.assertGreater(claims, 10)
                self.assertEqual(faults, [], (shape, options))

    def test_certificates_are_compared_with_robot_and_rows(self):
        rng = random.Random(7)
        for shape in SHAPES:
            certificate = self.certificate(shape)
            robot, rows = str(self.folder / "arm.urdf"), str(self.folder / "path.csv")
            self.assertEqual(compare_robot(certificate, robot, None), ([], []), shape)
            self.assertEqual(compare_rows(certificate, rows, None), ([], []), shape)
            moved = [i for i, f in enumerate(certificate["frames"]) if f["motion"] != "none"]
            own = [i for i, b in enumerate(certificate["bodies"]) if b["name"] not in ("pole", "floor")]
            for kind in range(9):
                forged = copy.deepcopy(certificate)
                frame, body = forged["frames"][rng.choice(moved)], forged["bodies"][rng.choice(own)]
                segment = rng.choice(forged["segments"])
                if kind == 0:
                    frame["position"][rng.randrange(3)] += 1e-6
                elif kind == 1:
                    frame["axis"] = [-x for x in frame["axis"]]
                elif kind == 2:
                    frame["multiplier"] *= 1.5
                elif kind == 3:
                    body["position"][2] -= 1e-3
                elif kind == 4:
                    name = rng.choice([key for key in ("size", "radius", "length", "vertices") if key in body["shape"]])
                    old = body["shape"][name]
                    body["shape"][name] = [old[0], *old[2:], old[2]] if name == "vertices" else [old[0] / 2, *old[1:]] if name == "size" else old / 2
                elif kind == 5:
                    forged["bodies"].remove(body)
                elif kind == 6:
                    names = {"upper", "hand"}
                    forged["pairs"] = [p for p in forged["pairs"] if {forged["bodies"][i]["name"] for i in p} != names]
                elif kind == 7:
                    segment["coordinates"][rng.randrange(2)][0] += 1e-3
                else:
                    forged["segments"].remove(segment)
                try:
                    faults = compare_robot(forged, robot, None)[0] + compare_rows(forged, rows, None)[0]
                except IndexError:  # pairs of a body that is gone
                    faults = ["no certificate"]
                self.assertNotEqual(faults, [], (shape, kind))

    def test_moving_bodies_and_another_robot(self):
        """A ball comes by its velocity, a bar as the rows say, and a second arm moves beside."""
        (self.folder / "path.csv").write_text("time,shoulder,bar/x,bar/yaw,left/elbow\n0,0,0,0,0.5\n2,0.9,0.6,0.3,1\n3,0.9,0.6,2,1\n")
        (self.folder / "arm.urdf").write_text(ARM.replace("{shape}", SHAPES[0]))
        moving = [{"name": "ball", "type": "kinematic", "shape": {"type": "sphere", "radius": 0.1}, "pose": {"position": [-2, 0.9, 0]},
                   "linear_velocity": [0.5, 0, 0], "angular_velocity": [0, 0, 3]},
                  {"name": "bar", "type": "kinematic", "shape": {"type": "box", "size": [0.8, 0.02, 0.02]}, "pose": {"position": [0, -1, 0]}}]
        (self.folder / "cell.json").write_text(json.dumps({"bodies": [*CELL["bodies"][1:], *moving]}))
        command = [PROGRAM, "robot", "path", "arm.urdf", "path.csv", "--obstacles", "cell.json", "--certificate", "c.json",
                   "--base", "planar", "--beside", "left=arm.urdf", "--place", "left=0.5,-3,0,0,0,1.5"]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if "tinyxml2" in run.stderr:
            self.skipTest("built without tinyxml2")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        certificate = json.loads((self.folder / "c.json").read_text())
        self.assertEqual(judge_path(json.dumps(certificate))[1], [])
        robot, rows = str(self.folder / "arm.urdf"), str(self.folder / "path.csv")
        faults, notes = compare_robot(certificate, robot, None)
        self.assertEqual(faults, [])
        self.assertTrue(any("left/upper" in note and "ball" in note for note in notes), notes)
        self.assertEqual(compare_rows(certificate, rows, None), ([], []))
        names = certificate["coordinates"]
        bodies = [b["name"] for b in certificate["bodies"]]
        rng = random.Random(8)
        for kind in range(6):
            forged = copy.deepcopy(certificate)
            segment = rng.choice(forged["segments"])
            if kind == 0:  # the ball is late
                segment["coordinates"][names.index("time")][1] *= 0.5
            elif kind == 1:
                segment["coordinates"][names.index("bar/yaw")][1] += 0.1
            elif kind == 2:  # the base is not named by the rows
                segment["coordinates"][names.index("base/y")][1] = -0.1
            elif kind == 3:
                forged["times"][1] -= 0.5
            else:  # nothing is said of the arm and what moves
                gone = {"upper", ("ball", "left/hand")[kind - 4]}
                forged["pairs"] = [p for p in forged["pairs"] if {bodies[i] for i in p} != gone]
            self.assertNotEqual(compare_robot(forged, robot, None)[0] + compare_rows(forged, rows, None)[0], [], kind)
        # A ball that comes sooner meets the arm.
        late = copy.deepcopy(certificate)
        for frame in late["frames"]:
            if names[frame.get("coordinate", 0)] == "time" and frame["multiplier"] == 0.5:
                frame["multiplier"] = 1.5
        self.assertNotEqual(judge_path(json.dumps(late))[1], [])

    def test_a_mesh_around_a_corner(self):
        """The ball lies in the corner of the L: no plane parts the two."""
        (self.folder / "arm.urdf").write_text("""<robot name="slide"><link name="base"/>
<link name="l"><collision><geometry><mesh filename="l.obj"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="base"/><child link="l"/><axis xyz="1 1 0"/><limit lower="-1" upper="1"/></joint></robot>""")
        (self.folder / "path.csv").write_text("x\n0\n0.05\n")
        (self.folder / "cell.json").write_text(json.dumps({"bodies": [
            {"name": "ball", "type": "fixed", "shape": {"type": "sphere", "radius": 0.1}, "pose": {"position": [0.3, 0.3, 0.15]}}]}))
        run = subprocess.run([PROGRAM, "robot", "path", "arm.urdf", "path.csv", "--obstacles", "cell.json", "--certificate", "c.json"],
                             cwd=self.folder, capture_output=True, text=True, check=False)
        if "tinyxml2" in run.stderr:
            self.skipTest("built without tinyxml2")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        certificate = json.loads((self.folder / "c.json").read_text())
        self.assertEqual(judge_path(json.dumps(certificate))[1], [])
        for claim in certificate["segments"][0]["claims"]:
            claim[3] += 0.01
        self.assertNotEqual(judge_path(json.dumps(certificate))[1], [])

    def test_nothing_forged_is_proved(self):
        rng = random.Random(5)
        certificate = self.certificate(SHAPES[0], "--clearance", "0.01")

        def change(c) -> int:
            segment = rng.choice(c["segments"])
            claims = [claim for claim in segment["claims"] if claim[2] > claim[1] and claim[4] > 1e-6]
            claim = rng.choice(claims)
            kind = rng.randrange(9)
            if kind == 0:
                claim[3] += 10.0 ** rng.uniform(-3, 2) + claim[3]
            elif kind == 1:
                claim[4] *= rng.uniform(0, 0.3)
            elif kind == 2:
                claim[2] = claim[1] + rng.uniform(0.1, 0.9) * (claim[2] - claim[1])
            elif kind == 3:
                segment["claims"] = [other for other in segment["claims"] if other[0] != claim[0]]
            elif kind == 4:
                # The floor's own normal counts, whatever the claim says.
                claim = rng.choice([other for other in claims if c["bodies"][c["pairs"][other[0]][1]]["name"] != "floor"])
                claim[5:8] = [-x for x in claim[5:8]]
            elif kind == 5:
                c["clearance"] += rng.uniform(1, 3)
            elif kind == 6:  # straight through the pole
                for s in c["segments"]:
                    s["coordinates"] = [[0, 1.2, 0, 0], [0, 0, 0, 0]]
            elif kind == 7:
                claim[rng.choice((1, 2, 3, 4))] = rng.choice((float("inf"), None, "1", True, [0]))
            else:
                c["bodies"][rng.choice((-1, -2))]["position"] = [0.5, 0, 0.7]  # the floor rises, the pole stands in the arm
            return kind

        for _ in range(round(120 * EFFORT)):
            forged = copy.deepcopy(certificate)
            kind = change(forged)
            try:
                self.assertNotEqual(judge_path(json.dumps(forged))[1], [], kind)
            except Unusable:
                pass

    def test_sines_are_those_of_exact_series(self):
        rng = random.Random(6)
        self.assertAlmostEqual(HALF_PI / 2**GUARD, 1.5707963267948966, 15)
        for _ in range(200):
            angle = Fraction(rng.uniform(-40, 40))
            sine, cosine = sine_cosine(angle)
            # One turn of the sum of squares, and the sine of the sum, are what they must be to many digits.
            self.assertLess(abs(sine * sine + cosine * cosine - (ONE << BITS)), ONE << 10)
            twice = sine_cosine(2 * angle)
            self.assertLess(abs((2 * sine * cosine >> BITS) - twice[0]), 1 << 12)
        self.assertLess(abs(sine_cosine(Fraction(1))[0] - fixed(0.8414709848078965, -BITS)), ONE >> 50)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
