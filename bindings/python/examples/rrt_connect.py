"""A planner whose edges are proved, not sampled: RRT-connect in the joint space of an arm between poles that are 2 mm thick.

Two trees grow from start and goal towards random configurations. All edges that a round proposes are answered in one batch by
`certify_edges`, so that an edge of the plan is free at every point of it. Draws the plan, where matplotlib is installed.
"""

import numpy as np

import tactus

LENGTHS = (0.5, 0.45, 0.35)
STEP = 0.6  # longest edge, in radians
CLEARANCE = 0.005


def arm() -> tactus.Robot:
    """Three bars on hinges, in the plane z = 0."""
    links, joints = [tactus.RobotLink("base")], []
    for i, length in enumerate(LENGTHS):
        bar = tactus.RobotBody(tactus.Capsule(0.02, length), (np.array([length / 2, 0, 0]), np.array([np.sqrt(0.5), 0, np.sqrt(0.5), 0])))
        links.append(tactus.RobotLink(f"bar{i}", [bar]))
        joints.append(tactus.RobotJoint(name=f"joint{i}", type="revolute", parent=i, child=i + 1, axis=[0, 0, 1], lower=-2.9, upper=2.9,
                                        origin=[LENGTHS[i - 1] if i else 0, 0, 0]))
    return tactus.Robot("arm", links, joints)


def poles() -> list[tactus.RobotBody]:
    """Pairs of poles with a gap between: the arm must be threaded through them."""
    places = [(0.75, 0.35), (0.62, 0.52), (0.75, -0.35), (0.9, 0.05), (-0.5, 0.5), (0.1, 0.8), (0.35, -0.7)]
    return [tactus.RobotBody(shape=tactus.Cylinder(0.001, 1), pose=[x, y, 0], name=f"pole{i}") for i, (x, y) in enumerate(places)]


class Tree:
    """Configurations, each with the one that it was reached from."""

    def __init__(self, root: np.ndarray):
        self.nodes, self.parents = [root], [-1]

    def nearest(self, target: np.ndarray) -> int:
        return int(np.argmin(np.linalg.norm(np.array(self.nodes) - target, axis=1)))

    def add(self, node: np.ndarray, parent: int) -> int:
        self.nodes.append(node)
        self.parents.append(parent)
        return len(self.nodes) - 1

    def way_to(self, node: int) -> list[np.ndarray]:
        way = []
        while node >= 0:
            way.append(self.nodes[node])
            node = self.parents[node]
        return way[::-1]


