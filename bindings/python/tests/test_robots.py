"""Robots: kinematics, clearance, proved paths, files."""

import math
import pickle

import numpy as np
import pytest

import tactus
from tactus import io

URDF = """<robot name="arm"><link name="base"/>
<link name="upper"><collision><origin xyz="0.3 0 0"/><geometry><box size="0.6 0.08 0.08"/></geometry></collision></link>
<link name="lower"><collision><origin xyz="0.3 0 0"/><geometry><box size="0.6 0.08 0.08"/></geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.6 0 0"/><axis xyz="0 0 1"/><limit lower="-2.5" upper="2.5"/></joint>
</robot>"""


def arm() -> tactus.Robot:
    bar = tactus.RobotBody(tactus.Box([0.6, 0.08, 0.08]), [0.3, 0, 0])
    links = [tactus.RobotLink("base"), tactus.RobotLink("upper", [bar]), tactus.RobotLink("lower", [bar])]
    joints = [
        tactus.RobotJoint(name="shoulder", type="revolute", parent=0, child=1, axis=[0, 0, 1], lower=-3, upper=3),
        tactus.RobotJoint(name="elbow", type="revolute", parent=1, child=2, origin=[0.6, 0, 0], axis=[0, 0, 1], lower=-2.5, upper=2.5),
    ]
    return tactus.Robot("arm", links, joints)


def cell(gap: float = 0.25) -> tactus.RobotCollision:
    """A wall whose face is `gap` from the end of the stretched arm."""
    wall = tactus.RobotBody(shape=tactus.Box([0.2, 4, 4]), pose=[1.2 + gap + 0.1, 0, 0], name="wall")
    return tactus.RobotCollision(arm(), [], [wall])


def test_kinematics():
    robot = arm()
    assert (robot.name, robot.root, len(robot.links), robot.find_link("lower"), robot.find_joint("none")) == ("arm", 0, 3, 2, None)
    assert [c.name for c in robot.coordinates] == ["shoulder", "elbow"] and robot.coordinates[1].upper == 2.5
    a, b = 0.7, -1.1
    end = robot.link_poses([a, b])[2].to_world([0.6, 0, 0])
    assert np.allclose(end, [0.6 * math.cos(a) + 0.6 * math.cos(a + b), 0.6 * math.sin(a) + 0.6 * math.sin(a + b), 0], atol=1e-15)
    assert np.array_equal(robot.zero_configuration, [0, 0])
    assert tactus.movable_pairs(robot) == []  # the bars are adjacent


def test_refusals_name_the_element():
    with pytest.raises(tactus.InvalidInput, match="links"):
        tactus.Robot("none", [], [])
    with pytest.raises(tactus.InvalidInput, match="configuration"):
        arm().link_poses([0])
    with pytest.raises(tactus.InvalidInput, match="configurations"):
        cell().certify_edges(np.zeros((3, 2, 5)))
    with pytest.raises(tactus.InvalidInput, match="claims"):
        cell().certify(tactus.straight_segment([0, 0], [1, 0]), claims=())
    with pytest.raises(tactus.InvalidInput, match="shape"):
        tactus.RobotBody()


def test_clearance_is_a_bracket_with_its_pair():
    found = cell(0.25).clearance([0, 0], below=1.0, gradient=True)
    assert found.lower <= 0.25 + 1e-12 and found.upper >= 0.25 - 1e-12 and found.upper - found.lower < 1e-9
    assert (found.least.link_a, found.least.link_b) == (2, -1)
    assert len(found.below) == 2 and found.below[0].distance.distance <= found.below[1].distance.distance
    # With the arm bent by the shoulder the end's corner comes nearer or goes: the derivative of x at the corner.
    turned = cell(0.25).clearance([0.4, 0], gradient=True)
    step = 1e-6
    more, less = (cell(0.25).clearance([0.4 + s, 0]).least.distance.distance for s in (step, -step))
    assert turned.gradient[0] == pytest.approx((more - less) / (2 * step), abs=1e-6)


def test_a_cache_changes_no_truth():
    cache = tactus.RobotCache()
    for angle in np.linspace(0, 1, 11):
        plain, kept = cell().clearance([angle, 0.3]), cell().clearance([angle, 0.3], cache=cache)
        assert kept.lower <= plain.upper and plain.lower <= kept.upper
    assert len(cache.pairs) > 0


