#!/usr/bin/env python3
"""Kills a run of the program at random times, continues it each time, and compares its end with that of a straight run.

  tools/kill_runs.py PROGRAM [--kills N] [--scene FILE] [--steps N] [--seed S]

Hash of the state, the summary but its times, and every exported picture must be equal.
"""
import argparse
import csv
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def command(arguments, out, *more):
    scene = str(arguments.scene)
    return [str(arguments.program), "simulate", scene, "--steps", str(arguments.steps), "--checkpoint", "0.05", "--out", str(out), *more]


def finish(line):
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = re.search(r"state hash: (\w+)", done.stdout)
    if not found:
        sys.exit(f"kill_runs: {' '.join(line)} printed no hash:\n{done.stdout}")
    return found.group(1)


def content(arguments, out):
    """The summary without wall-clock times, and the exported pictures."""
    name = arguments.scene.stem
    rows = [row[:-1] for row in csv.reader(open(out / f"{name}.csv", encoding="utf-8"))]
    run = str(out / f"{name}.tactus")
    tables = [subprocess.run([str(arguments.program), "export", run, what, "-"], capture_output=True, check=True).stdout for what in ("--csv", "--contacts")]
    return rows, tables


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--scene", type=Path, default=ROOT / "scenes" / "mixed.json")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        straight, killed = Path(folder) / "straight", Path(folder) / "killed"
        start = time.time()
        expected = finish(command(arguments, straight))
        whole = time.time() - start
        recording = killed / f"{arguments.scene.stem}.tactus"
        kills = runs = 0
        wrong = 0
        while kills < arguments.kills:
            more = ["--continue", str(recording)] if recording.exists() else []
            child = subprocess.Popen(command(arguments, killed, *more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                child.wait(chance.uniform(0.0, 0.5 * whole))
            except subprocess.TimeoutExpired:
                os.kill(child.pid, signal.SIGKILL)
                child.wait()
                kills += 1
                continue
            # It came to its end: that is judged, and the next one starts anew.
            if child.returncode != 0:
                sys.exit(f"kill_runs: exit code {child.returncode} of a run after {kills} kills")
            runs += 1
            wrong += content(arguments, killed) != content(arguments, straight)
            again = command(arguments, killed, "--continue", str(recording))
            wrong += finish(again) != expected
            recording.unlink()
        if recording.exists():
            wrong += finish(command(arguments, killed, "--continue", str(recording))) != expected
            wrong += content(arguments, killed) != content(arguments, straight)
            runs += 1
        print(f"{kills} kills, {runs} runs that ended, {wrong} of them other than the straight run")
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
