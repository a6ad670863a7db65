"""Worlds: bodies as arrays, the same bits as the program, interrupts, errors."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import tactus

ROOT = Path(__file__).resolve().parents[3]


def pile(**settings):
    world = tactus.World(**settings)
    world.add(tactus.HalfSpace([0, 0, 1], 0), type="fixed")
    for i in range(5):
        world.add(tactus.Box([0.5, 0.5, 0.5]), pose=[0, 0, 0.25 + 0.5 * i], material=tactus.Material(friction=0.6))
    return world


def test_a_pile_rests():
    world = pile()
    world.step(60)
    assert world.step_count == 60
    assert world.time == pytest.approx(1.0)
    assert world.positions.shape == (6, 3)
    assert np.allclose(world.positions[1:, 2], 0.25 + 0.5 * np.arange(5), atol=2e-3)
    assert np.abs(world.linear_velocities).max() < 1e-2
    assert world.statistics.contacts == 5
    weight = sum(c.normal_impulse for c in world.contacts if c.body_a == 1) / world.contact_time
    assert weight == pytest.approx(5 * 9.81 * world.body(2).mass.mass, rel=1e-2)
    hit = world.ray_cast([0, 0, 10], [0, 0, -1])
    assert hit.body == world.ids[-1]
    assert world.overlapping(tactus.Sphere(0.1), [0, 0, 0.25]) == [2]


def test_the_same_bits_for_any_number_of_threads_and_after_restore():
    hashes = set()
    for threads in (1, 2):
        world = pile(max_threads=threads)
        world.step(20)
        state = world.save()
        world.step(20)
        hashes.add(world.state_hash())
        world.restore(state)
        world.step(20)
        hashes.add(world.state_hash())
    assert len(hashes) == 1


def test_joints_and_forces():
    world = tactus.World(gravity=[0, 0, 0])
    post = world.add(tactus.Box([0.1, 0.1, 2]), type=tactus.BodyType.fixed)
    door = world.add(tactus.Box([0.9, 0.05, 2]), pose=[0.5, 0, 0])
    world.joint_at("hinge", post, door, [0.05, 0, 0])
    for _ in range(30):
        world.apply_force(door, [0, 100, 0])
        world.step()
    assert world.body(door).angular_velocity[2] > 0.1
    assert np.hypot(*(world.body(door).center_of_mass[:2] - [0.05, 0])) == pytest.approx(0.45, abs=1e-3)


def test_a_wall_keeps_a_force_and_a_space_is_sheared():
    world = tactus.World()
    block = world.add(tactus.Box([1, 1, 1]), pose=[0, 0, 0.6])
    weight = 9.81 * world.body(block).mass.mass
    servo = tactus.Servo(axis=[0, 0, 1], force=2 * weight, max_speed=0.2)
    lift = world.add(tactus.Box([2, 2, 0.1]), type=tactus.BodyType.kinematic, servo=servo)
    assert world.body(lift).has_servo and world.body(lift).servo == servo
    world.step(240)
    assert world.servos[0].body == lift
    assert world.servos[0].load == pytest.approx(weight, rel=1e-3)
    assert 0.02 < world.body(block).linear_velocity[2] < 0.1
    world.set_servo(lift, None)
    world.step()
    assert not world.servos

    axis = tactus.PeriodicAxis(0, 2)
    shear = tactus.PeriodicShear(flow=0, gradient=2, rate=0.5)
    sheared = tactus.World(gravity=[0, 0, 0], periodic=[axis, axis, axis], shear=shear)
    ball = sheared.add(tactus.Sphere(0.1), pose=[1, 1, 1.9], linear_velocity=[0, 0, 1])
    sheared.step(30)
    assert sheared.body(ball).linear_velocity[0] == -1.0


def test_contacts_are_springs():
    world = tactus.World(gravity=[0, 0, 0], elastic=tactus.ElasticContacts(young=1e7, poisson=0.3))
    elastic = tactus.Material(restitution=1.0)
    first = world.add(tactus.Sphere(0.2), linear_velocity=[1, 0, 0], material=elastic)
    second = world.add(tactus.Sphere(0.2), pose=[0.5, 0, 0], material=elastic)
    world.step(30)
    assert world.statistics.substeps == 11  # small steps of the springs
    assert world.body(second).linear_velocity[0] == pytest.approx(1.0, abs=1e-3)
    assert world.body(first).linear_velocity[0] == pytest.approx(0.0, abs=1e-3)
    with pytest.raises(ValueError, match="shape: must be a sphere"):
        world.add(tactus.Box([1, 1, 1]))


def test_impulse_world_meets_the_ground_in_time():
    world = tactus.ImpulseWorld(time_step=1 / 60)
    world.add(tactus.HalfSpace([0, 0, 1], 0), type="fixed")
    ball = world.add(tactus.Sphere(0.5), pose=[0, 0, 1.5], material=tactus.Material(restitution=0.5))
    world.step(40)
    t = world.time - np.sqrt(2 / 9.81)
    assert world.body(ball).linear_velocity[2] == pytest.approx(0.5 * np.sqrt(2 * 9.81) - 9.81 * t, abs=1e-9)


def test_a_scene_has_the_hash_of_the_program(tmp_path):
    run = tactus.Run(ROOT / "scenes" / "mixed.json", ["recording.duration=1"])
    run.step(10)
    assert run.world.step_count == 10
    assert "<html" in run.html()[:200].lower()
    run.write(tmp_path / "mixed.tactus")
    again = tactus.Run(ROOT / "scenes" / "mixed.json")
    again.step(10)
    assert again.world.state_hash() == run.world.state_hash()


def test_ctrl_c_ends_a_long_run_after_a_step():
    world = pile()
    # A shell starts programs in the background without it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        world.step(10_000_000)
    assert time.monotonic() - start < 5
    steps = world.step_count
    world.step()
    assert world.step_count == steps + 1


def test_threads_run_beside_each_other():
    worlds = [pile(max_threads=1) for _ in range(2)]
    threads = [threading.Thread(target=w.step, args=(30,)) for w in worlds]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert worlds[0].state_hash() == worlds[1].state_hash()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda w: w.add(tactus.Sphere(1), colour="red"), "colour: is no field of a BodyDefinition"),
        (lambda w: w.add(tactus.Sphere(1), linear_velocity=[1, 2]), "linear_velocity: must be 3 numbers"),
        (lambda w: w.add(tactus.HalfSpace([0, 0, 1], 0)), "shape"),
        (lambda w: w.add(tactus.Sphere(1), material=tactus.Material(friction=-1)), "friction"),
        (lambda w: w.body(99), "id"),
        (lambda w: w.set_velocity(99, [0, 0, 0], [0, 0, 0]), "id"),
        (lambda w: tactus.World(gravitation=1), "gravitation: is no field of a WorldSettings"),
        (lambda w: tactus.World(time_step=-1), "time_step"),
    ],
)
def test_errors_name_the_field(call, message):
    with pytest.raises(ValueError, match=message):
        call(tactus.World())


def test_a_missing_file_is_an_oserror(tmp_path):
    with pytest.raises(OSError, match="nowhere.json"):
        tactus.Run(tmp_path / "nowhere.json")
