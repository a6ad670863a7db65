#!/usr/bin/env python3
"""Known answers of tactus-verify: certificates written by hand, true ones and forged ones, and closed forms."""

import copy
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "tools/verify.py"
sys.path.insert(0, str(PROGRAM.parent.parent / "verify"))

from tactus_verify.bodies import BITS, Curved, Mesh, Polytope, nearest, outside, pure, winding
from tactus_verify.claims import PROVED, REFUTED, UNPROVED, judge_line, verdict_of
from tactus_verify.forge import FORMS, RIGHT, Forger
from tactus_verify.motion import MovingOpinion, rotation_by
from tactus_verify.proofs import is_deep
from tactus_verify.reading import Pair, Reader, Unusable, parse_line, read_points_file, rotation_of

ONE = 1 << BITS
EFFORT = float(os.environ.get("TACTUS_TEST_EFFORT", "1"))
CORNERS = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
# The surface of the cube [-1, 1]^3, corners seen counter-clockwise from outside.
CUBE = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
        [1, 5, 7], [1, 7, 3]]


def mesh(scale=1.0, open_at=None) -> dict:
    triangles = [t for i, t in enumerate(CUBE) if i != open_at]
    return {"type": "mesh", "vertices": [[scale * x for x in v] for v in CORNERS], "triangles": triangles}


def query(a, b, at, ask="distance") -> dict:
    return {"ask": ask, "a": a, "b": b, "pose_b": {"position": at}}


def answer(distance, normal, point_a, point_b, **more) -> dict:
    certificate = more.pop("certificate", {})
    return {"status": "converged", "distance": distance, "lower": distance, "upper": distance, "normal": normal,
            "point_a": point_a, "point_b": point_b, "certificate": {"kind": "none", "direction": normal, **certificate}, **more}


def verdict(q, a) -> str:
    return verdict_of(judge_line(q, a, Reader()))


