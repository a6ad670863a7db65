#!/usr/bin/env python3
"""verify_path_test.py PROGRAM   the exact second opinion on paths of robots: what the program proves free is proved again, and
nothing that was forged is."""

import copy
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "verify"))

from tactus_verify.bodies import BITS, ONE, fixed  # noqa: E402
from tactus_verify.forge_path import FORGERIES, KINDS, PathForgery, kind_of, places  # noqa: E402
from tactus_verify.path import HALF_PI, GUARD, PathQuestion, judge_about, judge_path, sine_cosine  # noqa: E402
from tactus_verify.path_form import read_certificate  # noqa: E402
from tactus_verify.reading import Unusable  # noqa: E402
from tactus_verify.robot_files import compare_robot  # noqa: E402
from tactus_verify.rows import compare_rows  # noqa: E402

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


def round_up(count: float) -> int:
    return max(1, round(count))


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
            self.assertEqual(compare_robot(certificate, robot).told(), ([], [], []), shape)
            self.assertEqual(compare_rows(certificate, rows, {}).told(), ([], [], []), shape)
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
                self.assertNotEqual(compare_robot(forged, robot).faults + compare_rows(forged, rows).faults, [], (shape, kind))

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
        compared = compare_robot(certificate, robot)
        self.assertEqual((compared.faults, compared.open), ([], []))
        self.assertTrue(any("left/upper" in note and "ball" in note for note in compared.notes), compared.notes)
        along = compare_rows(certificate, rows, compared.rest)
        self.assertEqual((along.faults, along.open), ([], []))
        self.assertIn("base/y, which no row names, rests at 0.0", along.notes)
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
            self.assertNotEqual(compare_robot(forged, robot).faults + compare_rows(forged, rows, compared.rest).faults, [], kind)
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

    def test_the_way_between_rows_is_asked_for(self):
        """Cubic ways are computed anew, and are taken only where the caller asks for them; nobody bends a straight one."""
        rows = str(self.folder / "path.csv")
        certificate = self.certificate(SHAPES[0], "--interpolation", "cubic")
        self.assertEqual(compare_rows(certificate, rows, {}, "cubic").told(), ([], [], []))
        self.assertIn("the way between two rows is cubic, not linear", compare_rows(certificate, rows, {}).faults)
        rng = random.Random(10)
        for _ in range(20):
            forged = copy.deepcopy(certificate)
            p, bend = rng.choice(rng.choice(forged["segments"])["coordinates"]), 10 ** rng.uniform(-6, 0)
            k = rng.choice((2, 3))
            p[1], p[k] = p[1] - bend, p[k] + bend
            self.assertNotEqual(compare_rows(forged, rows, {}, "cubic").faults, [])

    def test_visual_shapes_are_asked_for(self):
        robot = str(self.folder / "arm.urdf")
        certificate = self.certificate(SHAPES[0])
        self.assertNotEqual(compare_robot(certificate, robot, shapes="visual").faults, [])
        certificate["shapes"] = "visual"
        self.assertNotEqual(compare_robot(certificate, robot).faults, [])

    def test_forgeries_about_robot_and_rows(self):
        """Every kind, at random; the true certificates are proved."""
        forgery = PathForgery(round_up(4 * len(FORGERIES) * EFFORT), PROGRAM, random.Random(11))
        forgery.run()
        if "robots are not read" in forgery.found:
            self.skipTest("built without tinyxml2")
        self.assertEqual(forgery.complaints, [])

    def test_the_reports_name_the_field(self):
        certificate = self.certificate(SHAPES[2])
        for path, value, said in ((("bodies", 1, "frame"), None, "bodies[1].frame: None is no whole number from 0 to 3"),
                                  (("frames", 2, "link"), 7, "frames[2].link: 7 is no string"),
                                  (("frames", 1, "parent"), 1, "frames[1].parent: 1 is no whole number from -1 to 0"),
                                  (("pairs", 0, 0), -1, "pairs[0][0]: -1 is no whole number"),
                                  (("coordinates", 1), "shoulder", "coordinates: 'shoulder' is given twice"),
                                  (("segments", 0, "claims", 0, 0), True, "segments[0].claims[0][0]: True is no whole number"),
                                  (("shapes",), "nothing", "shapes: 'nothing' is none of collision, visual")):
            holder = forged = copy.deepcopy(certificate)
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = value
            with self.assertRaisesRegex(Unusable, "^no certificate: " + re.escape(said)):
                read_certificate(json.dumps(forged))

    def test_any_value_of_another_kind_is_refused(self):
        """Law: each place of a certificate, with each kind of JSON value that is not its own."""
        rng, certificate = random.Random(12), self.certificate(SHAPES[0])
        found = places(certificate)
        for path in rng.sample(found, min(len(found), round_up(400 * EFFORT))):
            for kind in KINDS:
                holder = forged = copy.deepcopy(certificate)
                for step in path[:-1]:
                    holder = holder[step]
                if kind_of(holder[path[-1]]) == kind:
                    continue
                holder[path[-1]] = rng.choice(KINDS[kind])
                with self.assertRaisesRegex(Unusable, "^no certificate: "):
                    read_certificate(json.dumps(forged))
        text = json.dumps(certificate)
        for broken in ("", "[]", "null", text[:-9], text.replace("[", "[" * 200, 1), text.replace('"robot":', '"robot": "x", "robot":')):
            with self.assertRaisesRegex(Unusable, "^no certificate: "):
                read_certificate(broken)

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


