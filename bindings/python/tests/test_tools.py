"""The exact second opinion, the stubs, the examples, the generator."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tactus

HERE = Path(__file__).resolve().parent
EXAMPLES = sorted((HERE.parent / "examples").glob("*.py"))
PACKAGE = Path(tactus.__file__).resolve().parent


def run(*command, **more):
    known = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, check=False, env=known, **more)


def test_the_second_opinion_proves_and_refutes(tmp_path):
    ball = {"type": "sphere", "radius": 1}
    (tmp_path / "q.jsonl").write_text(json.dumps({"ask": "distance", "a": ball, "b": ball, "pose_b": {"position": [3, 0, 0]}}) + "\n")
    truth: dict = {"status": "converged", "distance": 1.0, "lower": 1.0, "upper": 1.0, "normal": [1, 0, 0], "point_a": [1, 0, 0], "point_b": [2, 0, 0],
                   "certificate": {"kind": "none", "direction": [1, 0, 0]}}
    for answer, code in ((truth, 0), ({**truth, "lower": 1 + 1e-6, "upper": 1 + 1e-6, "distance": 1 + 1e-6}, 1)):
        (tmp_path / "a.jsonl").write_text(json.dumps(answer) + "\n")
        done = run("-m", "tactus.verify", tmp_path / "q.jsonl", tmp_path / "a.jsonl")
        assert done.returncode == code, done.stdout + done.stderr
    assert run("-m", "tactus.verify").returncode == 2


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda p: p.stem)
def test_examples_run(script, tmp_path):
    done = run(script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    if done.stdout.startswith("skipped: "):
        pytest.skip(done.stdout.strip())


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="needs mypy")
def test_the_stubs_fit_the_examples():
    if not (PACKAGE / "_tactus.pyi").exists():
        pytest.skip("the stubs have not been made")
    done = run("-m", "mypy", "--no-error-summary", "--check-untyped-defs", "--cache-dir", PACKAGE.parents[1] / "mypy", *EXAMPLES, *sorted(HERE.glob("test_*.py")))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_know_every_name():
    if not (PACKAGE / "_tactus.pyi").exists():
        pytest.skip("the stubs have not been made")
    for space, file in (("", "_tactus"), *((s, s) for s in ("fit", "planar", "ccd", "soft", "io"))):
        text = (PACKAGE / f"{file}.pyi").read_text(encoding="utf-8")
        module = getattr(tactus, space) if space else tactus._tactus
        for name in vars(module):
            if not name.startswith("_") and name not in ("fit", "planar", "ccd", "soft", "io"):
                assert f"def {name}(" in text or f"class {name}" in text or f"{name}:" in text, name
