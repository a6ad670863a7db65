"""Many questions over the processes or machines of a dask cluster, with the bits of one process.

    many_machines.py [--questions N] [--workers W] [--scheduler ADDRESS]

Each task makes its questions from the number of its chunk, and answers them on one thread. Chunks do not depend on the workers, nor
does any answer: whoever answers a chunk gives it the same bits. Without ADDRESS (`tcp://machine:8786`) it starts a cluster here.
"""

import argparse
import hashlib
import sys
import time

import numpy as np

import tactus

CHUNK = 10_000


def poses(random: np.random.Generator, count: int) -> np.ndarray:
    placed = random.normal(size=(count, 7))
    placed[:, :3] = random.uniform(-1, 1, (count, 3))
    placed[:, 3:] /= np.linalg.norm(placed[:, 3:], axis=1, keepdims=True)
    return placed


def answer(chunk: int, count: int) -> tuple[np.ndarray, str]:
    """The distances of a box and a cone in random poses, and a digest of all that was answered."""
    random = np.random.default_rng([1, chunk])
    found = tactus.distance_batch(tactus.Box([1, 0.5, 0.8]), poses(random, count), tactus.Cone(0.5, 1), poses(random, count), max_threads=1)
    digest = hashlib.sha256()
    for name, column in sorted(tactus.columns(found).items()):
        digest.update(name.encode() + np.ascontiguousarray(column).tobytes())
    return found["distance"].copy(), digest.hexdigest()


def chunks(questions: int) -> list[tuple[int, int]]:
    """Numbers of chunks and their questions."""
    return [(first // CHUNK, min(CHUNK, questions - first)) for first in range(0, questions, CHUNK)]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--scheduler")
    arguments = parser.parse_args()
    try:
        from distributed import Client, LocalCluster  # type: ignore
    except ImportError:
        print("skipped: dask's distributed is not installed (python3-distributed)")
        return 0
    parts = chunks(arguments.questions)
    start = time.perf_counter()
    alone = [answer(*part) for part in parts]
    one = time.perf_counter() - start
    here = None
    if arguments.scheduler is None:
        here = LocalCluster(n_workers=arguments.workers, threads_per_worker=1, processes=True, dashboard_address=None)
    with Client(here or arguments.scheduler) as client:
        start = time.perf_counter()
        many = client.gather(client.map(answer, *zip(*parts), pure=False))
        shared = time.perf_counter() - start
        workers = len(client.scheduler_info()["workers"])
    if here is not None:
        here.close()
    assert [digest for _, digest in many] == [digest for _, digest in alone]
    distances = np.concatenate([column for column, _ in many])
    assert distances.tobytes() == np.concatenate([column for column, _ in alone]).tobytes()
    print(f"{len(distances)} questions in {len(parts)} chunks: {one:.2f} s in one process, {shared:.2f} s in {workers}, the same bits")
    print(f"distances from {distances.min():.6f} to {distances.max():.6f}, {np.count_nonzero(distances < 0)} overlap")
    return 0


if __name__ == "__main__":
    sys.exit(main())
