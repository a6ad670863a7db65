#!/usr/bin/env python3
"""What a question costs in Python, beside the same ones in C++: processor time, which other programs disturb little.

    bench.py NATIVE    NATIVE: the program python_bench_native (docs/guide/python.md)
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import tactus

BODIES, PAIRS, SINGLE = 1000, 100_000, 20_000


def least(rounds, work):
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    random = np.random.default_rng(1)
    poses = np.zeros((BODIES, 7))
    poses[:, :3] = random.uniform(-5, 5, (BODIES, 3))
    poses[:, 3:] = random.normal(size=(BODIES, 4))
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    pairs = random.integers(0, BODIES, (PAIRS, 2)).astype(np.uint64)
    shapes = [tactus.Shape(tactus.Box([1, 0.5, 0.8])), tactus.Shape(tactus.Cone(0.5, 1.0))] * (BODIES // 2)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "questions"
        file.write_bytes(np.array([BODIES, PAIRS], np.uint64).tobytes() + poses.tobytes() + pairs.tobytes())
        native, native_batch = map(float, subprocess.run([sys.argv[1], file], capture_output=True, text=True, check=True).stdout.split())

    objects = [tactus.Pose(p[:3], p[3:]) for p in poses]
    matrices = [o.matrix for o in objects]
    few = pairs[:SINGLE].tolist()

    def by(placed):
        distance = tactus.distance
        arguments = [(shapes[i], placed[i], shapes[j], placed[j]) for i, j in few]

        def ask():
            for a, pa, b, pb in arguments:
                distance(a, pa, b, pb)

        return 1e9 * least(5, ask) / SINGLE

    scale = 1e9 / PAIRS
    batch = least(15, lambda: tactus.distances(shapes, poses, pairs)) * scale
    print(f"C++             {native:8.0f} ns for a single call, {native_batch:.0f} in a batch of {PAIRS}")
    with_objects, with_matrices = by(objects), by(matrices)
    positions = by([(p[:3], p[3:]) for p in poses])
    print(f"Pose objects    {with_objects:8.0f} ns: {with_objects - native:.0f} more")
    print(f"arrays (4, 4)   {with_matrices:8.0f} ns: {with_matrices - native:.0f} more")
    print(f"pairs of arrays {positions:8.0f} ns: {positions - native:.0f} more")
    print(f"a batch         {batch:8.0f} ns: {batch / native_batch:.2f} times C++'s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