def test_paths_are_proved_or_meet():
    # The end of the stretched arm, a corner of its bar: x = 1.2 cos q + 0.04 sin q. It meets a wall at 1.0 on the way in.
    wall = tactus.RobotBody(shape=tactus.Box([0.2, 4, 4]), pose=[1.1, 0, 0])
    near = tactus.RobotCollision(arm(), [], [wall])
    answer = near.certify(tactus.straight_segment([1.5, 0], [0, 0]), tolerance=1e-9)
    first = 1.5 * (1 - answer.upper)
    assert str(answer.verdict) == "below" and answer.upper - answer.lower < 1e-8
    assert 1.2 * math.cos(first) + 0.04 * math.sin(first) == pytest.approx(1.0, abs=1e-7)
    claims: list[tactus.PathClaim] = []
    segment = tactus.straight_segment([1.5, 0], [0.9, 0])
    answer = near.certify(segment, clearance=0.01, claims=claims)
    assert str(answer.verdict) == "free" and (answer.lower, answer.upper) == (1, 1) and claims
    assert near.check_free(segment, 0.01, claims) == ""
    assert near.check_free(segment, 0.01, [c for c in claims if c.end == c.begin]) != ""
    assert segment[0].at(0.5) == pytest.approx(1.2)


def test_edges_have_the_bits_of_single_segments():
    rng = np.random.default_rng(1)
    edges = rng.uniform(-2, 2, (20, 2, 2))
    for edge, answer in zip(edges, cell(-0.2).certify_edges(edges)):
        single = cell(-0.2).certify(tactus.straight_segment(*edge), cache=tactus.RobotCache())
        assert (single.verdict, single.lower, single.upper, single.intervals) == (answer.verdict, answer.lower, answer.upper, answer.intervals)


def test_pairs_are_sorted():
    robot = arm()
    report = {(p.pair.a, p.pair.b): p for p in tactus.classify_pairs(robot, samples=50)}
    assert str(report[1, 2].contact) == "adjacent" and report[1, 2].proved


def test_files(tmp_path):
    (tmp_path / "arm.urdf").write_text(URDF, encoding="utf-8")
    (tmp_path / "arm.srdf").write_text('<robot name="arm"><disable_collisions link1="upper" link2="lower"/></robot>', encoding="utf-8")
    (tmp_path / "rows.csv").write_text("time,elbow\n0,0.5\n2,1.5\n", encoding="utf-8")
    assert io.reads_robots()
    warnings: list[str] = []
    robot = io.read_robot(tmp_path / "arm.urdf", warnings=warnings)
    assert warnings == []
    for mine, read in zip(arm().link_poses([0.3, 0.4]), robot.link_poses([0.3, 0.4])):
        assert repr(mine) == repr(read)
    assert [(p.a, p.b) for p in io.read_disabled_pairs(tmp_path / "arm.srdf", robot)] == [(1, 2)]
    table = io.read_configurations(tmp_path / "rows.csv", robot)
    assert table.timed and list(table.times) == [0, 2] and [list(row) for row in table.rows] == [[0, 0.5], [0, 1.5]]
    (tmp_path / "broken.urdf").write_text(URDF.replace('link="upper"/><axis', 'link="uper"/><axis'), encoding="utf-8")
    with pytest.raises(tactus.FileError, match="uper"):
        io.read_robot(tmp_path / "broken.urdf")
    mesh = URDF.replace('<box size="0.6 0.08 0.08"/>', '<mesh filename="none.obj"/>', 1)
    (tmp_path / "mesh.urdf").write_text(mesh, encoding="utf-8")
    with pytest.raises(tactus.FileError, match=r"none\.obj"):
        io.read_robot(tmp_path / "mesh.urdf")
    robot = io.read_robot(tmp_path / "mesh.urdf", leave_out_missing=True, warnings=warnings)
    assert robot.links[1].bodies == [] and len(warnings) == 1


SDF = """<sdf version="1.9"><world name="w">
<model name="floor"><link name="f"/></model>
<model name="arm"><link name="base"/><link name="upper"><pose relative_to="shoulder"/></link>
<joint name="shoulder" type="revolute"><pose relative_to="base">0.33333333333333331 0 0 0 0 0</pose><parent>base</parent>
<child>upper</child><axis><xyz>0 0 1</xyz></axis></joint></model></world></sdf>
"""