# The corners and triangles of the L, as other files hold them.
POINTS = [[float(w) for w in line.split()[1:]] for line in L.split("\n") if line.startswith("v")]
FACES = [[int(w) - 1 for w in line.split()[1:]] for line in L.split("\n") if line.startswith("f")]


def stl(points, faces, binary: bool) -> bytes:
    if binary:
        return b"binary".ljust(80, b"\0") + struct.pack("<I", len(faces)) + b"".join(
            struct.pack("<12fH", 0, 0, 1, *(x for i in face for x in points[i]), 0) for face in faces)
    lines = ["solid l"]
    for face in faces:
        lines += ["facet normal 0 0 1", "outer loop", *(f"vertex {' '.join(map(repr, points[i]))}" for i in face), "endloop", "endfacet"]
    return "\n".join([*lines, "endsolid"]).encode()


def collada(points, faces) -> bytes:
    """In inches, by a node in a node; the lower triangles of the L, and quads upright on its sides."""
    text = " ".join(repr(x / 0.0254 - (10 if k % 3 == 0 else 0)) for k, x in enumerate(x for p in points for x in p))
    quads = [[a, b, b + 6, a + 6] for a, b in zip(range(6), (1, 2, 3, 4, 5, 0))]
    faces = [face for face in faces if max(face) < 6 or min(face) > 5]
    ids = " ".join(f"{i} 0" for face in faces for i in face)
    corners = " ".join(f"{i}" for quad in quads for i in quad)
    return f"""<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit name="inch" meter="0.0254"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="{3 * len(points)}">{text}</float_array><technique_common>
<accessor source="#a" count="{len(points)}" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{len(faces)}"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#p" offset="1"/><p>{ids}</p></triangles>
<polylist count="6"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4 4 4 4 4 4</vcount><p>{corners}</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><translate>10 0 0</translate><rotate>0 0 1 90</rotate><node id="m"><rotate>0 0 1 -90</rotate>
<instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>""".encode()


