"""Long calls: Ctrl-C, threads, the end of the interpreter, errors of the caller's own code within."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import tactus


def interrupted(call):
    """Seconds from Ctrl-C to its error, of the clock or of the processors, whichever are fewer: other programs may have them."""
    # A shell starts programs in the background without it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wait = 0.3
    begin = time.monotonic(), time.process_time()
    # Another process: a thread of this one would wait for the interpreter, which a single query keeps.
    sender = subprocess.Popen(["sh", "-c", f"sleep {wait}; kill -INT {os.getpid()}"])
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
    finally:
        sender.wait()
    return min(time.monotonic() - begin[0], time.process_time() - begin[1]) - wait


def many_pairs(count):
    random = np.random.default_rng(1)
    shapes = [tactus.Convex(random.normal(size=(60, 3))) for _ in range(50)]
    poses = np.zeros((50, 7))
    poses[:, :3] = random.uniform(-4, 4, (50, 3))
    poses[:, 3] = 1
    return shapes, poses, random.integers(0, 50, (count, 2))


def test_ctrl_c_ends_a_batch():
    shapes, poses, pairs = many_pairs(1_500_000)
    options = tactus.QueryOptions(method="gjk")
    assert interrupted(lambda: tactus.distances(shapes, poses, pairs, options=options, max_threads=1)) < 1


def torus(count):
    """A torus of radii 2 and 1 over a grid of so many rows and columns: its vertices and triangles."""
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    rings = [np.c_[(2 + np.cos(s)) * np.cos(t), (2 + np.cos(s)) * np.sin(t), np.full(count, np.sin(s))] for s in t]
    places = np.arange(count * count).reshape(count, count)
    right, up = np.roll(places, -1, 1), np.roll(places, -1, 0)
    corner = np.roll(up, -1, 1)
    faces = np.concatenate([np.c_[places.ravel(), corner.ravel(), right.ravel()], np.c_[places.ravel(), up.ravel(), corner.ravel()]])
    return np.concatenate(rings), faces


def test_ctrl_c_ends_a_decomposition():
    mesh = tactus.TriangleMesh(*torus(60))
    assert interrupted(lambda: tactus.fit.decompose(mesh, concavity=0.001)) < 1


def on_a_sphere(count):
    points = np.random.default_rng(1).normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


@pytest.mark.parametrize("method", ["quickhull", "horizon"])
@pytest.mark.parametrize("max_threads", [0, 1])
def test_ctrl_c_ends_a_hull(method, max_threads):
    points = on_a_sphere(2_000_000)
    assert interrupted(lambda: tactus.convex_hull(points, method=method, max_threads=max_threads)) < 1


def test_ctrl_c_ends_a_limited_hull():
    points = on_a_sphere(1_000_000)
    assert interrupted(lambda: tactus.limited_hull(points, 900_000)) < 1


def test_ctrl_c_ends_the_making_of_a_mesh():
    vertices, faces = torus(1500)
    assert interrupted(lambda: tactus.Mesh(vertices, faces)) < 1


@pytest.mark.parametrize("ask", [tactus.distance, tactus.contacts])
def test_ctrl_c_ends_a_query_of_two_meshes(ask):
    mesh = tactus.Mesh(*torus(400))
    # They meet along their whole surfaces.
    def again():
        while True:
            ask(mesh, None, mesh, [1e-9, 0, 0])

    assert interrupted(again) < 1
    far = tactus.distance(mesh, None, mesh, [8, 0, 0])
    assert far.distance == pytest.approx(2, abs=1e-3) and far.status == tactus.Status.converged


def test_a_cache_is_true_after_ctrl_c():
    mesh, cache, pose = tactus.Mesh(*torus(400)), tactus.QueryCache(), [2e-3, 1e-3, 3e-3]

    def again():
        while True:
            tactus.contacts(mesh, None, mesh, pose, cache=cache)

    assert interrupted(again) < 1
    found = tactus.distance(mesh, None, mesh, [8, 0, 0], cache=cache)
    assert found.lower <= 2 + 1e-3 and found.upper >= 2 - 1e-3


@pytest.mark.parametrize("broad", [tactus.BruteForce, tactus.SweepAndPrune, tactus.DynamicTree, tactus.HashGrid])
def test_ctrl_c_ends_find_pairs_of_an_object(broad):
    count, found = 30_000, broad()
    assert interrupted(lambda: found.find_pairs(np.zeros((count, 3)), np.ones((count, 3)))) < 1
    assert found.find_pairs([[0, 0, 0], [0.5, 0, 0]], [[1, 1, 1], [2, 1, 1]]).tolist() == [[0, 1]]


def test_ctrl_c_ends_a_list_of_very_many_pairs():
    count = 12_000  # 72 million pairs
    assert interrupted(lambda: tactus.find_pairs(np.zeros((count, 3)), np.ones((count, 3)))) < 1


def test_a_world_is_refused_to_other_threads_while_it_steps():
    world = tactus.World(max_threads=1)
    world.add(tactus.HalfSpace([0, 0, 1], 0), type="fixed")
    for i in range(30):
        world.add(tactus.Box([1, 1, 1]), pose=[0, 0, 0.5 + i])
    stepping = threading.Thread(target=world.step, args=(1000,))
    stepping.start()
    time.sleep(0.05)
    refused = False
    while stepping.is_alive() and not refused:
        try:
            world.positions
        except RuntimeError as error:
            refused = "another thread" in str(error)
    stepping.join()
    assert refused
    assert world.step_count == 1000


def test_threads_ask_at_the_same_time():
    shapes, poses, pairs = many_pairs(3000)
    expected = tactus.distances(shapes, poses, pairs)
    found: list = [None] * 4

    def ask(i):
        found[i] = tactus.distances(shapes, poses, pairs, max_threads=1)

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(np.array_equal(f, expected) for f in found)


@pytest.mark.parametrize("work", ["world.step(10**9)", "tactus.distances(shapes, poses, pairs)", "tactus.distances([custom], poses, pairs)"])
def test_the_interpreter_ends_while_threads_run(work):
    program = f"""