class Arithmetic(unittest.TestCase):
    def test_quaternions_become_rotations_to_the_last_unit(self):
        rows = rotation_of({"quaternion": [2.0, 0.0, 0.0, 2.0]})
        self.assertEqual(rows, ((0, -ONE, 0), (ONE, 0, 0), (0, 0, ONE)))

    def test_a_matrix_far_from_a_rotation_gives_way_to_its_polar_factor(self):
        rows = rotation_of([1 + 1e-7, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7])
        self.assertLess(abs(rows[0][0] - ONE), 100)

    def test_nearest_point_of_a_hull(self):
        self.assertEqual(nearest([(2 * ONE, y * ONE, z * ONE) for y in (-1, 1) for z in (-1, 1)]), (2 * ONE, 0, 0))
        self.assertEqual(nearest([tuple(ONE * c for c in v) for v in CORNERS]), (0, 0, 0))

    def test_a_surface_winds_around_what_it_holds(self):
        cube = [[tuple(c * ONE for c in CORNERS[i]) for i in t] for t in CUBE]
        self.assertEqual(winding(cube), 1)
        self.assertEqual(winding([[(p[0] + 3 * ONE, p[1], p[2]) for p in t] for t in cube]), 0)
        self.assertEqual(winding([t[::-1] for t in cube]), -1)

    def test_distances_from_curved_bodies(self):
        rows = rotation_of({})
        ellipsoid = Curved("ellipsoid", (3 * ONE, 2 * ONE, ONE), rows, (0, 0, 0), 0)
        # Along the axes both are known.
        self.assertLess(abs(ellipsoid.beyond((0, 0, 5 * ONE)) - 4 * ONE), 1 << 70)
        self.assertLess(abs(ellipsoid.depth((0, 0, ONE // 2)) - ONE // 2), 1 << 70)
        self.assertLess(abs(ellipsoid.depth((0, 0, 0)) - ONE), 1 << 70)
        cone = Curved("cone", (3 * ONE, 2 * ONE), rows, (0, 0, 0), 0)
        # The apex angle's legs are 3 and 4: the base's centre is 4 * 3 / 5 from the slanted line, the axis' middle half of that.
        self.assertLess(abs(cone.depth((0, 0, 0)) * 10 - 12 * ONE), 1 << 70)
        self.assertLess(abs(cone.beyond((0, 0, 4 * ONE)) - 2 * ONE), 1 << 70)

    def test_support_points_belong_to_their_bodies(self):
        rows = rotation_of({"quaternion": [0.9, 0.1, -0.3, 0.3]})
        for kind, sizes in (("cylinder", (3 * ONE, ONE)), ("cone", (3 * ONE, ONE)), ("ellipsoid", (3 * ONE, ONE, ONE >> 12))):
            body = Curved(kind, sizes, rows, (ONE, 0, ONE), 0)
            for m in ((1, 1, 1 << 100), (3, -2, -(1 << 100)), (0, 0, 1), (5, 7, -11), (0, 0, -(1 << 160)), (1 << 160, 1, 0)):
                world = tuple(sum(row[i] * m[i] for i in range(3)) >> BITS for row in rows)
                self.assertLess(body.beyond(body.support(world)), 1 << 70, (kind, m))

    def test_depth_in_every_direction(self):
        box = Polytope([tuple(c * ONE for c in v) for v in CORNERS], 0)
        point = Polytope([(ONE // 2, 0, 0)], 0)
        self.assertTrue(is_deep(box, point, (ONE, 0, 0), ONE // 2 - (1 << 70)))
        self.assertFalse(is_deep(box, point, (ONE, 0, 0), ONE // 2 + (1 << 70)))
        # The direction given is only where to begin.
        self.assertFalse(is_deep(box, point, pure((0.0, 0.6, 0.8)), ONE // 2 + (1 << 70)))
        self.assertTrue(is_deep(box, point, pure((0.0, 0.6, 0.8)), ONE // 2 - (1 << 70)))
        # None of the first directions is the least deep one.
        self.assertFalse(is_deep(box, point, pure((0.48, 0.6, 0.64)), ONE // 2 + ONE // 1000))
        self.assertTrue(is_deep(box, point, pure((0.48, 0.6, 0.64)), ONE // 2 - (1 << 70)))

    def test_a_body_without_extent_is_no_error(self):
        pair = Pair(query({"type": "sphere", "radius": 0}, {"type": "sphere", "radius": 0}, [0, 0, 0]), Reader())
        self.assertEqual(pair.slack, 0)


class Files(unittest.TestCase):
    def read(self, name: str, text: str):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            return read_points_file(path)

    def test_points_and_triangles(self):
        square = ([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2], [0, 2, 3]])
        # A byte-order mark, a comment that ends in a backslash, a line in two parts, normals, indices from the end.
        self.assertEqual(self.read("a.obj", "\ufeffv 0 0 0 # \\\nv 1 0 \\\n0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 -2 \\\n-1\n"), square)
        self.assertEqual(self.read("a.off", "OFF\n# a square\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"), square)
        self.assertEqual(self.read("b.off", "OFF 4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"), square)

    def test_what_is_not_read(self):
        with self.assertRaises(Unusable):
            self.read("a.stl", "solid")
        with self.assertRaises(Unusable):
            read_points_file("/no/such/file.obj")


class ConvexPairs(unittest.TestCase):
    def setUp(self):
        sphere = {"type": "sphere", "radius": 1.0}
        self.spheres = query(sphere, sphere, [5, 0, 0])
        self.true = answer(3.0, [1, 0, 0], [1, 0, 0], [4, 0, 0])

    def lie(self, **changed):
        return verdict(self.spheres, {**self.true, **changed})

    def test_distance_of_spheres(self):
        self.assertEqual(verdict(self.spheres, self.true), PROVED)
        self.assertEqual(self.lie(lower=-10, upper=0, distance=0), REFUTED)
        self.assertNotEqual(self.lie(distance=0.001, lower=0.001, upper=0.001), PROVED)
        self.assertNotEqual(self.lie(distance=3 - 1.5e-7, lower=3 - 1.5e-7, upper=3 - 1.5e-7), PROVED)
        self.assertNotEqual(self.lie(distance=3 + 1e-13, lower=3 + 1e-13, upper=3 + 1e-13), PROVED)
        self.assertEqual(self.lie(point_a=[1.1, 0, 0]), REFUTED)
        self.assertEqual(self.lie(normal=[1 + 1e-13, 0, 0]), REFUTED)
        self.assertNotEqual(self.lie(normal=[0.8, 0.6, 0]), PROVED)
        self.assertEqual(self.lie(status="iteration_limit"), PROVED)

    def test_unbounded_ends_claim_nothing(self):
        self.assertEqual(self.lie(lower=None, status="iteration_limit"), PROVED)
        # That the bracket is as narrow as asked is a claim.
        self.assertEqual(self.lie(lower=None), REFUTED)
        self.assertEqual(self.lie(lower=2.9), REFUTED)
        self.assertEqual(self.lie(lower=2.9, status="precision_limit"), PROVED)
        self.assertEqual(verdict({**self.spheres, "tolerance": 0.1}, {**self.true, "lower": 2.9}), PROVED)
        self.assertEqual(verdict({**self.spheres, "max_distance": 1}, {**self.true, "lower": 2}), PROVED)
        self.assertEqual(verdict(self.spheres, {"status": "unsupported", "lower": None, "upper": None}), PROVED)
        self.assertEqual(verdict(self.spheres, {"status": "unsupported", "lower": 1.0, "upper": None}), REFUTED)

    def test_another_type_than_stated_is_refuted(self):
        for broken in ({"point_a": None}, {"normal": [1, 0]}, {"normal": [math.inf, 0, 0]}, {"distance": []}, {"distance": None},
                       {"iterations": True}, {"method": "guess"}, {"certificate": []}):
            self.assertEqual(self.lie(**broken), REFUTED, broken)

    def test_what_is_missing_or_not_known_is_unproved(self):
        for name in ("distance", "lower", "upper", "normal", "point_a", "point_b"):
            self.assertEqual(verdict(self.spheres, {k: v for k, v in self.true.items() if k != name}), UNPROVED, name)
        self.assertEqual(self.lie(proof="by hand"), UNPROVED)
        self.assertEqual(self.lie(certificate={**self.true["certificate"], "oath": True}), UNPROVED)
        self.assertEqual(verdict({**self.spheres, "ask": "touches"}, self.true), UNPROVED)
        self.assertEqual(verdict({**self.spheres, "a": {"type": "torus"}}, self.true), UNPROVED)

    def test_what_makes_a_shape_another_one_is_not_passed_over(self):
        parts = {"type": "compound", "parts": [{"shape": self.spheres["a"]}]}
        for a in ({"type": "sphere", "radius": True}, {"type": "sphere", "radius": "1"}, {**parts, "scale": 2}, {**parts, "rounding": 1},
                  {"type": "sphere", "radius": 1, "scale": 2}, {**mesh(), "decompose": 0.1}, {**mesh(), "rounding": 1}, "sphere", None):
            self.assertEqual(verdict({**self.spheres, "a": a}, self.true), UNPROVED, a)
        for pose in ({"position": "500"}, {"position": [5, 0]}, {"position": [5, 0, 0, 0]}, {"place": [5, 0, 0]}, [1, 0, 0, 5], 5):
            self.assertEqual(verdict({**self.spheres, "pose_b": pose}, self.true), UNPROVED, pose)

    def test_nested_values_are_refused_or_compared(self):
        for depth in (90, 120, 5000):
            deep = "[" * depth + "]" * depth
            lines = [parse_line(f'{{"id":{deep},{json.dumps(value)[1:]}'.encode()) for value in (self.spheres, self.true)]
            self.assertEqual(verdict(*lines), PROVED if depth < 100 else REFUTED)

    def test_derivatives_are_those_of_the_gap_where_they_are_smooth(self):
        true = {"smooth": True, "unique": True, "linear_a": [-1, 0, 0], "angular_a": [0, 0, 0], "linear_b": [1, 0, 0],
                "angular_b": [0, 0, 0]}
        self.assertEqual(self.lie(derivatives=true), UNPROVED)
        self.assertEqual(self.lie(derivatives={**true, "angular_b": [0, 0, 1e-3]}), REFUTED)
        self.assertEqual(self.lie(derivatives={**true, "linear_a": [0, 0, 0]}), REFUTED)
        self.assertEqual(self.lie(derivatives={**true, "smooth": False, "linear_a": [0, 0, 0]}), UNPROVED)
        self.assertEqual(self.lie(derivatives={**true, "unique": 1}), REFUTED)
        self.assertEqual(self.lie(unique=True), UNPROVED)

    def test_a_verdict_needs_an_answer(self):
        q = dict(self.spheres, ask="overlap")
        for status in ("unsupported", "invalid_input", "nonsense", None, 1):
            for overlap in (True, False):
                self.assertEqual(verdict(q, {"status": status, "overlap": overlap}), REFUTED)
        self.assertEqual(verdict(q, {"status": "unsupported", "overlap": "undecided"}), PROVED)
        for overlap in (0, 1, "yes", "false", None, [False], {}):
            self.assertEqual(verdict(q, {**self.true, "overlap": overlap}), REFUTED)

    def test_the_points_of_an_overlap_belong_to_the_bodies(self):
        q = dict(self.spheres, ask="overlap")
        true = {**self.true, "overlap": False}
        self.assertEqual(verdict(q, true), PROVED)
        self.assertEqual(verdict(q, {**true, "point_a": [1.1, 0, 0]}), REFUTED)
        self.assertEqual(verdict(q, {**true, "normal": [2, 0, 0]}), REFUTED)
        self.assertEqual(verdict(q, {**true, "normal": [0, 1, 0]}), UNPROVED)
        self.assertEqual(verdict(q, {k: v for k, v in true.items() if k != "point_b"}), UNPROVED)

    def test_contacts(self):
        q = {**query(self.spheres["a"], self.spheres["b"], [2.5, 0, 0], "contacts"), "threshold": 1}
        point = {"point_a": [1, 0, 0], "point_b": [1.5, 0, 0], "depth": -0.5}
        true = answer(0.5, [1, 0, 0], [1, 0, 0], [1.5, 0, 0], contacts=[point])
        self.assertEqual(verdict(q, true), PROVED)
        for change, found in (({"depth": -0.4}, REFUTED), ({"depth": 0.5}, REFUTED), ({"point_a": [1.01, 0, 0]}, REFUTED),
                              ({"depth": None}, REFUTED), ({"depth": "-0.5"}, REFUTED), ({"point_b": [1.5, 0]}, REFUTED),
                              ({"normal": [1, 0, 0]}, REFUTED), ({"point_b": [2, 0, 0], "depth": -1}, UNPROVED)):
            self.assertEqual(verdict(q, {**true, "contacts": [{**point, **change}]}), found, change)
        # Nearer than the threshold there is some contact.
        self.assertEqual(verdict(q, {**true, "contacts": []}), UNPROVED)
        self.assertEqual(verdict({**q, "threshold": 0}, {**true, "contacts": []}), PROVED)
        self.assertEqual(verdict(q, {**true, "contacts": point}), REFUTED)

    def test_verdicts(self):
        for distance, overlap, found in ((3.0, False, PROVED), (3.0, True, REFUTED), (3.0, "undecided", PROVED)):
            q = dict(self.spheres, ask="overlap")
            self.assertEqual(verdict(q, {**self.true, "overlap": overlap}), found)

    def test_depth_of_spheres_by_core_points(self):
        q = query(self.spheres["a"], self.spheres["b"], [1.5, 0, 0])
        cores = {"kind": "separation", "shrink_a": 1, "shrink_b": 1, "core_point_a": [0, 0, 0], "core_point_b": [0, 0, 0]}
        true = answer(-0.5, [1, 0, 0], [1, 0, 0], [0.5, 0, 0], certificate=cores)
        self.assertEqual(verdict(q, true), PROVED)
        deeper = answer(-0.6, [1, 0, 0], [1, 0, 0], [0.4, 0, 0], certificate=dict(cores, core_point_b=[-0.1, 0, 0]))
        self.assertNotEqual(verdict(q, deeper), PROVED)
        self.assertNotEqual(verdict(q, {**true, "certificate": {}}), PROVED)

    def test_depth_by_faces(self):
        box = {"type": "box", "size": [2, 2, 2]}
        point = {"type": "sphere", "radius": 0}
        q = query(box, point, [0.5, 0, 0])
        supports = [{"point_a": v, "point_b": [0, 0, 0]} for v in CORNERS]
        true = answer(-0.5, [1, 0, 0], [1, 0, 0], [0.5, 0, 0], certificate={"kind": "faces", "supports": supports, "faces": CUBE})
        self.assertEqual(verdict(q, true), PROVED)
        # One point alone, an open surface, points outside of the box, a corner that does not exist: nothing of it helps a lie.
        lie = {**true, "distance": -0.6, "lower": -0.6, "upper": -0.6}
        forged = [dict(supports=supports[:1], faces=[[0, 0, 0]]), dict(faces=CUBE[:-1]), dict(faces=CUBE[:-1] + [[0, 1, 99]]),
                  dict(supports=[{"point_a": [1.2 * x for x in v], "point_b": [0, 0, 0]} for v in CORNERS])]
        for change in forged:
            self.assertNotEqual(self.upper(q, {**lie, "certificate": {**true["certificate"], **change}}), PROVED)
        # A surface that does not wind around the origin proves nothing, however far away it is.
        q["pose_b"]["position"] = [1.75, 0, 0]
        self.assertNotEqual(self.upper(q, true), PROVED)

    def upper(self, q, a) -> str:
        return judge_line(q, a, Reader())["upper"]

    def test_points_outside_of_the_bodies_bound_nothing(self):
        near = {**self.true, "distance": 0.001, "lower": 0.001, "upper": 0.001, "point_a": [2.5, 0, 0], "point_b": [2.501, 0, 0]}
        self.assertNotEqual(self.upper(self.spheres, near), PROVED)
        # What they lie outside is added.
        self.assertEqual(self.upper(self.spheres, {**near, "upper": 3.001}), PROVED)

    def test_a_half_space_is_looked_at_along_its_own_normal(self):
        q = query({"type": "halfspace", "normal": [0, 0, 2], "offset": 1}, {"type": "cone", "radius": 1, "length": 2}, [0, 0, 3])
        true = answer(1.5, [0, 0, 1], [0, 0, 0.5], [0, 0, 2])
        self.assertEqual(verdict(q, true), PROVED)
        self.assertNotEqual(verdict(q, {**true, "normal": [0.6, 0, 0.8]}), PROVED)


class Unions(unittest.TestCase):
    def setUp(self):
        sphere = {"type": "sphere", "radius": 1}
        parts = [{"shape": sphere}, {"shape": sphere, "pose": {"position": [0, 0, 6]}}]
        self.query = query({"type": "compound", "parts": parts}, sphere, [0, 0, 3])
        apart = [{"part_a": 1, "part_b": -1, "shift": [0, 0, 0], "steps": [["n", [0, 0, -1]]]}]
        self.true = answer(1.0, [0, 0, 1], [0, 0, 1], [0, 0, 2], part_a=0, certificate={"apart": apart})

    def test_all_pairs_of_parts_count(self):
        self.assertEqual(verdict(self.query, self.true), PROVED)
        self.assertNotEqual(verdict(self.query, {**self.true, "certificate": {}}), PROVED)
        self.assertEqual(verdict(self.query, {**self.true, "part_a": 1}), REFUTED)
        self.assertEqual(verdict(self.query, {**self.true, "part_a": 2}), REFUTED)
        # A body that is no union has no parts.
        self.assertEqual(verdict(self.query, {**self.true, "part_b": 0}), REFUTED)

    def test_bodies_apart_are_as_far_whichever_depth_is_asked(self):
        self.assertEqual(verdict({**self.query, "depth": "parts"}, self.true), PROVED)
        self.assertEqual(verdict({**self.query, "depth": "union"}, self.true), PROVED)
        self.assertEqual(verdict({**self.query, "depth": "other"}, self.true), UNPROVED)

    def test_contacts_of_a_part_are_as_deep_as_they_say(self):
        point = {"point_a": [0, 0, 1], "point_b": [0, 0, 2], "depth": -1}
        q = {**self.query, "ask": "contacts", "threshold": 2}
        self.assertEqual(verdict(q, {**self.true, "contacts": [point]}), PROVED)
        other = {"point_a": [0, 0, 5], "point_b": [0, 0, 4], "depth": -1}
        self.assertEqual(verdict(q, {**self.true, "contacts": [point, other]}), PROVED)
        self.assertEqual(verdict(q, {**self.true, "contacts": [point, {**other, "depth": -0.5}]}), UNPROVED)
        self.assertEqual(verdict(q, {**self.true, "contacts": [point, {**other, "point_b": [0, 0, 4.5]}]}), UNPROVED)

    def test_the_distance_of_a_farther_part_is_refuted(self):
        q = copy.deepcopy(self.query)
        q["pose_b"]["position"] = [0, 0, 2.5]
        farther = answer(1.5, [0, 0, -1], [0, 0, 5], [0, 0, 3.5], part_a=1)
        self.assertNotEqual(verdict(q, farther), PROVED)


class Meshes(unittest.TestCase):
    def apart(self, steps, shift=(0, 0, 0), **orders):
        return {"apart": [{"part_a": -1, "part_b": -1, "shift": list(shift), "steps": steps}], **orders}

    def test_meshes_apart_by_one_direction_or_piece_by_piece(self):
        q = query(mesh(), mesh(), [3, 0, 0])
        true = answer(1.0, [1, 0, 0], [1, 0, 0], [2, 0, 0])
        self.assertEqual(verdict(q, true), PROVED)
        n = ["n", [1, 0, 0]]
        steps = [["a", 5], n, ["b", 4], n, ["b", 1], n, n]
        self.assertEqual(verdict(q, {**true, "certificate": self.apart(steps)}), PROVED)
        none = {**true, "normal": [1, 0, 0], "certificate": self.apart(steps)}
        self.assertEqual(judge_line(q, none, Reader())["lower"], PROVED)

    def test_steps_must_cover_everything(self):
        a, b = mesh(), {"type": "sphere", "radius": 0.25}
        # In the notch of an angle of two triangles there is no single direction.
        a = {"type": "mesh", "vertices": [[0, 0, -1], [0, 0, 1], [4, 0, 0], [0, 4, 0]], "triangles": [[0, 1, 2], [0, 1, 3]]}
        q = query(a, b, [1, 1, 0])
        up, right = ["n", [0, 1, 0]], ["n", [1, 0, 0]]
        true = answer(0.75, [0, 1, 0], [1, 0, 0], [1, 0.75, 0], certificate=self.apart([["a", 1], up, right]))
        self.assertEqual(verdict(q, true), PROVED)
        for steps in ([["a", 1], up], [["a", 1], up, up], [["a", 2], up, right], [["a", 1], right, up], [up], [],
                      [["a", 1], up, right, up]):
            self.assertNotEqual(verdict(q, {**true, "certificate": self.apart(steps)}), PROVED, steps)
        turned = self.apart([["a", 1], right, up], order_a=[{"part": -1, "triangles": [1, 0]}])
        self.assertEqual(verdict(q, {**true, "certificate": turned}), PROVED)
        twice = self.apart([["a", 1], up, up], order_a=[{"part": -1, "triangles": [0, 0]}])
        self.assertNotEqual(verdict(q, {**true, "certificate": twice}), PROVED)

    def test_what_lies_inside_a_closed_mesh_is_not_apart(self):
        small = {"type": "sphere", "radius": 0.25}
        q = query(mesh(2.0), small, [1, 0, 0])
        directions = []
        for t in CUBE:
            corners = [CORNERS[i] for i in t]
            axis = next(k for k in range(3) if len({c[k] for c in corners}) == 1)
            directions.append(["n", [-corners[0][axis] * (k == axis) for k in range(3)]])
        steps = [s for d in directions[:-1] for s in (["a", 1], d)] + directions[-1:]
        false = answer(0.75, [-1, 0, 0], [2, 0, 0], [1.25, 0, 0], certificate=self.apart(steps))
        self.assertNotEqual(verdict(q, false), PROVED)
        # Through a hole in the surface there is no inside.
        q["a"] = mesh(2.0, open_at=11)
        # The triangle that is missing is the last one.
        steps = [s for d in directions[:-2] for s in (["a", 1], d)] + directions[-2:-1]
        self.assertEqual(verdict(q, {**false, "certificate": self.apart(steps)}), PROVED)

    def test_depth_inside_a_mesh_and_the_way_out(self):
        small = {"type": "sphere", "radius": 0.25}
        q = query(mesh(), small, [0.5, 0, 0])
        inside = {"kind": "inside", "inside_point": [0.5, 0, 0], "inside_radius": 0.25, "inside_of": "a"}
        out = self.apart([["n", [1, 0, 0]]], shift=[0.75, 0, 0])
        true = answer(-0.75, [1, 0, 0], [1, 0, 0], [0.25, 0, 0], certificate={**inside, **out})
        self.assertEqual(verdict(q, true), PROVED)
        deeper = {**true, "distance": -0.8, "lower": -0.8, "upper": -0.8, "point_b": [0.2, 0, 0]}
        self.assertNotEqual(verdict(q, deeper), PROVED)
        moved = {**deeper, "certificate": {**true["certificate"], "inside_point": [0.2, 0, 0]}}
        self.assertNotEqual(verdict(q, moved), PROVED)
        # The way out is no longer than the shift.
        self.assertNotEqual(judge_line(q, {**true, "lower": -0.5}, Reader())["lower"], PROVED)
        q["a"] = mesh(open_at=3)
        self.assertNotEqual(verdict(q, true), PROVED)

    def test_a_point_must_lie_on_the_triangle_that_is_named(self):
        q = query(mesh(), mesh(), [3, 0.25, 0.125])
        true = answer(1.0, [1, 0, 0], [1, 0.5, 0], [2, 0.5, 0])
        names = [t for t in range(12) if all(CORNERS[i][0] == 1 for i in CUBE[t])]
        found = [verdict(q, {**true, "triangle_a": t}) for t in range(12)]
        self.assertTrue(any(found[t] == PROVED for t in names))
        self.assertTrue(all(found[t] == REFUTED for t in range(12) if t not in names))
        self.assertEqual(verdict(q, {**true, "triangle_a": 12}), REFUTED)

    def test_each_triangle_is_a_claim_of_its_own(self):
        q = query(mesh(), mesh(), [3, 0.25, 0.125])
        true = answer(1.0, [1, 0, 0], [1, 0.5, 0], [2, 0.5, 0])
        right = [next(t for t in range(12) if verdict(q, {**true, name: t}) == PROVED) for name in ("triangle_a", "triangle_b")]
        both = dict(zip(("triangle_a", "triangle_b"), right))
        self.assertEqual(verdict(q, {**true, **both}), PROVED)
        for name in both:
            wrong = next(t for t in range(12) if verdict(q, {**true, name: t}) == REFUTED)
            found = judge_line(q, {**true, **both, name: wrong}, Reader())
            self.assertEqual([found[n] for n in both], [REFUTED if n == name else PROVED for n in both])
            for index in (-1, 12, True, 0.5, "0", None):
                self.assertEqual(verdict(q, {**true, **both, name: index}), REFUTED)

    def test_closed_is_said_of_all_meshes(self):
        for open_at in (None, 3):
            q = query(mesh(), mesh(open_at=open_at), [3, 0, 0])
            true = answer(1.0, [1, 0, 0], [1, 0, 0], [2, 0, 0], closed=open_at is None)
            self.assertEqual(verdict(q, true), PROVED)
            self.assertEqual(verdict(q, {**true, "closed": open_at is not None}), REFUTED)
        self.assertEqual(verdict(query(mesh(), {"type": "sphere", "radius": 1}, [3, 0, 0]),
                                 answer(1.0, [1, 0, 0], [1, 0, 0], [2, 0, 0], closed=True)), PROVED)

    def test_without_a_sign_a_closed_mesh_is_its_surface(self):
        q = query(mesh(), {"type": "sphere", "radius": 0.25}, [0.5, 0, 0])
        inside = {"kind": "inside", "inside_point": [0.5, 0, 0], "inside_radius": 0.25, "inside_of": "a"}
        depth = answer(-0.75, [1, 0, 0], [1, 0, 0], [0.25, 0, 0],
                       certificate={**inside, **self.apart([["n", [1, 0, 0]]], shift=[0.75, 0, 0])})
        self.assertEqual(verdict(q, depth), PROVED)
        self.assertNotEqual(verdict({**q, "signed": False}, depth), PROVED)
        touching = {"status": "converged", "distance": 0.25, "lower": 0.25, "upper": 0.25}
        surface = {**depth, **touching, "normal": [-1, 0, 0], "point_b": [0.75, 0, 0]}
        self.assertNotEqual(verdict(q, surface), PROVED)
        self.assertEqual(judge_line({**q, "signed": False}, surface, Reader())["upper"], PROVED)

    def test_convex_meshes_are_their_hulls(self):
        cube = Mesh([tuple(c * ONE for c in v) for v in CORNERS], CUBE)
        self.assertTrue(cube.is_convex)
        self.assertFalse(Mesh(cube.points, CUBE[1:]).is_convex)
        self.assertFalse(Mesh(cube.points, [t[::-1] for t in CUBE]).is_convex)
        self.assertEqual(outside(cube, (3 * ONE, 0, 0)) // ONE, 2)
        self.assertEqual(outside(cube, (0, 0, 0)), 0)


class Plane(unittest.TestCase):
    CIRCLE = {"type": "circle", "radius": 1}
    SQUARE = {"type": "region", "outer": [[0, 0], [2, 0], [2, 2], [0, 2]]}
    CUP = {"type": "region", "outer": [[0, 0], [4, 0], [4, 3], [3, 3], [3, 1], [1, 1], [1, 3], [0, 3]]}

    @staticmethod
    def query(a, b, at, ask="distance", **more) -> dict:
        return {"a": a, "b": b, "pose_b": at, "ask": ask, **more}

    @staticmethod
    def answer(distance, normal, point_a, point_b, **more) -> dict:
        return {"status": "converged", "distance": distance, "lower": distance, "upper": distance, "normal": normal,
                "point_a": point_a, "point_b": point_b, **more}

    def refuses(self, q, true, lies, found=REFUTED):
        self.assertEqual(verdict(q, true), PROVED, judge_line(q, true, Reader()))
        for lie in lies:
            got = verdict(q, {**true, **lie})
            self.assertTrue(got == found if found else got != PROVED, (lie, got))

    def test_circles_apart(self):
        q = self.query(self.CIRCLE, self.CIRCLE, [3, 0, 0])
        true = self.answer(1.0, [1, 0], [1, 0], [2, 0])
        self.refuses(q, true, [{"lower": 1.1, "upper": 1.2, "distance": 1.1}, {"upper": 0.9, "lower": 0.8, "distance": 0.8},
                               {"point_a": [1.1, 0]}, {"point_b": [2, 0, 0]}, {"normal": [1, 0, 0]}, {"normal": [2, 0]}, {"lower": "1"},
                               {"status": "unsupported"}, {"status": "fine"}])
        self.refuses(q, true, [{"normal": [0, 1]}, {"oath": 1}, {"distance": 0.99999, "lower": 0.9}], found=None)
        self.assertEqual(verdict({**q, "ask": "where"}, true), UNPROVED)
        for circle in ({**self.CIRCLE, "scale": 2}, {"type": "circle", "radius": "1"}, {"type": "region", "file": "a.json"}):
            self.assertEqual(verdict({**q, "a": circle}, true), UNPROVED)

    def test_depth_of_squares_and_of_a_peg_in_a_cup(self):
        q = self.query(self.SQUARE, self.SQUARE, [1.5, 0.25, 0])
        self.refuses(q, self.answer(-0.5, [1, 0], [2, 1], [1.5, 1]),
                     [{"lower": -0.4, "distance": -0.4, "upper": -0.4}, {"lower": -0.6, "distance": -0.6, "upper": -0.6},
                      {"point_a": [2, 5]}])
        # To the side it is held by the walls, though each of the cup's convex parts is left sooner.
        peg = {"type": "region", "outer": [[0, 0], [1, 0], [1, 1], [0, 1]]}
        q = self.query(self.CUP, peg, [1.5, 0.75, 0])
        self.refuses(q, self.answer(-0.25, [0, 1], [1.5, 1], [1.5, 0.75]),
                     [{"lower": -0.2, "distance": -0.2, "upper": -0.2}, {"lower": -0.3, "distance": -0.3, "upper": -0.3}], found=None)
        # No way of half a unit leads out of the floor; of one that is wider than the gap neither.
        wide = {"type": "region", "outer": [[0, 0], [2.5, 0], [2.5, 1], [0, 1]]}
        q = self.query(self.CUP, wide, [0.75, 2.5, 0])
        self.refuses(q, self.answer(-0.5, [0, 1], [0.75, 3], [0.75, 2.5]),
                     [{"lower": -0.6, "distance": -0.6, "upper": -0.6}, {"lower": -0.25, "distance": -0.25, "upper": -0.25}], found=None)

    def test_a_circle_in_a_corner_goes_a_longer_way(self):
        corner = {"type": "contour", "points": [[2, 0], [0, 0], [0, 2]], "closed": False}
        q = self.query(self.CIRCLE, corner, [0, 0, 0], pose_a=[0.5, 0.5, 0])
        # Both walls are left along the diagonal, by half a root of two.
        way, half = math.sqrt(0.5), math.sqrt(0.5)
        true = self.answer(-way, [-half, -half], [0.5 - half, 0.5 - half], [0, 0])
        self.assertEqual(judge_line(q, true, Reader())["upper"], PROVED)
        self.assertEqual(judge_line(q, {**true, "upper": -way - 0.01}, Reader())["upper"], REFUTED)
        self.assertEqual(judge_line(q, {**true, "lower": -way + 0.01}, Reader())["lower"], UNPROVED)

    def test_verdicts(self):
        for at, overlap in (([1.5, 0, 0], True), ([2, 0, 0], False), ([0, 0, 0], True), ([0, 1, 0], True), ([2, 2, 0], False)):
            q = self.query(self.SQUARE, self.SQUARE, at, "overlap")
            true = self.answer(0, [1, 0], [0, 0], [0, 0], overlap=overlap)
            self.assertEqual(judge_line(q, true, Reader())["verdict"], PROVED, at)
            for lie in (not overlap, 1, "yes", None):
                self.assertNotEqual(verdict(q, {**true, "overlap": lie}), PROVED)
        bar = {"type": "contour", "points": [[-1, 0], [3, 0]], "closed": False}
        for height, overlap in ((1, True), (2, False), (0, False), (5, False)):
            q = self.query(self.SQUARE, bar, [0, height, 0], "overlap")
            true = self.answer(0, [1, 0], [0, 0], [0, 0], overlap=overlap)
            self.assertEqual(judge_line(q, true, Reader())["verdict"], PROVED, height)
            self.assertNotEqual(judge_line(q, {**true, "overlap": not overlap}, Reader())["verdict"], PROVED, height)

    def test_touches(self):
        corner = {"type": "contour", "points": [[-2, 0], [0, 0], [0, 2]], "closed": False}
        q = self.query(self.CIRCLE, corner, [0, 0, 0], "touches", pose_a=[0.5, 0.8, 0])
        touch = {"point": [0, 0.8], "segment": 1, "part": 0.8, "normal": [1, 0], "angle": 0.0, "depth": 0.5, "kind": "segment"}
        lies = [{"point": [0, 0.7]}, {"segment": 0}, {"segment": 2}, {"part": 0.7}, {"normal": [0, 1]}, {"angle": 0.1}, {"depth": 0.4},
                {"kind": "convex"}, {"kind": "end"}, {"kind": "side"}, {"angle": 7}, {"segment": -1}, {"depth": None}, {"point": [0, 0.8, 0]}]
        self.refuses(q, {"status": "converged", "touches": [touch]}, [{"touches": [{**touch, **lie}]} for lie in lies])
        self.refuses(q, {"status": "converged", "touches": [touch]}, [{"touches": []}, {"touches": touch}, {"status": "unsupported"}], None)

    def test_contacts(self):
        q = self.query(self.SQUARE, self.SQUARE, [1, 1.5, 0], "contacts")
        contact = {"point_a": [2, 2], "point_b": [2, 1.5], "normal": [0, 1], "depth": 0.5, "stretch": 0}
        true = self.answer(-0.5, [0, 1], [2, 2], [2, 1.5], contacts=[contact])
        # The last one is deeper than the whole.
        lies = [{"depth": 0.4}, {"normal": [1, 0]}, {"point_a": [1.5, 1.5]}, {"point_b": [2, 1.75], "depth": 0.25}, {"stretch": 0.5},
                {"point_a": [2, 1.5], "point_b": [1, 1.5], "normal": [1, 0], "depth": 1.0}]
        self.refuses(q, true, [{"contacts": [{**contact, **lie}]} for lie in lies])

    def test_casts(self):
        for angular in (0, 2):
            motion = {"a": [0, 0], "b": {"linear": [-4, 0], "angular": angular}}
            q = self.query(self.CIRCLE, self.CIRCLE, [5, 0, 0], "cast", motion=motion)
            true = {"status": "converged", "hit": True, "time": 0.75, "time_upper": 0.75, "distance": 0, "normal": [1, 0],
                    "point_a": [1, 0], "point_b": [1, 0]}
            self.refuses(q, true, [{"hit": False}, {"hit": 1}, {"time": 0.8, "time_upper": 0.8}, {"time": 0.7, "time_upper": 0.7},
                                   {"point_a": [0, 1]}, {"normal": [0, 2]}, {"time": None, "time_upper": None}], None)
            miss = {"status": "converged", "hit": False, "time": None, "time_upper": None}
            self.refuses({**q, "pose_b": [5, 3, 0]}, miss, [{"hit": True}, {"time": 0.5}, {"hit": "no"}, {"status": "unsupported"}], None)


class Motions(unittest.TestCase):
    def setUp(self):
        sphere = {"type": "sphere", "radius": 1}
        self.query = {**query(sphere, sphere, [5, 0, 0], "cast"), "motion": {"a": [0, 0, 0], "b": [-4, 0, 0]}}
        self.true = {"status": "converged", "hit": True, "time": 0.75, "time_upper": 0.75, "distance": 0, "normal": [1, 0, 0],
                     "point_a": [1, 0, 0], "point_b": [1, 0, 0],
                     "certificate": {"direction": [1, 0, 0], "apart": [], "touch_a": [1, 0, 0], "touch_b": [1, 0, 0]}}

    def test_rotation_by_a_vector(self):
        rows = rotation_by(pure((0.0, 0.0, math.pi / 2)), ONE)
        self.assertLess(max(abs(a - b) for row, right in zip(rows, ((0, -ONE, 0), (ONE, 0, 0), (0, 0, ONE)))
                            for a, b in zip(row, right)) / ONE, 1e-16)
        # Ten turns and a third, by the sum of the diagonal: 1 + 2 cos.
        rows = rotation_by(pure([10 * 2 * math.pi + 2 * math.pi / 3, 0.0, 0.0]), ONE)
        self.assertAlmostEqual(sum(rows[i][i] for i in range(3)) / ONE, 0.0, places=13)

    def test_spheres_that_meet(self):
        self.assertEqual(verdict(self.query, self.true), PROVED)
        for change in ({"hit": False}, {"time": 0.8, "time_upper": 0.8}, {"time": 0.7, "time_upper": 0.7}, {"point_a": [1.1, 0, 0]},
                       {"time": 0.76}, {"certificate": {}}, {"normal": [0.6, 0.8, 0]}):
            self.assertNotEqual(verdict(self.query, {**self.true, **change}), PROVED, change)
        early = {**self.true, "status": "precision_limit", "hit": "undecided", "time": 0.5, "time_upper": None, "distance": 1,
                 "point_b": [2, 0, 0], "certificate": {}}
        self.assertEqual(verdict(self.query, early), PROVED)
        for change in ({"normal": [0, 1, 0]}, {"point_a": [2, 0, 0]}, {"distance": 0}, {"time": 0.8}):
            self.assertNotEqual(verdict(self.query, {**early, **change}), PROVED, change)

    def test_verdicts_of_motions_need_an_answer(self):
        miss = {"status": "converged", "hit": False, "time": None, "time_upper": None, "certificate": {"direction": [0, 1, 0]}}
        past = {**self.query, "pose_b": {"position": [5, 3, 0]}}
        self.assertEqual(verdict(past, miss), PROVED)
        for change in ({"status": "unsupported"}, {"hit": 0}, {"hit": "no"}, {"hit": None}, {"time": 0.5}, {"time_upper": 1},
                       {"point_a": [0, 0, 0]}):
            self.assertNotEqual(verdict(past, {**miss, **change}), PROVED, change)
        for hit in (1, "yes", "true", None, [True]):
            self.assertEqual(verdict(self.query, {**self.true, "hit": hit}), REFUTED)
        for name in self.true.keys() - {"certificate"}:
            self.assertNotEqual(verdict(self.query, {k: v for k, v in self.true.items() if k != name}), PROVED, name)
        self.assertEqual(verdict(self.query, {**self.true, "time": 1.5, "time_upper": 1.5}), REFUTED)
        self.assertEqual(verdict(self.query, {**self.true, "distance": None}), REFUTED)

    def test_parts_of_motions(self):
        sphere = {"type": "sphere", "radius": 1}
        parts = [{"shape": sphere}, {"shape": sphere, "pose": {"position": [0, 4, 0]}}]
        q = {**self.query, "a": {"type": "compound", "parts": parts}}
        self.assertEqual(verdict(q, {**self.true, "part_a": 0}), PROVED)
        for change in ({"part_a": 1}, {"part_a": 2}, {"part_b": 0}, {"part_a": -1}, {"part_a": False}):
            self.assertEqual(verdict(q, {**self.true, "part_a": 0, **change}), REFUTED, change)

    def test_a_bar_that_turns_past_a_sphere(self):
        bar, ball = {"type": "capsule", "radius": 0, "length": 2}, {"type": "sphere", "radius": 0.125}
        q = {**query(bar, ball, [0, 1.25, 0], "impact"), "motion": {"a": {"angular": [0, 0, 1.5]}, "b": {}},
             "pose_a": {"quaternion": [1, 0, 1, 0]}}

        def halves(levels, start=0.0, end=1.0) -> list:
            if levels == 0:
                return [["n", [0, 1, 0]]]
            middle = (start + end) / 2
            return [["t", middle]] + halves(levels - 1, start, middle) + halves(levels - 1, middle, end)

        def claimed(levels) -> dict:
            apart = [{"part_a": -1, "part_b": -1, "shift": [0, 0, 0], "steps": halves(levels)}]
            return {"status": "converged", "hit": False, "time": None, "time_upper": None, "certificate": {"apart": apart}}

        self.assertEqual(verdict(q, claimed(4)), PROVED)
        # Over long intervals the bar's tip bends too far off the line that it is taken for.
        self.assertNotEqual(verdict(q, claimed(0)), PROVED)
        q["pose_b"]["position"] = [0, 1.1, 0]
        self.assertNotEqual(verdict(q, claimed(6)), PROVED)

    def test_a_capsule_turns_about_its_middle(self):
        # About its own axis nothing turns but the place of its middle, at distance 1: the bend is half of that.
        part = {"shape": {"type": "capsule", "radius": 0.25, "length": 0.5}, "pose": {"position": [1, 0, 0]}}
        q = {**query({"type": "compound", "parts": [part]}, {"type": "sphere", "radius": 0.25}, [0, 4, 0], "impact"),
             "motion": {"a": {"angular": [0, 0, 1]}, "b": {}}}
        pair = Pair(q, Reader())
        motion = MovingOpinion(q, {}, pair).motion_a
        _, across, bend = motion.turning(pair.a[0])
        self.assertEqual(across, (0, 0, 0))
        self.assertAlmostEqual(pair.to_double(bend >> BITS), 0.5, places=14)
        # Across it, its ends are half a length and a radius away from there.
        self.assertAlmostEqual(pair.to_double(pair.a[0].spread()), 0.5, places=14)

    def test_what_turns_bends_off_its_line(self):
        # A ball swings from one side to the other below the origin, and rises: along a straight line it would not.
        swing = {"type": "compound", "parts": [{"shape": {"type": "sphere", "radius": 0.1}, "pose": {"position": [0, -1, 0]}}]}
        ball = {"type": "sphere", "radius": 0.05}
        q = {**query(swing, ball, [math.sin(1), -0.4, 0], "impact"), "motion": {"a": {"angular": [0, 0, 2]}, "b": {}},
             "pose_a": {"quaternion": [math.cos(0.5), 0, 0, -math.sin(0.5)]}}
        apart = [{"part_a": 0, "part_b": -1, "shift": [0, 0, 0], "steps": [["n", [0, 1, 0]]]}]
        miss = {"status": "converged", "hit": False, "time": None, "time_upper": None, "certificate": {"apart": apart}}
        self.assertNotEqual(verdict(q, miss), PROVED)
        q["pose_b"]["position"][1] = 0.5
        self.assertEqual(verdict(q, miss), PROVED)


class Forms(unittest.TestCase):
    """Every field of an answer in every form that a JSON value can take."""

    def answers(self) -> list:
        sphere = {"type": "sphere", "radius": 1}
        near = query(sphere, sphere, [2.5, 0, 0])
        true = {"id": "f", **answer(0.5, [1, 0, 0], [1, 0, 0], [1.5, 0, 0], method="closed_form", iterations=1)}
        point = {"point_a": [1, 0, 0], "point_b": [1.5, 0, 0], "depth": -0.5}
        moving = {**query(sphere, sphere, [5, 0, 0], "impact"), "motion": {"a": {}, "b": {"linear": [-4, 0, 0]}}}
        hit = {"id": "f", "status": "converged", "hit": True, "time": 0.75, "time_upper": 0.75, "distance": 0, "normal": [1, 0, 0],
               "point_a": [1, 0, 0], "point_b": [1, 0, 0], "certificate": {"touch_a": [1, 0, 0], "touch_b": [1, 0, 0]}}
        meshes = query(mesh(), mesh(), [3, 0.25, 0.125])
        apart = {"id": "f", **answer(1.0, [1, 0, 0], [1, 0.5, 0], [2, 0.5, 0], closed=True)}
        for name in ("triangle_a", "triangle_b"):
            apart[name] = next(t for t in range(12) if verdict({"id": "f", **meshes}, {**apart, name: t}) == PROVED)
        rows = [(near, true), ({**near, "ask": "overlap"}, {**true, "overlap": False}), (meshes, apart), (moving, hit),
                ({**near, "ask": "contacts", "threshold": 1}, {**true, "contacts": [point]})]
        return [({"id": "f", **q}, a) for q, a in rows]

    def test_no_field_of_another_type_is_proved(self):
        reader = Reader()
        for q, true in self.answers():
            self.assertEqual(verdict(q, true), PROVED)
            forger = Forger(q, true, reader, random.Random(1))
            for path in forger.places:
                for kind, forms in FORMS.items():
                    if kind != "none" and (path[-1] not in RIGHT or kind in RIGHT[path[-1]]):
                        continue
                    for form in forms:
                        found = judge_line(q, parse_line(forger.text(path, form).encode()), reader)
                        self.assertEqual(verdict_of(found), REFUTED, (path, form, found))
                if isinstance(path[-1], str):
                    twice = parse_line(forger.text(path, "0", twice=True).encode())
                    self.assertEqual(verdict_of(judge_line(q, twice, reader)), REFUTED, path)

    def test_no_false_value_is_proved(self):
        reader, rng = Reader(), random.Random(2)
        for q, true in self.answers():
            forger = Forger(q, true, reader, rng)
            for _ in range(round(100 * EFFORT)):
                about, text, refused, false = forger.forge()
                found = verdict_of(judge_line(q, parse_line(text.encode("utf-8", "surrogatepass")), reader))
                self.assertNotEqual((found, false), (PROVED, True), (about, text))
                self.assertTrue(found == REFUTED or not refused, (about, text))

    def test_random_bytes_are_refuted_or_unproved(self):
        rng, reader = random.Random(3), Reader()
        q, true = self.answers()[0]
        for _ in range(round(300 * EFFORT)):
            line = bytearray(json.dumps(true), "utf-8")
            for _ in range(rng.randint(1, 4)):
                line[rng.randrange(len(line))] = rng.randrange(256)
            judge_line(q, parse_line(bytes(line)), reader)
            self.assertNotEqual(verdict_of(judge_line(parse_line(bytes(line)), true, reader)), "")
        self.assertEqual(verdict(q, parse_line(b"\xff" + json.dumps(true).encode())), REFUTED)


class Program(unittest.TestCase):
    def run_on(self, queries, answers, *options):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / name for name in ("queries.jsonl", "answers.jsonl")]
            for path, text in zip(paths, (queries, answers)):
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
            return subprocess.run([sys.executable, str(PROGRAM), *map(str, paths), *options], capture_output=True, text=True, check=False)

    def test_exit_codes(self):
        sphere = {"type": "sphere", "radius": 1}
        q = json.dumps({"id": "s", **query(sphere, sphere, [5, 0, 0])})
        true = {"id": "s", **answer(3.0, [1, 0, 0], [1, 0, 0], [4, 0, 0])}
        self.assertEqual(self.run_on("// spheres\n" + q, json.dumps(true)).returncode, 0)
        self.assertEqual(self.run_on(q, json.dumps({**true, "distance": 2})).returncode, 1)
        self.assertEqual(self.run_on(q, json.dumps({**true, "id": "t"})).returncode, 1)
        self.assertEqual(self.run_on(q, "").returncode, 2)
        self.assertEqual(self.run_on(q, "{").returncode, 1)
        found = json.loads(self.run_on(q, json.dumps(true), "--json").stdout)
        self.assertEqual([line["verdict"] for line in found["answers"]], ["proved"])
        self.assertEqual(found["table"], [{"class": "sphere-sphere", "kind": "none", "proved": 1, "unproved": 0, "refuted": 0}])

    def test_a_bad_line_ends_no_run(self):
        sphere = {"type": "sphere", "radius": 1}
        q = json.dumps({"id": "s", **query(sphere, sphere, [5, 0, 0])}).encode()
        true = json.dumps({"id": "s", **answer(3.0, [1, 0, 0], [1, 0, 0], [4, 0, 0])}).encode()
        refused = b'{"id":null,"status":"invalid_input","error":"no JSON"}'
        run = self.run_on(b"\n".join([q, b"\xff", q, q, q]), b"\n".join([true, refused, true[:40], b'"\xff"', true]), "--json")
        found = json.loads(run.stdout)
        self.assertEqual([line["verdict"] for line in found["answers"]], [PROVED, PROVED, REFUTED, REFUTED, PROVED])
        self.assertEqual(run.returncode, 1)
        # An answer to a line that is no query; strings may hold what other texts take for the end of a line.
        self.assertEqual(self.run_on(b"{", true).returncode, 1)
        odd = "s\u2028\u0085\ud800"
        names = [json.dumps({**json.loads(text), "id": odd}, ensure_ascii=False).encode("utf-8", "surrogatepass") for text in (q, true)]
        self.assertEqual(self.run_on(*names).returncode, 1)
        names = [name.replace("\ud800".encode("utf-8", "surrogatepass"), b"\\ud800") for name in names]
        self.assertEqual(self.run_on(*names).returncode, 0)

    def test_a_program_that_is_not_there(self):
        run = subprocess.run([sys.executable, str(PROGRAM), "--campaign", "1", "--tactus", "/no/such/program"], capture_output=True,
                             check=False)
        self.assertEqual(run.returncode, 2)


if __name__ == "__main__":
    unittest.main()
