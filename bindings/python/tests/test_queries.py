"""Queries: answers of closed forms, what stands for a shape and a pose, batches, errors."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import tactus

TURNED = np.array([0.9, 0.1, 0.3, 0.2]) / np.linalg.norm([0.9, 0.1, 0.3, 0.2])


def matrix(pose):
    return tactus.Pose(pose).matrix


def cube():
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return SimpleNamespace(vertices=corners, faces=np.array(faces))


def test_distance_of_box_and_ball():
    r = tactus.distance(tactus.Box([2, 2, 2]), None, tactus.Sphere(0.5), [3, 0, 0])
    assert r.lower <= 1.5 <= r.upper
    assert float(r) == r.distance
    assert np.allclose(r.normal, [1, 0, 0])
    assert r.status == tactus.Status.converged
    assert tactus.check(tactus.Box([2, 2, 2]), None, tactus.Sphere(0.5), [3, 0, 0], r)


@pytest.mark.parametrize(
    "pose",
    [
        tactus.Pose([3, 1, 2], TURNED),
        ([3, 1, 2], TURNED),
        ((3, 1, 2), tactus.Pose([0, 0, 0], TURNED).rotation),
        matrix(([3, 1, 2], TURNED)),
    ],
)
def test_poses_in_every_form(pose):
    box, cone = tactus.Box([1, 2, 3]), tactus.Cone(0.5, 1.5)
    expected = tactus.distance(box, None, cone, tactus.Pose([3, 1, 2], TURNED)).distance
    assert tactus.distance(box, None, cone, pose).distance == pytest.approx(expected, abs=1e-14)


def test_scipy_rotation():
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation.from_rotvec([0.3, -0.2, 0.9])
    pose = tactus.Pose([1, 2, 3], rotation)
    assert np.allclose(pose.rotation, rotation.as_matrix(), atol=1e-14)


def test_pose_algebra_agrees_with_matrices():
    a, b = tactus.Pose([1, 2, 3], TURNED), tactus.Pose.from_axis_angle([0, 1, 0], [1, 1, 0], 0.7)
    assert np.allclose((a @ b).matrix, a.matrix @ b.matrix, atol=1e-14)
    assert np.allclose(a.inverse().matrix, np.linalg.inv(a.matrix), atol=1e-14)
    points = np.arange(12.0).reshape(4, 3)
    assert np.allclose(a.to_world(points), points @ a.rotation.T + a.position, atol=1e-13)
    assert np.allclose(a.to_local(a.to_world(points)), points, atol=1e-13)
    assert pickle.loads(pickle.dumps(a)) == a


def test_anything_with_vertices_and_faces_is_a_mesh():
    mesh = cube()
    r = tactus.distance(mesh, None, tactus.Sphere(0.5), [3, 0, 0])
    assert r.lower <= 1.5 <= r.upper
    shape = tactus.Mesh(mesh)
    assert shape.closed and not shape.inward
    assert np.array_equal(shape.vertices, mesh.vertices)
    assert np.array_equal(shape.triangles, mesh.faces)
    assert tactus.mass_properties(shape).volume == pytest.approx(8.0)


def test_depth_needs_its_certificate():
    a, b = tactus.Cylinder(0.4, 1.0), tactus.Box([1.0, 0.6, 0.4])
    pose = [0.5, 0.2, 0.4]
    certificate, derivatives = tactus.Certificate(), tactus.Derivatives()
    options = tactus.QueryOptions(certificate=certificate, derivatives=derivatives)
    r = tactus.distance(a, None, b, pose, options)
    assert r.distance < 0
    assert tactus.check(a, None, b, pose, r, certificate).ok
    assert not tactus.check(a, None, b, pose, r).ok
    assert np.allclose(derivatives.linear_b, -derivatives.linear_a)


def test_options_keep_what_they_point_to():
    options = tactus.QueryOptions(certificate=tactus.Certificate())
    tactus.distance(tactus.Cylinder(0.4, 1.0), None, tactus.Box([1, 1, 1]), [0.5, 0.2, 0.4], options)


def test_methods_by_name():
    a, b, pose = tactus.Cylinder(0.4, 1.0), tactus.Box([1, 1, 1]), [2.5, 0.2, 0.4]
    exact = tactus.distance(a, None, b, pose)
    gjk = tactus.distance(a, None, b, pose, tactus.QueryOptions(method="gjk"))
    assert gjk.method == tactus.Method.gjk
    assert gjk.lower <= exact.upper and exact.lower <= gjk.upper
    assert str(tactus.Method("gjk")) == "gjk"
    with pytest.raises(ValueError, match="Method: there is none called"):
        tactus.Method("jgk")


def test_contacts_of_a_box_on_a_plane():
    patches = tactus.contacts(tactus.HalfSpace([0, 0, 1], 0), None, tactus.Box([1, 1, 1]), [0, 0, 0.49])
    assert len(patches) == 1 and len(patches[0].points) == 4
    assert all(p.depth == pytest.approx(0.01) for p in patches[0].points)
    assert np.allclose(patches[0].normal, [0, 0, 1])


def test_casts_and_rays():
    ball = tactus.Sphere(1)
    hit = tactus.cast(ball, None, [4, 0, 0], ball, [5, 0, 0], [0, 0, 0])
    assert hit.hit == tactus.Overlap.yes
    assert hit.time <= 0.75 <= hit.time_upper
    ray = tactus.ray_cast(ball, [0, 0, 5], [0, 0, 0], [0, 0, 1])
    assert ray.time <= 4 <= ray.time_upper
    spin = tactus.impact(tactus.Box([4, 0.2, 0.2]), None, tactus.RigidMotion(angular=[0, 0, 1.5]), ball, [0, 2.5, 0], tactus.RigidMotion())
    assert spin.hit == tactus.Overlap.yes and 0 < spin.time < 1


def test_overlap_is_true_or_false_or_refuses():
    ball = tactus.Sphere(1)
    assert tactus.overlap(ball, None, ball, [1.5, 0, 0])
    assert not tactus.overlap(ball, None, ball, [2.5, 0, 0])
    with pytest.raises(ValueError, match="undecided"):
        bool(tactus.overlap(ball, None, ball, [2, 0, 0]))


def test_custom_support_function():
    ball = tactus.CustomConvex(lambda d: d / np.linalg.norm(d))
    r = tactus.distance(ball, None, tactus.Sphere(0.5), [3, 0, 0])
    assert r.lower <= 1.5 <= r.upper


def random_poses(count, seed=5):
    random = np.random.default_rng(seed)
    quaternions = random.normal(size=(count, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    return np.hstack([random.uniform(-2, 2, (count, 3)), quaternions])


def test_batches_have_the_bits_of_single_calls():
    shapes = [tactus.Box([1, 0.5, 0.8]), tactus.Cone(0.5, 1.0), tactus.Sphere(0.3), tactus.Shape(cube(), 0)] * 25
    poses = random_poses(100)
    pairs = np.array([(i, j) for i in range(100) for j in range(i + 1, 100, 7)])
    found = tactus.distances(shapes, poses, pairs)
    assert found.shape == (len(pairs),)
    for threads in (1, 2):
        assert np.array_equal(found, tactus.distances(shapes, poses, pairs, max_threads=threads))
    for k in range(0, len(pairs), 11):
        i, j = pairs[k]
        one = tactus.distance(shapes[i], (poses[i, :3], poses[i, 3:]), shapes[j], (poses[j, :3], poses[j, 3:]))
        assert found["distance"][k] == one.distance
        assert np.array_equal(found["point_b"][k], one.point_b)
        assert tactus.Status(int(found["status"][k])) == one.status
    matrices = np.array([matrix((p[:3], p[3:])) for p in poses])
    assert np.allclose(tactus.distances(shapes, matrices, pairs)["distance"], found["distance"], atol=1e-12)
    both = tactus.overlaps(shapes, poses, pairs)
    assert np.array_equal(both["overlap"] == 1, found["distance"] < 0)


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"])
@pytest.mark.parametrize("order", ["<", ">"])
def test_pairs_of_any_type_are_read_rightly_or_refused(kind, order):
    shapes, poses = [tactus.Sphere(1)], np.zeros((4, 7))
    poses[:, 0], poses[:, 3] = range(4), 1
    pairs = np.array([[0, 1], [2, 3], [0, 3]])
    right = tactus.distances(shapes, poses, pairs)["distance"]
    given = pairs.astype(order + kind)
    if given.dtype in (np.dtype(np.int64), np.dtype(np.uint64)):
        assert np.array_equal(tactus.distances(shapes, poses, given)["distance"], right)
    else:
        with pytest.raises(ValueError, match="pairs: must be of"):
            tactus.distances(shapes, poses, given)
    # Arrays that are converted have the same values in either order of bytes.
    points = np.array([[0, 0, 0], [3, 0, 0], [0, 2, 0], [0, 0, 1]]).astype(order + kind)
    assert np.array_equal(tactus.convex_hull(points).vertices, points.astype(float))


def test_poses_of_another_byte_order_are_refused():
    with pytest.raises(ValueError, match="poses: must be of float64, not >f8"):
        tactus.distances([tactus.Sphere(1)], np.ones((2, 7), ">f8"), [[0, 1]])


def test_arrays_are_not_cast_in_silence():
    shapes, pairs = [tactus.Sphere(1)], [[0, 1]]
    poses = random_poses(2)
    with pytest.raises(ValueError, match="poses: must be of float64, not float32"):
        tactus.distances(shapes, poses.astype(np.float32), pairs)
    with pytest.raises(ValueError, match="poses: must be contiguous"):
        tactus.distances(shapes, np.asfortranarray(np.repeat(poses, 3, axis=0)), pairs)
    with pytest.raises(ValueError, match="poses: must be"):
        tactus.distances(shapes, poses[:, :5].copy(), pairs)
    with pytest.raises(ValueError, match=r"poses\[1\].quaternion"):
        broken = poses.copy()
        broken[1, 3:] = 0
        tactus.distances(shapes, broken, pairs)
    with pytest.raises(ValueError, match="pairs"):
        tactus.distances(shapes, poses, [[0.5, 1.5]])
    with pytest.raises(ValueError, match=r"pairs\[0\]"):
        tactus.distances(shapes, poses, [[0, -1]])
    with pytest.raises(ValueError, match="pairs"):
        tactus.distances(shapes, poses, [[0, 7]])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tactus.Sphere(-1), "radius"),
        (lambda: tactus.Box([1, 2, np.nan]), "size"),
        (lambda: tactus.Shape(tactus.Box([1, 1, 1]), -0.1), "rounding"),
        (lambda: tactus.Mesh([[0, 0, 0]], [[0, 1, 2]]), r"triangles\[0\]"),
        (lambda: tactus.Pose([0, 0, 0], [0, 0, 0, 0]), "quaternion"),
        (lambda: tactus.Pose(np.diag([1, 1, 2, 1])), "rotation"),
        (lambda: tactus.Pose(np.ones((4, 4))), "last row"),
        (lambda: tactus.distance("box", None, tactus.Sphere(1), None), "a: must be a Shape"),
        (lambda: tactus.distance(tactus.Sphere(1), "here", tactus.Sphere(1), None), "pose_a: must be a Pose"),
        (lambda: tactus.Convex(np.zeros((0, 3))), "vertices"),
        (lambda: tactus.Compound([tactus.Sphere(1)]), r"parts\[0\]"),
    ],
)
def test_errors_name_the_field(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_hull_box_and_parts():
    points = np.random.default_rng(1).normal(size=(200, 3))
    hull = tactus.convex_hull(points)
    assert hull.dimension == 3
    assert np.array_equal(points[hull.source], hull.vertices)
    box = tactus.fit.minimum_box(hull.vertices).box
    inside = np.abs((points - box.center) @ box.axes.T)
    assert (inside <= box.half + 1e-12).all()
    parts = tactus.fit.decompose(cube())
    assert len(parts.parts) == 1 and parts.status == tactus.fit.DecompositionStatus.reached
    assert len(parts.compound()) == 1


def test_pairs_of_boxes():
    lower = np.random.default_rng(2).uniform(0, 5, (60, 3))
    upper = lower + 0.8
    brute = [(i, j) for i in range(60) for j in range(i + 1, 60) if (lower[i] <= upper[j]).all() and (lower[j] <= upper[i]).all()]
    assert sorted(map(tuple, tactus.find_pairs(lower, upper))) == brute


def test_texts_tell():
    assert repr(tactus.Shape(tactus.Box([1, 1, 1]), 0.1)) == "Shape(box, rounding=0.1)"
    assert "12 triangles" in repr(tactus.Shape(tactus.Mesh(cube())))
    assert repr(tactus.distance(tactus.Sphere(1), None, tactus.Sphere(1), [3, 0, 0])).startswith("DistanceResult(distance=1, ")
    assert "Signed distance of two placed shapes" in str(tactus.distance.__doc__)