def test_sdf(tmp_path):
    (tmp_path / "arm.sdf").write_text(SDF, encoding="utf-8")
    if not io.reads_sdf():
        with pytest.raises(tactus.FileError, match="libsdformat was not found"):
            io.read_robot(tmp_path / "arm.sdf")
        return
    robot = io.read_robot(tmp_path / "arm.sdf", model="arm")
    assert robot.name == "arm" and robot.link_poses([0.5])[1].position[0] == 1 / 3
    with pytest.raises(tactus.FileError, match="several models"):
        io.read_robot(tmp_path / "arm.sdf")


def test_robots_beside_each_other():
    both = tactus.join_robots("both", [tactus.RobotPart(arm()), tactus.RobotPart(arm(), "left", [0, 2.2, 0], "planar")])
    assert [c.name for c in both.coordinates] == ["shoulder", "elbow", "left/base/x", "left/base/y", "left/base/angle", "left/shoulder", "left/elbow"]
    poses = both.link_poses([0, 0, 1, 0.5, 0, 0, 0])
    lower = both.find_link("left/lower")
    assert lower is not None and np.allclose(poses[lower].position, [1.6, 2.7, 0], atol=1e-15)
    # The stretched arms meet where both have turned by the angle whose sine is 1.1 / 1.2, less what the bars' widths take.
    pair = tactus.RobotCollision(both)
    to = np.array([1.3, 0, 0, 0, 0, -1.3, 0])
    answer = pair.certify(tactus.straight_segment(np.zeros(7), to))
    assert str(answer.verdict) == "below"
    angle = 1.3 * answer.upper
    assert 1.2 * math.sin(angle) + 0.04 * math.cos(angle) == pytest.approx(1.1, abs=1e-5)


def test_bodies_that_move():
    ball = tactus.RobotBody(tactus.Sphere(0.1), [0.9, 2, 0], "ball")
    robot = tactus.add_obstacles(arm(), [tactus.MovingObstacle(ball, linear_velocity=[0, -0.5, 0])])
    assert [c.name for c in robot.coordinates] == ["shoulder", "elbow", "time"]
    found = robot.find_link("ball")
    assert found is not None and robot.links[found].obstacle and not robot.links[1].obstacle
    live = tactus.RobotCollision(robot)
    # The resting arm's side is at y = 0.04: the ball is there at 2 - 0.5 t - 0.1 = 0.04.
    answer = live.certify(tactus.straight_segment([0, 0, 0], [0, 0, 4]))
    assert str(answer.verdict) == "below" and 4 * answer.upper == pytest.approx(3.72, abs=1e-5)
    claims: list[tactus.PathClaim] = []
    early = tactus.straight_segment([0, 0, 0], [0, 0, 3.5])
    assert str(live.certify(early, claims=claims).verdict) == "free" and live.check_free(early, 0, claims) == ""
    free = tactus.add_obstacles(arm(), [tactus.MovingObstacle(ball)])
    assert [c.name for c in free.coordinates][2:] == [f"ball/{part}" for part in ("x", "y", "z", "roll", "pitch", "yaw")]


def test_bodies_of_scenes(tmp_path):
    body = '{"name": "NAME", "type": "TYPE", "shape": {"type": "sphere", "radius": 0.1}, "linear_velocity": [1, 0, 0]}'
    bodies = [body.replace("NAME", name).replace("TYPE", kind) for name, kind in (("still", "fixed"), ("moves", "kinematic"))]
    (tmp_path / "cell.json").write_text('{"bodies": [' + ",".join(bodies) + "]}", encoding="utf-8")
    found = io.scene_obstacles(io.read_scene(tmp_path / "cell.json"))
    assert [b.name for b in found.resting] == ["still"] and [o.body.name for o in found.moving] == ["moves"]
    assert np.array_equal(found.moving[0].linear_velocity, [1, 0, 0])


def test_robots_are_pickled():
    kept = pickle.loads(pickle.dumps(cell()))
    assert repr(kept) == repr(cell()) == "RobotCollision('arm', 0 pairs, 1 obstacles)"
    assert kept.clearance([0.2, 0.3]).lower == cell().clearance([0.2, 0.3]).lower
    assert repr(pickle.loads(pickle.dumps(arm()))) == "Robot('arm', 3 links, 2 coordinates)"