import threading, time
import numpy as np
import tactus
world = tactus.World()
world.add(tactus.Sphere(1))
random = np.random.default_rng(1)
shapes = [tactus.Convex(random.normal(size=(60, 3))) for _ in range(50)]
custom = tactus.CustomConvex(lambda d: d / np.linalg.norm(d))
poses = np.c_[random.uniform(-4, 4, (50, 3)), np.ones(50), np.zeros((50, 3))]
pairs = random.integers(0, 50, (400_000, 2))
def run():
    while True:
        {work}
for _ in range(2):
    threading.Thread(target=run, daemon=True).start()
    world = tactus.World()
time.sleep(0.3)
"""
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - start < 20


def test_what_runs_last_may_still_ask():
    program = """
import atexit
def last():
    import numpy as np
    import tactus
    print(tactus.distances([tactus.Sphere(1)], np.array([[0.0, 0, 0, 1, 0, 0, 0], [3, 0, 0, 1, 0, 0, 0]]), [[0, 1]])["distance"][0])
atexit.register(last)
import tactus
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "1.0", done.stderr


def test_errors_of_the_callers_code_come_through():
    def wrong(_):
        raise KeyError("mine")

    ball = tactus.Sphere(1)
    for shape in (tactus.CustomConvex(wrong), tactus.CustomConvex(lambda d: "text")):
        with pytest.raises((KeyError, ValueError)):
            tactus.distance(shape, None, ball, [3, 0, 0])
        with pytest.raises((KeyError, ValueError)):
            tactus.distances([shape, ball], np.array([[0.0, 0, 0, 1, 0, 0, 0], [3, 0, 0, 1, 0, 0, 0]]), [[0, 1]])
    assert tactus.distance(ball, None, ball, [3, 0, 0]).distance == 1

    class Broken(tactus.Observer):
        def simplex(self, event):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        tactus.distance(tactus.Cylinder(0.5, 2), None, tactus.Cone(0.7, 1.5), [3, 0, 1], tactus.QueryOptions(method="gjk", observer=Broken()))


def test_a_rule_of_contacts_in_python():
    world = tactus.World()
    world.add(tactus.HalfSpace([0, 0, 1], 0), type="fixed")
    ball = world.add(tactus.Sphere(0.5), pose=[0, 0, 0.6])

    def rule(contact, terms):
        terms.ignored = contact.body_b.id == ball

    world.set_contact_rule(rule)
    world.step(60)
    assert world.body(ball).center_of_mass[2] < -1

    def wrong(contact, terms):
        raise KeyError("mine")

    world.set_contact_rule(wrong)
    world.set_pose(ball, [0, 0, 0.5])
    with pytest.raises(KeyError, match="mine"):
        world.step(2)


@pytest.mark.parametrize("seed", range(4))
def test_no_call_ends_the_interpreter(seed, tmp_path):
    program = Path(__file__).parent / "random_calls.py"
    ran = subprocess.run([sys.executable, program, str(seed), "20000"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout[-300:] + ran.stderr[-2000:]
    assert int(ran.stdout.split()[-1]) > 5000


def test_old_pickle_protocols_end_no_interpreter():
    """They make bare objects of pybind11's base, which alone ends the interpreter."""
    assert repr(pickle.loads(pickle.dumps(tactus.Sphere(1), 0))) == "Sphere(1.0)"
    for value in [tactus.Pose(), tactus.QueryOptions()]:
        for protocol in (0, 1):
            with pytest.raises(TypeError, match="protocol 2"):
                pickle.dumps(value, protocol)
