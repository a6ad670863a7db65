"""Two columns of bodies have the answers of single calls, and wrong ones are named."""

from collections.abc import Sequence

import numpy as np
import pytest

import tactus


def columns(count=30, seed=5):
    random = np.random.default_rng(seed)
    poses = np.zeros((2, count, 7))
    poses[..., :3] = random.uniform(-2, 2, (2, count, 3))
    poses[..., 3:] = random.normal(size=(2, count, 4))
    poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
    return poses[0], poses[1]


def test_rows_are_single_answers():
    a, b = tactus.Cylinder(0.4, 1.0), [tactus.Box([1, 0.5, 0.8]), tactus.Cone(0.5, 1.0)] * 15
    poses_a, poses_b = columns()
    found = tactus.distance_batch(a, poses_a, b, poses_b)
    for row, pose_a, shape, pose_b in zip(found, poses_a, b, poses_b):
        one = tactus.distance(a, (pose_a[:3], pose_a[3:]), shape, (pose_b[:3], pose_b[3:]))
        assert (row["distance"], row["lower"], row["upper"]) == (one.distance, one.lower, one.upper)
    matrices = [np.stack([tactus.Pose(p[:3], p[3:]).matrix for p in poses]) for poses in (poses_a, poses_b)]
    again = tactus.distance_batch(a, matrices[0], b, matrices[1])
    assert np.allclose(again["distance"], found["distance"], atol=1e-12)
    assert len(tactus.distance_batch(a, poses_a[:0], b[0], poses_b[:0])) == 0


@pytest.mark.parametrize("change, message", [
    (lambda x: x.update(poses_a=x["poses_a"].astype(np.float32)), "poses_a: must be of float64, not float32"),
    (lambda x: x.update(poses_b=x["poses_b"][:, :6]), "poses_b: must be an array"),
    (lambda x: x.update(poses_b=x["poses_b"][:5]), "poses_b: 5 poses, and 30 in poses_a"),
    (lambda x: x.update(b=[tactus.Sphere(1.0)] * 3), "b: 3 shapes, and 30 poses"),
])
def test_wrong_columns_are_named(change, message):
    poses_a, poses_b = columns()
    arguments = dict(a=tactus.Sphere(1.0), poses_a=poses_a, b=tactus.Sphere(0.5), poses_b=poses_b)
    change(arguments)
    with pytest.raises(ValueError, match=message):
        tactus.distance_batch(**arguments)


def test_options_are_taken_by_keyword():
    a, b = tactus.Ellipsoid([1, 0.5, 0.2]), tactus.Cone(0.5, 1.0)
    wide = tactus.distance(a, None, b, [2, 0.3, 0.1], tolerance=1e-2)
    same = tactus.distance(a, None, b, [2, 0.3, 0.1], tactus.QueryOptions(tolerance=1e-2))
    assert (wide.lower, wide.upper, wide.iterations) == (same.lower, same.upper, same.iterations)
    assert tactus.overlap(a, None, b, [0.5, 0, 0], max_iterations=50).overlap == tactus.Overlap.yes
    with pytest.raises((TypeError, ValueError), match="toleranze"):
        tactus.distance(a, None, b, [2, 0.3, 0.1], toleranze=1e-2)


class Made(Sequence):
    """A sequence that makes its items when asked for them, and keeps none."""

    def __init__(self, make, count):
        self.make, self.size = make, count

    def __len__(self):
        return self.size

    def __getitem__(self, i):
        if i >= self.size:
            raise IndexError
        return self.make(i)


def test_items_that_nobody_keeps():
    count = 40
    poses = np.zeros((count, 7))
    poses[:, 0] = 3 * np.arange(count)
    poses[:, 3] = 1
    pairs = np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)
    shapes = Made(lambda i: tactus.Sphere(1 + i / 100), count)
    assert np.array_equal(tactus.distances(shapes, poses, pairs), tactus.distances(list(shapes), poses, pairs))
    squares = Made(lambda i: (tactus.planar.Region([[0, 0], [1, 0], [1, 1], [0, 1 + i / 100]]), [1.5 * i, 0]), count)
    found = tactus.planar.distances(squares, pairs)
    assert np.array_equal(found, tactus.planar.distances(list(squares), pairs))
    assert np.allclose(found["distance"], 0.5)
    holes = Made(lambda i: [[0.1 + i / 8, 0.1], [0.15 + i / 8, 0.1], [0.15 + i / 8, 0.2]], 3)
    assert len(tactus.planar.Region([[0, 0], [1, 0], [1, 1], [0, 1]], holes).contours) == 4
