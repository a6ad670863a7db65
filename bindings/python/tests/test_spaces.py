"""The inner modules: fit, planar, ccd, soft, io; characters, classics, sessions."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import tactus
from tactus import ccd, fit, io, planar, soft

ROOT = Path(__file__).resolve().parents[3]
SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])


def test_inner_modules_can_be_imported():
    from tactus.fit import minimum_box

    assert minimum_box is fit.minimum_box
    assert fit.__name__ == "tactus.fit" and fit.OrientedBox.__module__ == "tactus.fit"


def test_planar_answers_in_any_order():
    square, disc = planar.Region(SQUARE), planar.Circle(0.5)
    r = planar.distance(square, None, square, [3, 0])
    assert r.distance == 2 and planar.check(square, None, square, [3, 0], r)
    there, back = planar.distance(disc, [3, 0.5], square, None), planar.distance(square, None, disc, [3, 0.5])
    assert there.distance == back.distance == pytest.approx(1.5)
    assert np.array_equal(there.normal, -back.normal)
    assert planar.overlap(square, None, square, ([0.5, 0.5], 0.3))
    assert not planar.overlap(square, None, disc, [3, 3])
    contacts = planar.contacts(square, None, square, [0.5, 0.9])
    assert contacts and all(c.depth == pytest.approx(0.1) for c in contacts)
    cast = planar.cast(square, None, planar.PlanarMotion(), disc, [3, 0.5], planar.PlanarMotion([-3, 0]))
    assert cast.hit == planar.PlanarHit.yes and cast.time <= 0.5 <= cast.time_upper
    many = planar.distances([(square, None), (square, [3, 0])], [[0, 1]])
    assert many["distance"][0] == 2
    assert pickle.loads(pickle.dumps(square)).mass.area == 1
    with pytest.raises(ValueError, match="outer"):
        planar.Region([[0, 0], [1, 1]])


def test_touches_and_balls():
    ground = planar.Contour([[-5, 0], [5, 0]], closed=False)
    touches = planar.touches(planar.Circle(1), [0, 0.75], ground, None)
    assert len(touches) == 1 and touches[0].depth == pytest.approx(0.25)
    assert planar.check(planar.Circle(1), [0, 0.75], ground, None, touches, 0)
    ball = planar.Ball(0.5, [0, 2], [0, 0])
    status, bounces = planar.advance(ball, [planar.PlacedContour(ground, None)], 1.0)
    assert status == tactus.Status.converged and len(bounces) >= 1
    assert ball.position[1] >= 0.5


def test_ccd_of_points_and_surfaces():
    face = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    fall = ccd.MovingVertexFace([0.2, 0.2, 1], face, [0.2, 0.2, -1], face)
    r = ccd.vertex_face(fall)
    assert r.hit and r.time <= 0.5 <= r.time_upper
    start = np.concatenate([[[0.2, 0.2, 1]], face])[None]
    end = np.concatenate([[[0.2, 0.2, -1]], face])[None]
    assert ccd.vertex_face(start, end)["time"][0] == r.time
    faces = np.array([[0, 1, 2]], np.uint32)
    still = ccd.MovingSurface(face, face, faces)
    falling = ccd.MovingSurface(face + [0, 0, 1], face - [0, 0, 1], faces)
    impacts = ccd.surface_impacts(still, falling).impacts
    assert impacts and impacts[0].contact.time <= 0.5
    assert ccd.self_impacts(still).impacts == []


def test_a_soft_ball_falls_on_the_ground():
    mesh = soft.tetrahedral_sphere(0.15, 0.1)
    assert soft.quality(mesh).least_ratio > 0.1
    world = soft.DeformableWorld()
    ball = world.add(vertices=mesh.vertices, tetrahedra=mesh.tetrahedra, pose=[0, 0, 0.2])
    world.add_obstacle(tactus.HalfSpace([0, 0, 1], 0))
    before = world.positions(ball)[:, 2].mean()
    world.step(15)
    assert world.positions(ball)[:, 2].mean() < before
    assert world.positions(ball)[:, 2].min() > 0
    assert len(world.crossings()) == 0
    state = world.save()
    world.step()
    hashed = world.state_hash()
    world.restore(pickle.loads(pickle.dumps(state)))
    world.step()
    assert world.state_hash() == hashed
    assert "polygon" in world._repr_svg_()


def test_soft_and_rigid_together():
    rigid = tactus.World(max_threads=1)
    box = rigid.add(tactus.Box([0.3, 0.3, 0.1]), type="fixed")
    mesh = soft.tetrahedral_box([0.2, 0.2, 0.2], [2, 2, 2])
    world = soft.DeformableWorld(max_threads=1)
    world.add(vertices=mesh.vertices, tetrahedra=mesh.tetrahedra, pose=[0, 0, 0.2])
    world.add_obstacle(rigid, box)
    world.step(rigid, 5)
    assert world.step_count == rigid.step_count == 5


def test_files_of_meshes(tmp_path):
    cube = soft.tessellate(tactus.Box([1, 1, 1])).mesh
    io.write_meshes(tmp_path / "cube.obj", [io.NamedMesh("cube", cube)])
    again = io.read_mesh(tmp_path / "cube.obj")
    assert np.array_equal(again.vertices, cube.vertices) and np.array_equal(again.triangles, cube.triangles)
    (tmp_path / "odd.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nnonsense 1\n")
    warnings: list[str] = []
    io.read_mesh(tmp_path / "odd.obj", warnings=warnings)
    assert len(warnings) == 1 and "odd.obj:5" in warnings[0]
    with pytest.raises(tactus.FileError, match="missing.stl"):
        io.read_mesh(tmp_path / "missing.stl")
    tetrahedra = soft.tetrahedral_box([1, 1, 1], [1, 1, 1])
    io.write_tetrahedra(tmp_path / "box.msh", tetrahedra)
    assert np.array_equal(io.read_tetrahedra(tmp_path / "box.msh").tetrahedra, tetrahedra.tetrahedra)


def test_recordings(tmp_path):
    run = tactus.Run(ROOT / "scenes/mixed.json", ["recording.duration=1"])
    run.step(12)
    run.write(tmp_path / "mixed.tactus")
    read = io.read_recording(tmp_path / "mixed.tactus")
    assert read.state == run.world.save() == run.recording.state
    assert len(read.pictures) == 7
    reader = io.PictureReader(tmp_path / "mixed.tactus")
    assert [p.step for p in reader] == [p.step for p in read.pictures]
    assert io.continue_world(run.scene, read.state).state_hash() == run.world.state_hash()
    assert io.summary_columns()[0].value(io.SummaryRow(time=3)) == 3


def test_a_character_walks():
    world = tactus.World()
    world.add(tactus.HalfSpace([0, 0, 1], 0), type="fixed")
    body = world.add(tactus.Capsule(0.3, 1.0), pose=[0, 0, 0.81], type="kinematic")
    walker = tactus.CharacterController(world, body)
    for _ in range(60):
        walker.update(tactus.CharacterInput([1.5, 0, 0]))
        world.step()
    assert world.body(body).center_of_mass[0] == pytest.approx(1.5, abs=0.1)
    assert walker.report.support == tactus.CharacterSupport.ground


def test_joints_with_limits_and_motors():
    world = tactus.World(gravity=[0, 0, 0])
    post = world.add(tactus.Box([0.1, 0.1, 2]), type="fixed")
    door = world.add(tactus.Box([0.9, 0.05, 2]), pose=[0.5, 0, 0])
    hinge = tactus.joint_at("hinge", world.body(post), world.body(door), [0.05, 0, 0])
    hinge.limits = tactus.JointLimits(-0.5, 0.5)
    hinge.motor = tactus.JointMotor(speed=2, max_force=1e4)
    joint = world.add_joint(hinge)
    world.step(60)
    assert world.joint(joint).position == pytest.approx(0.5, abs=0.02)


def test_classics_answer_when_asked_for():
    tactus.enable_classic_methods()
    a, b, pose = tactus.Sphere(1), tactus.Sphere(1), [1.5, 0, 0]
    assert tactus.portal_depths(a, None, b, pose).normal_depth > 0.5 - 1e-6
    assert tactus.polytope_depth(a, None, b, pose).collision
    assert tactus.separating_vector(a, None, b, [3, 0, 0]).overlap == tactus.Overlap.no
    assert np.allclose(tactus.nearest_on_segment([0, 0, 0], [2, 0, 0], [1, 1, 0]), [1, 0, 0])


def test_broad_phases_agree():
    random = np.random.default_rng(2)
    lower = random.uniform(0, 5, (80, 3))
    upper = lower + 0.8
    expected = tactus.BruteForce().find_pairs(lower, upper)
    for kind in (tactus.SweepAndPrune, tactus.HashGrid, tactus.DynamicTree, tactus.AutoBroadPhase):
        assert np.array_equal(kind().find_pairs(lower, upper), expected)
    assert np.array_equal(tactus.find_pairs(lower, upper), expected)
    tree = tactus.DynamicTree()
    tree.update(lower, upper)
    brute = tactus.BruteForce()
    brute.update(lower, upper)
    assert np.array_equal(tree.find_in([1, 1, 1], [2, 2, 2]), brute.find_in([1, 1, 1], [2, 2, 2]))
    met: list[tuple[float, int]] = []

    def visit(i, time):
        met.append((time, i))
        return 5.0

    tree.sweep([0, 0, 0], [0.1, 0.1, 0.1], [1, 1, 1], 5, visit)
    assert met == sorted(met) and met


def test_all_kinds_of_answers_are_checked():
    a, b, pose = tactus.Cylinder(0.4, 1.0), tactus.Box([1.0, 0.6, 0.4]), [0.5, 0.2, 0.4]
    certificate = tactus.Certificate()
    options = tactus.QueryOptions(certificate=certificate, margin=0.05)
    overlap = tactus.overlap(a, None, b, pose, options)
    assert tactus.check(a, None, b, pose, overlap, certificate)
    result, patches = tactus.contacts(a, None, b, pose, options, with_distance=True)
    assert tactus.check(a, None, b, pose, result, patches, 0.05, certificate)
    cast = tactus.cast(a, [0, 0, 5], [0, 0, -4], b, pose, [0, 0, 0], options)
    assert tactus.check(a, [0, 0, 5], [0, 0, -4], b, pose, [0, 0, 0], cast, certificate)
    still, turning = tactus.RigidMotion(), tactus.RigidMotion([0, 0, -4], [1, 0, 0])
    impact = tactus.impact(a, [0, 0, 5], turning, b, pose, still, options)
    report = tactus.check(a, [0, 0, 5], turning, b, pose, still, impact, certificate)
    assert report, report.failure
    assert report[tactus.Claim.time] == tactus.Proof.proved
    assert pickle.loads(pickle.dumps(certificate)).kind == certificate.kind


def test_heightfields_boxes_and_extrusions():
    field = fit.make_heightfield(columns=3, rows=3, heights=[0, 0, 0, 0, 1, 0, 0, 0, 0], thickness=0.5)
    assert tactus.Mesh(field).closed
    prism = fit.extruded(planar.Region(SQUARE), 2.0)
    assert tactus.mass_properties(prism).volume == pytest.approx(2)
    lower, upper = tactus.bounding_box(prism)
    assert np.allclose(upper - lower, [1, 1, 2])
    points = np.random.default_rng(1).normal(size=(50, 3))
    boxes = [fit.box_of_points(points), fit.minimum_box(points).box, fit.box_along(points, np.eye(3))]
    assert min(b.volume for b in boxes) == boxes[1].volume
    line = fit.simplify([[0, 0], [1, 0.001], [2, 0]], False, 0.01)
    assert line.kept.tolist() == [0, 2]


def test_a_session_keeps_shapes_and_caches():
    random = np.random.default_rng(7)
    session = tactus.Session(tolerance=1e-9)
    session["a"] = tactus.Convex(random.normal(size=(50, 3)))
    session["b"] = tactus.Convex(random.normal(size=(50, 3)))
    cache, options = tactus.QueryCache(), tactus.QueryOptions(tolerance=1e-9)
    for x in np.linspace(3, 6, 20):
        found = session.distance("a", None, "b", [x, 0, 0])
        assert repr(found) == repr(tactus.distance(session["a"], None, session["b"], [x, 0, 0], options, cache))
    again = pickle.loads(pickle.dumps(session))
    assert repr(again.distance("a", None, "b", [3, 1, 0])) == repr(session.distance("a", None, "b", [3, 1, 0]))
    assert session.overlap("a", None, "a", None)
    assert session.impact("a", None, tactus.RigidMotion(), "b", [6, 0, 0], tactus.RigidMotion([-6, 0, 0])).hit == tactus.Overlap.yes
    with pytest.raises(ValueError, match="c: is no shape of this session"):
        session.distance("a", None, "c", None)
    with pytest.raises(ValueError, match="tolerances: is no field"):
        tactus.Session(tolerances=1)
    del session["b"]
    assert len(session) == 1 and "b" not in session


def test_meshes_of_other_libraries():
    class Like:
        vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]

    assert tactus.Mesh(Like()).closed
    assert tactus.mass_properties(Like()).volume == pytest.approx(1 / 6)
    trimesh = pytest.importorskip("trimesh")
    assert tactus.Mesh(trimesh.creation.box()).closed
