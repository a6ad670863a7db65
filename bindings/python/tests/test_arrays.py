"""Arrays in and out: of the wrong type, shape, order, read-only, huge; results and states in memory."""

import pickle

import numpy as np
import pytest

import tactus


def batch(count=20, seed=3):
    random = np.random.default_rng(seed)
    poses = np.zeros((count, 7))
    poses[:, :3] = random.uniform(-2, 2, (count, 3))
    poses[:, 3:] = random.normal(size=(count, 4))
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    pairs = random.integers(0, count, (5 * count, 2))
    return [tactus.Box([1, 0.5, 0.8]), tactus.Cone(0.5, 1.0)] * (count // 2), poses, pairs


def wrong_arrays():
    shapes, poses, pairs = batch()
    unaligned = np.frombuffer(b"0" + poses.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(poses.shape)
    yield "float32", dict(poses=poses.astype(np.float32)), "poses: must be of float64, not float32"
    yield "text", dict(poses=poses.astype(str)), "poses: must be of float64"
    yield "objects", dict(poses=poses.astype(object)), "poses: must be of float64, not object"
    yield "big-endian", dict(poses=poses.astype(">f8")), "poses: must be of float64"
    yield "columns", dict(poses=poses[:, :6].copy()), r"poses: must be \(n, 4, 4\)"
    yield "one dimension", dict(poses=poses[0]), "poses: must have 2 dimensions, not 1"
    yield "fortran", dict(poses=np.asfortranarray(poses)), "poses: must be contiguous"
    yield "strided", dict(poses=np.repeat(poses, 2, axis=0)[::2]), "poses: must be contiguous"
    yield "not unit", dict(poses=2 * poses), r"poses\[0\].quaternion"
    yield "not finite", dict(poses=np.where(poses == poses.max(), np.nan, poses)), r"poses\[\d+\]"
    yield "too few poses", dict(poses=poses[:5].copy()), "poses: must be as many as shapes"
    yield "int32", dict(pairs=pairs.astype(np.int32)), "pairs: must be of uint64, not int32"
    yield "float pairs", dict(pairs=pairs.astype(float)), "pairs: must be of uint64, not float64"
    yield "three columns", dict(pairs=np.zeros((2, 3), np.int64)), "pairs: must have 2 columns"
    yield "beyond", dict(pairs=np.array([[0, 1], [1, 20]])), r"pairs\[1\]: is out of range"
    yield "below", dict(pairs=np.array([[0, 1], [1, -1]])), r"pairs\[1\]: is out of range"
    yield "shape", dict(shapes=["box"] * 20), r"shapes\[0\]: must be a Shape"
    yield "caches", dict(caches=tactus.QueryCaches(3)), "caches: must be as many as pairs"
    if unaligned.flags.aligned is False:
        yield "unaligned", dict(poses=unaligned), "poses: must be contiguous"


@pytest.mark.parametrize(("changed", "message"), [pytest.param(c, m, id=n) for n, c, m in wrong_arrays()])
@pytest.mark.parametrize("call", [tactus.distances, tactus.overlaps, tactus.contact_patches])
def test_wrong_arrays_are_errors_that_name_the_argument(call, changed, message):
    shapes, poses, pairs = batch()
    arguments = {"shapes": shapes, "poses": poses, "pairs": pairs, **changed}
    with pytest.raises(tactus.InvalidInput, match=message):
        call(arguments.pop("shapes"), arguments.pop("poses"), arguments.pop("pairs"), **arguments)


def test_arrays_that_cannot_be_written_serve():
    shapes, poses, pairs = batch()
    expected = tactus.distances(shapes, poses, pairs)
    poses.flags.writeable = pairs.flags.writeable = False
    assert np.array_equal(tactus.distances(shapes, poses, pairs), expected)
    assert np.array_equal(tactus.distances(shapes, poses, pairs.astype(np.uint64)), expected)
    assert np.array_equal(tactus.distances(shapes, [(p[:3], p[3:]) for p in poses], pairs.tolist()), expected)


def test_empty_and_large():
    assert tactus.distances([tactus.Sphere(1)], np.zeros((0, 7)), np.zeros((0, 2), np.int64)).shape == (0,)
    assert tactus.distances([], [], []).shape == (0,)
    count = 300_000
    poses = np.zeros((count, 7))
    poses[:, 0] = np.arange(count) * 3.0
    poses[:, 3] = 1
    pairs = np.c_[np.arange(count - 1), np.arange(1, count)]
    found = tactus.distances([tactus.Sphere(1)], poses, pairs)
    assert (found["lower"] <= 1).all() and (found["upper"] >= 1).all()


def test_results_tell_what_single_answers_tell():
    shapes, poses, pairs = batch()
    found = tactus.distances(shapes, poses, pairs)
    assert set(found.dtype.names) == set(tactus.DistanceResult.__fields__)
    one, derivatives = tactus.Certificate(), None
    found, derivatives = tactus.distances(shapes, poses, pairs, derivatives=True)
    patches = tactus.contact_patches(shapes, poses, pairs, options=tactus.QueryOptions(margin=0.1))
    for k, (i, j) in enumerate(pairs):
        a, b = (poses[i, :3], poses[i, 3:]), (poses[j, :3], poses[j, 3:])
        slope = tactus.Derivatives()
        single = tactus.distance(shapes[i], a, shapes[j], b, tactus.QueryOptions(derivatives=slope))
        for name in found.dtype.names:
            value = getattr(single, name)
            assert np.array_equal(found[name][k], int(value) if hasattr(type(value), "__members__") else value), name
        assert np.array_equal(derivatives["linear_b"][k], slope.linear_b)
        listed = tactus.contacts(shapes[i], a, shapes[j], b, tactus.QueryOptions(margin=0.1))
        assert patches[2][k] == len(listed)
        if listed:
            assert np.array_equal(patches[1][k, 0]["normal"], listed[0].normal)
            assert patches[1][k, 0]["count"] == len(listed[0].points)
            assert np.array_equal(patches[1][k, 0]["points"]["depth"][: len(listed[0].points)], [p.depth for p in listed[0].points])
    assert isinstance(one, tactus.Certificate)


def test_caches_of_a_batch():
    random = np.random.default_rng(5)
    shapes = [tactus.Convex(random.normal(size=(30, 3))) for _ in range(10)]
    _, poses, _ = batch(10)
    pairs = np.array([(i, j) for i in range(10) for j in range(i)])
    caches = tactus.QueryCaches(len(pairs))
    tactus.distances(shapes, poses, pairs, caches=caches)
    assert any(not caches[i].empty for i in range(len(caches)))
    again = pickle.loads(pickle.dumps(caches))
    assert all(again[i] == caches[i] for i in range(len(caches)))
    assert np.array_equal(tactus.distances(shapes, poses, pairs, caches=again), tactus.distances(shapes, poses, pairs, caches=caches))


def test_columns_for_tables():
    shapes, poses, pairs = batch()
    table = tactus.columns(tactus.overlaps(shapes, poses, pairs))
    assert {"overlap", "proof_lower", "proof_normal_x"} <= set(table)
    assert all(v.ndim == 1 and len(v) == len(pairs) for v in table.values())
    pandas = pytest.importorskip("pandas")
    assert pandas.DataFrame(table).shape == (len(pairs), len(table))


def test_motions_are_the_memory_of_the_world():
    world = tactus.World()
    ball = world.add(tactus.Sphere(0.5), pose=[0, 0, 10])
    motions = world.motions
    assert motions["position"][0, 2] == 10 and motions["id"][0] == ball
    world.step(30)
    assert motions["position"][0, 2] == world.body(ball).center_of_mass[2] < 10
    with pytest.raises(ValueError):
        motions["position"][0] = 0
    with pytest.raises(BufferError, match="motions"):
        world.add(tactus.Sphere(1))
    heights = motions["position"][:, 2]
    del motions
    with pytest.raises(BufferError):
        world.remove(ball)
    del world
    assert heights[0] < 10
    del heights


def test_bodies_come_when_no_array_looks():
    world = tactus.World()
    world.add(tactus.Sphere(0.5))
    motions = world.motions
    del motions
    world.add(tactus.Sphere(0.5), pose=[3, 0, 0])
    assert len(world) == 2


def test_contacts_as_an_array():
    world = tactus.World()
    world.add(tactus.HalfSpace([0, 0, 1], 0), type="fixed")
    world.add(tactus.Box([1, 1, 1]), pose=[0, 0, 0.5])
    world.step(10)
    array, listed = world.contact_array, world.contacts
    assert len(array) == len(listed) == 4
    assert np.array_equal(array["point"], [c.point for c in listed])
    assert array["normal_impulse"].sum() / world.contact_time == pytest.approx(9810, rel=1e-2)


def test_views_of_images_and_surfaces_are_no_copies():
    picture = np.zeros((40, 60), np.uint16)
    picture[10:30, 20:40] = 65535
    image = tactus.fit.GreyImage(60, 40, picture.ravel())
    first = tactus.fit.trace_contours(picture, pixels=True)
    assert len(first.regions) == 1 and len(first.regions[0].outer.points) == 4
    assert np.array_equal(tactus.fit.trace_contours(image, pixels=True).regions[0].outer.points, first.regions[0].outer.points)
    picture[10:30, 20:30] = 0
    assert np.ptp(tactus.fit.trace_contours(image, pixels=True).regions[0].outer.points[:, 0]) == 10
    with pytest.raises(ValueError, match="image: must be of uint16, not uint8"):
        tactus.fit.trace_contours(picture.astype(np.uint8))
    with pytest.raises(ValueError, match="vertices_t0: must be of float64"):
        tactus.ccd.MovingSurface(np.zeros((3, 3), np.float32), np.zeros((3, 3)), np.array([[0, 1, 2]], np.uint32))
