#!/usr/bin/env python3
"""verify_cover_test.py PROGRAM   the exact second opinion on depths out of several triangles: what the program says of bodies in
corners of meshes is proved at both ends, and nothing that was forged is."""

import copy
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tools"))

from verify_claims import judge_line  # noqa: E402
from verify_reading import Reader  # noqa: E402

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


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
