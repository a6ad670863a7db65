#!/usr/bin/env python3
"""What every command of the program keeps to, whatever its input holds: bad bytes end no run, answers come line by line, names
that nothing has are answered with those that are known, and one run at a time writes into a folder.

    tests/tools/program_test.py PROGRAM
"""

import json
import math
import os
import random
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = ""
EFFORT = float(os.environ.get("TACTUS_TEST_EFFORT", "1"))
PATIENCE = 60.0  # seconds: a machine may be busy
SPHERE = {"type": "sphere", "radius": 1}
CIRCLE = {"type": "circle", "radius": 1}
QUERY = {"id": "q", "a": SPHERE, "b": SPHERE, "pose_b": {"position": [3, 0, 0]}, "ask": "distance"}
PLANAR = {"id": "p", "a": CIRCLE, "b": CIRCLE, "pose_b": [3, 0, 0], "ask": "distance"}
FLOOR = {"type": "fixed", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}}
SCENE = {"bodies": [FLOOR, {"shape": {"type": "sphere", "radius": 0.5}, "pose": {"position": [0, 0, 2]}}]}
LIVE = {"scene": SCENE, "acts": [], "steps": 3}
CUBE = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 3 4 8\nf 3 8 7\nf 2 3 7\nf 2 7 6\nf 4 1 5\nf 4 5 8\n"""
# A picture of 4 x 4 pixels: black, the four in the middle white.
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000040000000408000000008c9ac1a20000001149444154789c63600083ffff610410000027"
    "ec03fd00e362730000000049454e44ae426082")
# Commands that read lines, and a line that each takes; `{}` is the file.
READERS = (("query {}", QUERY), ("planar query {}", PLANAR), ("live {}", LIVE),
           ("distance cube.obj far.obj --json --poses {}", {"pose_b": {"position": [3, 0, 0]}}))


class ProgramTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.write("cube.obj", CUBE.encode())
        self.write("far.obj", CUBE.encode())

    def write(self, name, content) -> None:
        (self.folder / os.fsdecode(name)).write_bytes(content)

    def run_program(self, arguments, given=b""):
        words = arguments.split() if isinstance(arguments, str) else arguments
        return subprocess.run([PROGRAM, *words], cwd=self.folder, input=given, capture_output=True, check=False, timeout=PATIENCE)


class Lines(ProgramTest):
    @staticmethod
    def bad_lines(good, rng, count) -> list:
        """Lines with random bytes in them, put at random places of a good one."""
        lines = [b"\xff", b"\xef\xbb\xbf\xef", b'{"id":"\xc3\x28"}', b'{"\xed\xa0\x80":1}', b"\x00", good[:-1], good + b"\xfe"]
        for _ in range(count):
            line = bytearray(good)
            for _ in range(rng.randint(1, 3)):
                line[rng.randrange(len(line))] = rng.choice((rng.randrange(128, 256), rng.randrange(256)))
            lines.append(bytes(line))
        # What is a line of its own, or none, would be counted otherwise.
        return [line for line in (l.replace(b"\n", b" ").replace(b"\r", b" ") for l in lines)
                if line.strip() and not line.lstrip().startswith(b"//")]

    def test_a_bad_byte_ends_no_run(self):
        rng = random.Random(1)
        for command, value in READERS:
            good = json.dumps(value).encode()
            only = self.run_program(command.format("-"), good)
            self.assertEqual((only.returncode, only.stdout.count(b"\n")), (0, 1), only)
            bad = self.bad_lines(good, rng, round(60 * EFFORT))
            lines = [line for pair in zip([good] * len(bad), bad) for line in pair] + [good]
            self.write("lines.jsonl", b"\n".join(lines))
            for name, given in (("lines.jsonl", b""), ("-", b"\n".join(lines))):
                run = self.run_program(command.format(name), given)
                shown = "standard input" if name == "-" else name
                self.assertEqual(run.returncode, 1, (command, run.stderr[-500:]))
                self.assertIn(f"{shown}:2: ".encode(), run.stderr, command)
                answers = [self.without_time(json.loads(line)) for line in run.stdout.split(b"\n") if line]
                right = self.without_time(json.loads(only.stdout))
                if command.startswith("live"):
                    # Lines that are none have no answer on standard output.
                    self.assertGreaterEqual(answers.count(right), len(bad) + 1)
                    continue
                self.assertEqual(len(answers), len(lines), command)
                self.assertEqual(answers[::2], [right] * (len(bad) + 1), command)
                self.assertEqual(answers[1]["status"], "invalid_input")

    @staticmethod
    def without_time(answer) -> dict:
        return {name: value for name, value in answer.items() if name not in ("line", "microseconds")}

    def test_bad_bytes_in_files_that_are_replayed_are_named(self):
        good = json.dumps(QUERY).encode()
        self.write("lines.jsonl", b"\n".join([good, b"\xff", good]))
        run = self.run_program("fuzz --replay lines.jsonl")
        self.assertEqual((run.returncode, run.stdout), (1, b"0 findings in 2 queries\n"))
        self.assertIn(b"lines.jsonl:2: ", run.stderr)
        run = self.run_program("lab table10 --pairs-from lines.jsonl")
        self.assertEqual(run.returncode, 2)
        self.assertIn(b"lines.jsonl:2: ", run.stderr)
        for command in ("simulate {} --no-files", "mesh cube.obj --json --pose-b {}"):
            self.write("bad.json", b'{"bodies":"\xff"}')
            self.assertEqual(self.run_program(command.format("bad.json")).returncode // 3, 0)

    def test_file_names_need_not_be_utf8(self):
        odd = os.fsdecode(b"odd\xff")
        self.write(f"{odd}.obj", CUBE.encode())
        self.write(f"{odd}.png", PIXEL)
        self.write(f"{odd}.csv", b"1,1,0,1,0,1,0\n" * 8)
        self.write(f"{odd}.json", json.dumps({**SCENE, "recording": {"duration": 0.1}}).encode())
        for command, ending in (("mesh {} --json", "obj"), ("hull {} --json", "obj"), ("obb {} --json", "obj"),
                                ("bvh {} --json", "obj"), ("decompose {} --json", "obj"), ("tetrahedra {} --json --edge 1", "obj"),
                                ("distance {} cube.obj --json", "obj"), ("mesh cube.obj {} --json", "obj"),
                                ("contour {} --json", "png"), ("ccd --vertex-face {}", "csv"), ("ccd --mesh {} cube.obj --json", "obj"),
                                ("simulate {} --json", "json")):
            words = [f"{odd}.{ending}" if word == "{}" else word for word in command.split()]
            run = self.run_program(words)
            self.assertLessEqual(run.returncode, 1, (command, run.stderr))
            json.loads(run.stdout)

    def converse(self, arguments, lines):
        """Writes line after line, and waits for the answer before it writes the next one."""
        process = subprocess.Popen([PROGRAM, *arguments.split()], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, bufsize=0)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        answers = []
        for line in lines:
            process.stdin.write(line)
            answer = b""
            while not answer.endswith(b"\n"):
                self.assertTrue(select.select([process.stdout], [], [], PATIENCE)[0], f"{arguments}: no answer to {line}")
                answer += process.stdout.read(1)
            answers.append(json.loads(answer))
        process.stdin.close()
        self.assertEqual(process.stdout.read(), b"")
        return answers, process.wait(PATIENCE)

    def test_answers_come_line_by_line(self):
        for command, value in READERS:
            values = [{**value, "id": str(i)} if "id" in value else value for i in range(5)]
            lines = [json.dumps(v).encode() + b"\n" for v in values]
            # Neither blank lines nor comments keep an answer back.
            lines[1] = b"\n// more\n" + lines[1] + b"\n"
            lines[2] += b"  \n// a comment\n"
            answers, code = self.converse(command.format("-"), lines)
            self.assertEqual(code, 0)
            if "id" in value:
                self.assertEqual([a["id"] for a in answers], [v["id"] for v in values])
        broken, code = self.converse("query -", [json.dumps(QUERY).encode() + b"\n", b"\xff\n", json.dumps(QUERY).encode() + b"\n"])
        self.assertEqual([a["status"] for a in broken], ["converged", "invalid_input", "converged"])
        self.assertEqual(code, 1)

    def test_the_last_line_needs_no_end_and_long_files_are_answered_in_order(self):
        count = 3000
        lines = b"\n".join(json.dumps({**QUERY, "id": i}).encode() for i in range(count))
        self.write("many.jsonl", lines)
        for name, given in (("-", lines), ("many.jsonl", b"")):
            run = self.run_program(f"query {name}", given)
            self.assertEqual([json.loads(line)["id"] for line in run.stdout.splitlines()], list(range(count)))


class Names(ProgramTest):
    def test_what_nobody_knows_is_answered_with_what_is_known(self):
        def line(**change):
            return json.dumps({**QUERY, **change}).encode()

        for arguments, given, known in (
                ("qeury -", b"", ("query", "simulate", "lab")),
                ("query - --certifcate", b"", ("--certificate", "--check")),
                ("planar qeury -", b"", ("query",)),
                ("lab ball", b"", ("table10", "pile")),
                ("distance cube.obj far.obj --strategy fast", b"", ("greedy", "best_first")),
                ("distance cube.obj far.obj --volume ball", b"", ("aabb", "obb")),
                ("hull cube.obj --method fast", b"", ("quickhull", "horizon")),
                ("decompose cube.obj --method fast", b"", ("modern", "merge")),
                ("ccd --mesh cube.obj far.obj --method fast", b"", ("conservative",)),
                ("fuzz --queries 1 --classes odd", b"", ("known are ",)),
                ("query -", line(ask="where"), ("overlap", "impact")),
                ("query -", line(method="magic"), ("auto", "chung_wang")),
                ("query -", line(a={"type": "ball"}), ("sphere", "compound")),
                ("planar query -", json.dumps({**PLANAR, "ask": "where"}).encode(), ("touches", "cast")),
                ("planar query -", json.dumps({**PLANAR, "a": {"type": "ball"}}).encode(), ("circle", "region"))):
            run = self.run_program(arguments, given)
            self.assertNotEqual(run.returncode, 0, arguments)
            for name in known:
                self.assertIn(name.encode(), run.stderr, arguments)

    def test_a_parameter_is_not_dropped_in_silence(self):
        for name, value in (("eps", 1e-6), ("margin", 0.01), ("spheres", True)):
            for method in ("auto", "gjk", "mpr", "chung_wang"):
                run = self.run_program("query -", json.dumps({**QUERY, "method": method, name: value}).encode())
                answer = json.loads(run.stdout)
                self.assertEqual((run.returncode, answer["status"]), (1, "invalid_input"), (name, method))
                self.assertTrue(answer["error"].startswith(f"{name}: ") and method in answer["error"], answer)


class Files(ProgramTest):
    def test_standard_input_is_a_file(self):
        # A scene is read once, whatever moves in it: standard input has nothing to give to a second reader.
        for more in ({}, {"deformables": [{"structure": {"type": "box", "size": [1, 1, 1], "cells": [1, 1, 1]}, "pose": {"position": [3, 0, 2]}}]}):
            scene = json.dumps({**SCENE, **more, "recording": {"duration": 0.1}}).encode()
            self.write("scene.json", scene)
            once = self.run_program("simulate scene.json --no-files --json")
            self.assertEqual(once.returncode, 0, once.stderr)
            again = self.run_program("simulate - --json", scene)
            self.assertEqual(json.loads(again.stdout)["state_hash"], json.loads(once.stdout)["state_hash"])
            for ending in ("tactus", "csv"):
                file = self.folder / f"out/scene/scene.{ending}"
                self.assertTrue(file.exists())
                file.unlink()
        self.write("picture.png", PIXEL)
        self.write("ccd.csv", b"1,1,0,1,0,1,0\n" * 8)
        for command, name in (("contour {} --json", "picture.png"), ("ccd --vertex-face {}", "ccd.csv"),
                              ("fuzz --replay {}", "queries.jsonl")):
            self.write("queries.jsonl", json.dumps(QUERY).encode())
            self.assertEqual(self.run_program(command.format(name)).returncode, 0, command)
            run = self.run_program(command.format("-"), (self.folder / name).read_bytes())
            self.assertEqual(run.returncode, 0, (command, run.stderr))

    def test_a_mesh_on_standard_input_is_known_by_its_content(self):
        corners = [line.split()[1:] for line in CUBE.splitlines() if line.startswith("v")]
        faces = [[int(i) - 1 for i in line.split()[1:]] for line in CUBE.splitlines() if line.startswith("f")]
        rows = "\n".join(map(" ".join, corners)) + "\n"
        of_faces = "".join(f"3 {a} {b} {c}\n" for a, b, c in faces)
        facets = "".join("facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {' '.join(corners[i])}\n" for i in face) +
                         "endloop\nendfacet\n" for face in faces)
        binary = bytes(80) + struct.pack("<I", 12) + b"".join(
            struct.pack("<12fH", 0, 0, 0, *(float(x) for i in face for x in corners[i]), 0) for face in faces)
        ply = ("ply\nformat ascii 1.0\nelement vertex 8\nproperty double x\nproperty double y\nproperty double z\n"
               "element face 12\nproperty list uchar int vertex_indices\nend_header\n" + rows + of_faces)
        contents = {"obj": CUBE.encode(), "ply": ply.encode(), "off": f"OFF\n8 12 0\n{rows}{of_faces}".encode(),
                    "stl": f"solid c\n{facets}endsolid c\n".encode(), "binary stl": binary}
        for name, content in contents.items():
            run = self.run_program("hull - --json", content)
            self.assertEqual(run.returncode, 0, (name, run.stderr))
            self.assertEqual(json.loads(run.stdout)["vertices"], 8, name)
        self.assertEqual(json.loads(self.run_program("hull - --json", rows.encode()).stdout)["vertices"], 8)
        for command in ("mesh - --json", "obb - --json", "bvh - --json", "decompose - --json", "tetrahedra - --json --edge 1",
                        "distance - far.obj --json", "mesh far.obj - --json", "ccd --mesh - far.obj --json"):
            run = self.run_program(command, CUBE.encode())
            self.assertEqual(run.returncode, 0, (command, run.stderr))
            json.loads(run.stdout)
        self.assertEqual(self.run_program("mesh cube.obj --nearest -", b"2 0.5 0.5\n").returncode, 0)
        self.assertIn(b"cannot be standard input", self.run_program("export - --csv -").stderr)
        # Inside of a line it is a file's name.
        shape = {"type": "mesh", "file": "-"}
        run = self.run_program("query -", json.dumps({**QUERY, "a": shape}).encode())
        self.assertIn("./-: does not exist", json.loads(run.stdout)["error"])

    def test_one_run_at_a_time_writes_into_a_folder(self):
        self.write("long.json", json.dumps({**SCENE, "recording": {"duration": 100000}}).encode())
        self.write("short.json", json.dumps({**SCENE, "recording": {"duration": 0.1}}).encode())
        first = subprocess.Popen([PROGRAM, "simulate", "long.json", "--out", "results"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        self.addCleanup(first.kill)
        end = time.monotonic() + PATIENCE
        while not (self.folder / "results/long.tactus").exists() and time.monotonic() < end:
            time.sleep(0.01)
        second = self.run_program("simulate short.json --out results")
        self.assertEqual(second.returncode, 2)
        self.assertIn(b"results: another run writes into this folder", second.stderr)
        self.assertEqual(self.run_program("simulate short.json --out elsewhere").returncode, 0)
        self.assertEqual(self.run_program("simulate short.json --no-files").returncode, 0)
        # A run that is killed leaves no lock.
        first.send_signal(signal.SIGKILL)
        first.wait(PATIENCE)
        self.assertEqual(self.run_program("simulate short.json --out results").returncode, 0)
        self.assertFalse([p.name for p in (self.folder / "results").iterdir() if "lock" in p.name])


class Interrupts(ProgramTest):
    def time_to_end(self, arguments):
        """Seconds from Ctrl-C, sent in the middle of the work, to the end: of the clock or of the program's processors, whichever are fewer."""
        # A shell starts programs in the background without Ctrl-C.
        run = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        time.sleep(0.3)
        self.assertIsNone(run.poll(), f"{arguments}: ended by itself")
        used, sent = self.processor_time(run.pid), time.monotonic()
        run.send_signal(signal.SIGINT)
        while run.poll() is None and time.monotonic() - sent < PATIENCE:
            last = self.processor_time(run.pid) or used
            time.sleep(0.01)
        waited = time.monotonic() - sent
        run.kill()
        run.wait()
        return waited if waited < 1 else min(waited, last - used)

    @staticmethod
    def processor_time(process):
        try:
            fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def test_ctrl_c_ends_long_commands_within_a_second(self):
        numbers = random.Random(1)
        points = ((numbers.gauss(0, 1), numbers.gauss(0, 1), numbers.gauss(0, 1)) for _ in range(400_000))
        lines = (" ".join(str(x / sum(c * c for c in p) ** 0.5) for x in p) for p in points)
        self.write("ball.xyz", "\n".join(lines).encode())
        n, angles = 60, [2 * math.pi * i / 60 for i in range(60)]
        torus = [f"v {(2 + math.cos(s)) * math.cos(t)} {(2 + math.cos(s)) * math.sin(t)} {math.sin(s)}" for s in angles for t in angles]
        torus += [f"f {n * i + j + 1} {n * ((i + 1) % n) + j + 1} {n * ((i + 1) % n) + (j + 1) % n + 1} {n * i + (j + 1) % n + 1}"
                  for i in range(n) for j in range(n)]
        self.write("torus.obj", "\n".join(torus).encode())
        for command in ("hull ball.xyz --method horizon", "decompose torus.obj --concavity 0.001"):
            self.assertLess(self.time_to_end(command.split()), 1.0, command)


class StandardInput(ProgramTest):
    def test_a_dash_is_a_file_beside_subcommands(self):
        """`tactus robot` has subcommands and a file of its own."""
        run = self.run_program("robot - --json", b'<robot name="r"><link name="a"/></robot>')
        if b"tinyxml2" in run.stderr:
            self.skipTest("built without tinyxml2")
        self.assertEqual((run.returncode, json.loads(run.stdout)["root"]), (0, "a"), run.stderr)
        self.assertIn(b"no option is called -x", self.run_program("robot -x").stderr)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