# Frames, one in another; on every element of a body that a frame may hold.
FRAMED = """<mujoco model="framed"><default><default class="thick"><geom type="capsule" size="0.05 0.1"/></default></default>
<worldbody><frame pos="0 0 1" euler="10 20 30" childclass="thick"><geom pos="0 0 9"/><frame zaxis="1 1 -9">
<body name="arm" pos="0.1 0 0" quat="1 2 3 4"><frame pos="0 0.1 0.2" axisangle="1 2 3 40"><joint name="one" axis="0 1 1" pos="0.1 0 0" range="10 50"/><geom/></frame>
 <frame xyaxes="0 1 0 -1 0 1"><body name="hand" pos="0.7 0 0"><frame pos="0 0 0.3"><joint name="two" type="slide"/></frame><geom class="main" size="0.1"/></body></frame>
</body></frame></frame></worldbody></mujoco>"""
MJCF = """<mujoco model="cell"><compiler angle="degree" eulerseq="zyX" meshdir="meshes"/>
<default><geom type="capsule" size="0.03"/><default class="turned"><joint axis="0 2 0" pos="0 0 0.05"/><geom euler="10 20 30"/></default></default>
<asset><mesh name="l" file="l.stl" scale="0.3 0.3 -0.3"/></asset>
<worldbody><geom type="plane" size="1 1 1" pos="0 0 -9"/>
<body name="arm" pos="0 0 1" euler="30 0 10"><joint name="one" ref="20" axis="1 1 0"/><geom fromto="0 0 0 0.3 0.1 0"/>
 <body pos="0.5 0 0" zaxis="0 1 1" childclass="turned"><joint name="two"/><joint name="three" type="slide" class="main" axis="0 0 3" ref="0.1"/>
  <geom type="box" size="0.03" fromto="0 0 0 0.2 0.2 0.1"/><geom type="mesh" mesh="l" pos="0 0 0.2"/>
  <include file="hand.xml"/></body></body>
<body name="block" pos="5 0 0" axisangle="0 1 1 40"><freejoint name="free"/><geom type="cylinder" size="0.1 0.2" quat="1 2 3 4"/><geom type="sphere" size="0.3"/>
 <body name="lid" pos="0 0 1" xyaxes="0 1 0 -1 0 1"><joint type="ball" name="ball"/><geom type="box" size="0.1 0.2 0.3"/></body></body>
</worldbody><contact><exclude body1="arm" body2="lid"/></contact></mujoco>"""
HAND = """<x><body name="hand" pos="0.6 0 0"><geom fromto="0 0 0 0.1 0 0" class="main"/></body></x>"""


class RobotFiles(unittest.TestCase):
    """Meshes of other formats, and MJCF: what the program has read of them, another reader finds again; nothing forged passes."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def certificate(self, robot: str, text: str, rows: str, *options) -> dict:
        (self.folder / robot).write_text(text)
        (self.folder / "path.csv").write_text(rows)
        run = subprocess.run([PROGRAM, "robot", "path", robot, "path.csv", "--certificate", "c.json", *options], cwd=self.folder,
                             capture_output=True, text=True, check=False)
        if "tinyxml2" in run.stderr or "known formats" in run.stderr:
            self.skipTest("built without tinyxml2 or assimp")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        certificate = json.loads((self.folder / "c.json").read_text())
        self.assertEqual(judge_path(json.dumps(certificate))[1], [])
        return certificate

    def compare(self, certificate, robot: str, srdf: str | None = None) -> tuple:
        return compare_robot(certificate, str(self.folder / robot), srdf and str(self.folder / srdf)).told()

    def slide(self, mesh: str) -> tuple:
        text = f"""<robot name="slide"><link name="base"><collision><geometry><sphere radius="0.1"/></geometry></collision></link><link name="m"/>
