#!/usr/bin/env python3
"""verify_cover_test.py PROGRAM   the exact second opinion on depths out of several triangles: what the program says of bodies in
corners of meshes is proved at both ends, and nothing that was forged is."""

import copy
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "verify"))

from tactus_verify.claims import judge_line  # noqa: E402
from tactus_verify.reading import Reader  # noqa: E402

PROGRAM = ""
WALLS = {"type": "mesh", "vertices": [[0, 0, -1], [0, 0, 1], [2, 0, -1], [2, 0, 1], [0, 2, -1], [0, 2, 1]],
         "triangles": [[0, 2, 3], [0, 3, 1], [0, 1, 5], [0, 5, 4]]}
SHAPES = ({"type": "box", "size": [1, 1, 1]}, {"type": "capsule", "radius": 0.5, "length": 0.4},
          {"type": "box", "size": [0.8, 0.8, 0.8], "rounding": 0.1})


class Corners(unittest.TestCase):
    def answer(self, shape, swapped=False) -> tuple:
        names = ("b", "a") if swapped else ("a", "b")
        query = {names[0]: WALLS, names[1]: shape, f"pose_{names[1]}": {"position": [0.49, 0.48, 0.05], "quaternion": [1, 0, 0, 0]},
                 "ask": "contacts", "tolerance": 1e-5}
        run = subprocess.run([PROGRAM, "query", "--certificate", "-"], input=json.dumps(query), capture_output=True, text=True,
                             check=True)
        return query, json.loads(run.stdout)

    def test_both_ends_are_proved(self):
        for shape in SHAPES:
            for swapped in (False, True):
                query, answer = self.answer(shape, swapped)
                self.assertEqual(answer["certificate"]["kind"], "covered", shape)
                claims = judge_line(query, answer, Reader())
                for claim in ("lower", "upper", "points", "relation"):
                    self.assertEqual(claims[claim], "proved", (shape, swapped, claim, claims))

    def test_nothing_forged_is_proved(self):
        query, answer = self.answer(SHAPES[0])

        def upper(change) -> str:
            forged = copy.deepcopy(answer)
            change(forged, forged["certificate"]["covers"])
            return judge_line(query, forged, Reader()).get("upper")

        deeper = {**answer, "distance": answer["distance"] - 1e-4, "lower": answer["lower"] - 1e-4, "upper": answer["upper"] - 1e-4}
        self.assertNotEqual(judge_line(query, deeper, Reader())["upper"], "proved")
        for i in range(len(answer["certificate"]["covers"])):
            changes = (lambda _, covers: covers.pop(i),
                       lambda _, covers: covers[i]["faces"].pop(),
                       lambda _, covers: [face.reverse() for face in covers[i]["faces"]],
                       lambda _, covers: covers[i]["supports"][0]["point_a"].__setitem__(2, 9.0),
                       lambda _, covers: covers[i].update(held_in="a", point=[0.5, 0.5, 0], shift=[0, 0, 0]),
                       lambda _, covers: covers[i].update(triangle_a=77))
            for k, change in enumerate(changes):
                self.assertNotEqual(upper(change), "proved", (i, k))

    def test_depths_of_unions(self):
        def wall(i):
            return {"shape": {"type": "box", "size": [1 if k == i else 6 for k in range(3)]},
                    "pose": {"position": [-0.5 if k == i else 0 for k in range(3)], "quaternion": [1, 0, 0, 0]}}

        def plane(i):
            return {"shape": {"type": "halfspace", "normal": [float(k == i) for k in range(3)], "offset": 0.0}}

        mesh = {"shape": {"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                          "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}}
        corners = ([wall(0), wall(1)], [wall(0), wall(1), wall(2)], [plane(0), plane(1)], [wall(0), plane(1), mesh])
        for parts in corners:
            for names in (("a", "b"), ("b", "a")):
                query = {names[0]: {"type": "compound", "parts": parts}, names[1]: SHAPES[2], "ask": "distance", "depth": "union",
                         f"pose_{names[1]}": {"position": [0.49, 0.48, 0.47], "quaternion": [1, 0, 0, 0]}, "tolerance": 1e-5}
                run = subprocess.run([PROGRAM, "query", "--certificate", "-"], input=json.dumps(query), capture_output=True,
                                     text=True, check=True)
                answer = json.loads(run.stdout)
                self.assertEqual(answer["depth"], "union")
                claims = judge_line(query, answer, Reader())
                for claim in ("lower", "upper", "points", "relation"):
                    self.assertEqual(claims[claim], "proved", (parts, names, claim, claims))
                # As the depth of the deepest pair of parts it is too deep, and that of the pair too shallow for the union.
                # Of the last corner one pair of parts is as deep as the union.
                if mesh not in parts:
                    as_parts = judge_line({**query, "depth": "parts"}, answer, Reader())
                    self.assertNotEqual(as_parts["upper"], "proved", (parts, names))
                shallow = {**answer, "distance": -0.01, "lower": -0.01, "upper": -0.01}
                self.assertNotEqual(judge_line(query, shallow, Reader())["lower"], "proved")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