class Planner:
    """RRT-connect with proofs. `proved` counts the edges that were asked."""

    def __init__(self, cell: tactus.RobotCollision, rng: np.random.Generator, batch: int = 16):
        self.cell, self.rng, self.batch, self.proved = cell, rng, batch, 0
        coordinates = cell.robot.coordinates
        self.low, self.high = np.array([c.lower for c in coordinates]), np.array([c.upper for c in coordinates])

    def free(self, edges: np.ndarray) -> list[bool]:
        self.proved += len(edges)
        answers = self.cell.certify_edges(edges, clearance=CLEARANCE, first=False)
        return [str(answer.verdict) == "free" for answer in answers]

    def extend(self, tree: Tree) -> list[int]:
        """Edges towards random configurations, proved all at once. The nodes that were added."""
        targets = self.rng.uniform(self.low, self.high, (self.batch, len(self.low)))
        near = [tree.nearest(target) for target in targets]
        starts = np.array([tree.nodes[i] for i in near])
        ways = targets - starts
        ends = starts + ways * np.minimum(1, STEP / np.linalg.norm(ways, axis=1))[:, None]
        edges = np.stack([starts, ends], axis=1)
        return [tree.add(end, parent) for end, parent, free in zip(ends, near, self.free(edges)) if free]

    def connect(self, tree: Tree, target: np.ndarray) -> int:
        """Edges from the nearest node to the target: all are proved at once, and kept up to the first that is not free."""
        node = tree.nearest(target)
        steps = max(1, int(np.ceil(np.linalg.norm(target - tree.nodes[node]) / STEP)))
        way = np.linspace(tree.nodes[node], target, steps + 1)
        for end, free in zip(way[1:], self.free(np.stack([way[:-1], way[1:]], axis=1))):
            if not free:
                return -1
            node = tree.add(end, node)
        return node

    def plan(self, start: np.ndarray, goal: np.ndarray, rounds: int = 500) -> np.ndarray:
        trees = [Tree(start), Tree(goal)]
        for turn in range(rounds):
            growing, other = trees[turn % 2], trees[1 - turn % 2]
            for node in self.extend(growing):
                met = self.connect(other, growing.nodes[node])
                if met < 0:
                    continue
                halves = [growing.way_to(node), other.way_to(met)][:: 1 if turn % 2 == 0 else -1]
                return np.array(halves[0] + halves[1][::-1][1:])
        raise RuntimeError("no plan was found")

    def shorten(self, plan: np.ndarray, tries: int = 10) -> np.ndarray:
        """Leaves out what lies between two configurations that a free edge joins."""
        for _ in range(tries):
            pairs = [(i, k) for i in range(len(plan)) for k in range(i + 2, len(plan))]
            if not pairs:
                break
            free = self.free(np.array([[plan[i], plan[k]] for i, k in pairs]))
            cuts = [pair for pair, ok in zip(pairs, free) if ok]
            if not cuts:
                break
            i, k = max(cuts, key=lambda pair: pair[1] - pair[0])
            plan = np.concatenate([plan[: i + 1], plan[k:]])
        return plan


def corners(robot: tactus.Robot, q: np.ndarray) -> np.ndarray:
    """The joints and the tip of the arm, in the plane."""
    poses = robot.link_poses(q)
    points = [pose.position for pose in poses[1:]] + [poses[-1].to_world([LENGTHS[-1], 0, 0])]
    return np.array(points)[:, :2]


def main() -> None:
    robot = arm()
    cell = tactus.RobotCollision(robot, tactus.movable_pairs(robot), poles())
    start, goal = np.array([-1.3, 0.9, 0.4]), np.array([1.4, -0.5, -0.6])
    direct = cell.certify(tactus.straight_segment(start, goal), clearance=CLEARANCE)
    print(f"straight: {direct.verdict}, at {direct.lower:.4f} of the way")
    assert str(direct.verdict) == "below"

    planner = Planner(cell, np.random.default_rng(7))
    plan = planner.shorten(planner.plan(start, goal))
    print(f"plan of {len(plan) - 1} edges, {planner.proved} edges proved or refused")
    assert np.array_equal(plan[0], start) and np.array_equal(plan[-1], goal)

    # The claims of each edge prove it again, without the search.
    for a, b in zip(plan[:-1], plan[1:]):
        claims: list[tactus.PathClaim] = []
        segment = tactus.straight_segment(a, b)
        assert str(cell.certify(segment, clearance=CLEARANCE, claims=claims).verdict) == "free"
        assert cell.check_free(segment, CLEARANCE, claims) == ""
    try:
        import matplotlib  # type: ignore
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot  # type: ignore

    figure, axes = pyplot.subplots(figsize=(6, 6))
    way = np.concatenate([np.linspace(a, b, 12) for a, b in zip(plan[:-1], plan[1:])])
    for i, q in enumerate(way):
        axes.plot(*corners(robot, q).T, color=pyplot.colormaps["viridis"](i / len(way)), alpha=0.35, linewidth=4, solid_capstyle="round")
    tips = np.array([corners(robot, q)[-1] for q in way])
    axes.plot(*tips.T, color="black", linewidth=1, label="way of the tip")
    axes.plot(*np.array([body.pose.position[:2] for body in cell.obstacles]).T, "r.", label="poles of 2 mm")
    axes.set_aspect("equal")
    axes.legend(loc="lower left")
    figure.savefig("rrt_connect.png", dpi=120)


if __name__ == "__main__":
    main()