<link name="l"><collision><origin xyz="3 0 0" rpy="0.1 0.2 0.3"/><geometry><mesh filename="{mesh}" scale="0.5 -0.25 2"/></geometry></collision></link>
<joint name="x" type="planar"><parent link="base"/><child link="m"/><axis xyz="0 0.6 0.8"/></joint>
<joint name="f" type="floating"><parent link="m"/><child link="l"/></joint></robot>"""
        return "r.urdf", text, "x/x,x/angle,f/z,f/pitch\n0,0,0,0\n0.1,0.2,0.1,0.3\n"

    def test_meshes_of_other_formats(self):
        (self.folder / "stuff").mkdir()
        others = [[*POINTS[0][:2], 0.001], *POINTS[1:]]
        for name, write in (("l.stl", lambda p: stl(p, FACES, True)), ("text.STL", lambda p: stl(p, FACES, False)),
                            ("l.dae", lambda p: collada(p, FACES)), ("stuff/l.stl", lambda p: stl(p, FACES, True))):
            (self.folder / name).write_bytes(write(POINTS))
            for mesh in (name,) if "/" not in name else (name, "package://stuff/l.stl"):
                certificate = self.certificate(*self.slide(mesh))
                self.assertEqual(self.compare(certificate, "r.urdf"), ([], [], []), mesh)
                shape = next(b["shape"] for b in certificate["bodies"] if b["name"] == "l")
                for kind in range(4):
                    forged = copy.deepcopy(certificate)
                    other = next(b["shape"] for b in forged["bodies"] if b["name"] == "l")
                    if kind == 0:
                        other["vertices"][5][1] += 1e-4
                    elif kind == 1:
                        del other["triangles"][3]
                    elif kind == 2:
                        other["triangles"].append([0, 2, 9])
                    else:
                        other["vertices"] = [[x * (1 + 1e-5) for x in v] for v in shape["vertices"]]
                    self.assertEqual(self.compare(forged, "r.urdf")[0], ["link l, body 0: has other triangles"], (mesh, kind))
                # Another surface under the same name.
                (self.folder / name).write_bytes(write(others))
                self.assertEqual(self.compare(certificate, "r.urdf")[0], ["link l, body 0: has other triangles"], mesh)
                (self.folder / name).write_bytes(write(POINTS))
        # To the bit where the file holds the bits.
        certificate = self.certificate(*self.slide("text.STL"))
        next(b["shape"] for b in certificate["bodies"] if b["name"] == "l")["vertices"][1][0] *= 1 + 2.0**-52
        self.assertNotEqual(self.compare(certificate, "r.urdf")[0], [])

    def test_what_is_not_read_is_told(self):
        (self.folder / "l.off").write_text("OFF 12 20 0\n" + "\n".join(" ".join(map(repr, p)) for p in POINTS) + "\n"
                                           + "\n".join(f"3 {a} {b} {c}" for a, b, c in FACES))
        certificate = self.certificate(*self.slide("l.off"))
        self.assertEqual(self.compare(certificate, "r.urdf"), ([], ["link l: the mesh l.off is not compared: a format that is not read"], []))
        opinion = judge_about(certificate, str(self.folder / "r.urdf"), str(self.folder / "path.csv"), PathQuestion())
        self.assertFalse(opinion.proved())
        self.assertEqual(opinion.verdict(0), "the certificate's path is proved free; not proved for this robot")
        certificate = self.certificate(*self.slide("l.off"), "--hulls")
        self.assertIn("it was taken as its hull", self.compare(certificate, "r.urdf")[1][0])

    def test_planar_joints_of_any_axis(self):
        """Also next to -z, where the turn hangs on the small components alone."""
        rng = random.Random(9)
        for round in range(round_up(24 * EFFORT)):
            near = 1.0 if round % 3 == 0 else 10 ** rng.uniform(-18, -1)
            axis = f"{rng.uniform(-near, near)!r} {rng.uniform(-near, near)!r} {rng.uniform(-1, 1) if near == 1 else -1!r}"
            text = ARM.replace("{shape}", SHAPES[0]).replace('type="revolute"', 'type="planar"').replace('"0 0.03 1"', f'"{axis}"')
            certificate = self.certificate("arm.urdf", text, "shoulder/x,shoulder/angle,elbow\n0,0,0\n0.1,0.2,-0.3\n")
            compared = compare_robot(certificate, str(self.folder / "arm.urdf"))
            self.assertEqual(compared.told(), ([], [], []), axis)
            self.assertEqual(compare_rows(certificate, str(self.folder / "path.csv"), compared.rest).told(), ([], [], []), axis)

    def test_planar_and_floating_joints(self):
        (self.folder / "l.stl").write_bytes(stl(POINTS, FACES, True))
        certificate = self.certificate(*self.slide("l.stl"))
        self.refuses(certificate, "r.urdf", ["x/y", "f/yaw", "f/roll"])

    def refuses(self, certificate, robot: str, coordinates: list, srdf: str | None = None) -> None:
        """Frames that move otherwise, in number and way."""
        moving = [i for i, f in enumerate(certificate["frames"]) if f["motion"] != "none"]
        self.assertTrue(set(coordinates) <= set(certificate["coordinates"]))
        for i in moving:
            for kind in range(6):
                forged = copy.deepcopy(certificate)
                frame = forged["frames"][i]
                if kind == 0:
                    frame["position"][i % 3] += 1e-6
                elif kind == 1:
                    frame["axis"] = [-x for x in frame["axis"]]
                elif kind == 2:
                    frame["multiplier"] *= -1
                elif kind == 3:
                    frame["offset"] += 1e-9
                elif kind == 4:
                    frame["motion"] = "turn" if frame["motion"] == "shift" else "shift"
                else:
                    frame["coordinate"] = (frame["coordinate"] + 1) % len(forged["coordinates"])
                self.assertNotEqual(self.compare(forged, robot, srdf)[0], [], (i, kind))

    def test_mjcf_frames(self):
        certificate = self.certificate("cell.xml", FRAMED, "two\n0\n0.1\n")
        compared = compare_robot(certificate, str(self.folder / "cell.xml"))
        self.assertEqual(compared.told(), ([], [], []))
        self.assertEqual(len(certificate["bodies"]), 3)
        self.assertEqual(compare_rows(certificate, str(self.folder / "path.csv"), compared.rest).told(), ([], [], []))
        self.refuses(certificate, "cell.xml", ["one", "two"])
        for old, new in (("10 20 30", "10 20 31"), ('zaxis="1 1', 'zaxis="1 2'), ('class="thick">', 'class="thick"><frame/>'), (' childclass="thick"', ""),
                         ("1 2 3 40", "1 2 3 41"), ('pos="0 0 0.3"', ""), ("<geom pos", "<replicate/><geom pos")):
            (self.folder / "cell.xml").write_text(FRAMED.replace(old, new))
            self.assertEqual(self.compare(certificate, "cell.xml")[0] == [], new.endswith("<frame/>"), new)

    def test_mjcf(self):
        (self.folder / "meshes").mkdir()
        (self.folder / "meshes/l.stl").write_bytes(stl(POINTS, FACES, True))
        (self.folder / "hand.xml").write_text(HAND)
        rows = "one,two,three,free/x,free/yaw,ball/roll\n0,0,0,0,0,0\n0.3,0.2,0.1,0.4,-0.3,0.5\n"
        certificate = self.certificate("cell.xml", MJCF, rows)
        self.assertEqual(self.compare(certificate, "cell.xml"), ([], [], []))
        self.refuses(certificate, "cell.xml", ["one", "two", "three", "free/z", "ball/pitch"])
        names = [b["name"] for b in certificate["bodies"]]
        for i, body in enumerate(certificate["bodies"]):
            for kind in range(4):
                forged = copy.deepcopy(certificate)
                own = forged["bodies"][i]
                if kind == 0:
                    own["position"][1] += 1e-6
                elif kind == 1:
                    if body["shape"]["type"] == "sphere":  # however it is turned
                        continue
                    own["rotation"] = [*own["rotation"][3:], *own["rotation"][:3]]
                elif kind == 2:
                    number = next(key for key in ("size", "radius", "offset", "vertices") if key in body["shape"])
                    value = own["shape"][number]
                    own["shape"][number] = value - 0.01 if isinstance(value, float | int) else [*value[:-1], value[0]]
                    if own["shape"] == body["shape"]:
                        own["shape"][number] = [x / 2 for x in value]
                else:
                    own["shape"] = {"type": "sphere", "radius": 0.01}
                self.assertNotEqual(self.compare(forged, "cell.xml")[0], [], (names[i], kind))
        # Pairs that are not asked, unless they are excluded.
        forged = copy.deepcopy(certificate)
        forged["pairs"] = [p for p in forged["pairs"] if {names[k] for k in p} != {"arm", "lid"}]
        self.assertEqual(self.compare(forged, "cell.xml")[0], ["links arm and lid are not asked"])
        self.assertEqual(self.compare(forged, "cell.xml", "cell.xml")[0], [])
        # The file says something else: in a class of defaults, an included file, an element that holds more bodies.
        for name, text in (("cell.xml", MJCF.replace('axis="0 2 0"', 'axis="0 2 1"')), ("cell.xml", MJCF.replace('size="0.03"/><def', 'size="0.04"/><def')),
                           ("cell.xml", MJCF.replace("zyX", "zyx")), ("cell.xml", MJCF.replace("degree", "radian")),
                           ("cell.xml", MJCF.replace("0.3 0.3 -0.3", "0.3 0.3 0.3")), ("hand.xml", HAND.replace("0.6", "0.7")),
                           ("cell.xml", MJCF.replace("</worldbody>", '<frame><geom size="1"/></frame></worldbody>')),
                           ("cell.xml", MJCF.replace('ref="20"', "")), ("cell.xml", MJCF.replace('type="ball"', 'type="hinge"'))):
            kept = (self.folder / name).read_text()
            self.assertNotEqual(text, kept)
            (self.folder / name).write_text(text)
            self.assertNotEqual(self.compare(certificate, "cell.xml")[0], [], text)
            (self.folder / name).write_text(kept)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
