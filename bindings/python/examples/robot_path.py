"""A robot arm beside a post: the clearance along a motion, and the proof that a way around the post is free. Draws the clearance,
where matplotlib is installed.
"""

import numpy as np

import tactus


def arm() -> tactus.Robot:
    """Two bars on hinges, in the plane z = 0."""
    bar = tactus.RobotBody(tactus.Box([0.6, 0.08, 0.08]), [0.3, 0, 0])
    links = [tactus.RobotLink("base"), tactus.RobotLink("upper", [bar]), tactus.RobotLink("lower", [bar])]
    joints = [
        tactus.RobotJoint(name="shoulder", type="revolute", parent=0, child=1, axis=[0, 0, 1], lower=-3, upper=3),
        tactus.RobotJoint(name="elbow", type="revolute", parent=1, child=2, origin=[0.6, 0, 0], axis=[0, 0, 1], lower=-2.5, upper=2.5),
    ]
    return tactus.Robot("arm", links, joints)


def main() -> None:
    robot = arm()
    post = tactus.RobotBody(shape=tactus.Cylinder(0.05, 1), pose=[0.75, 0.75, 0], name="post")
    cell = tactus.RobotCollision(robot, tactus.movable_pairs(robot), [post])
    stretched = np.array([[0, 0], [1.5, 0]])
    folded = np.array([[0, 0], [0, 2.2], [1.5, 2.2], [1.5, 0]])

    straight = cell.certify(tactus.straight_segment(*stretched))
    print(f"stretched: {straight.verdict}, at {straight.lower:.6f} of the way")
    assert str(straight.verdict) == "below" and straight.lower <= straight.upper < 1

    edges = np.stack([folded[:-1], folded[1:]], axis=1)
    answers = cell.certify_edges(edges, clearance=0.01)
    print("folded:", ", ".join(str(answer.verdict) for answer in answers))
    assert all(str(answer.verdict) == "free" for answer in answers)

    times = np.linspace(0, 3, 301)
    path = np.stack([np.interp(times, range(4), folded[:, k]) for k in range(2)], axis=1)
    cache = tactus.RobotCache()
    clearance = np.array([cell.clearance(q, cache=cache).lower for q in path])
    print(f"least clearance on the way: {clearance.min():.4f}")
    assert clearance.min() > 0.01
    try:
        import matplotlib  # type: ignore
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot  # type: ignore

    pyplot.plot(times, clearance)
    pyplot.xlabel("time")
    pyplot.ylabel("clearance")
    pyplot.savefig("robot_path.png")


if __name__ == "__main__":
    main()
