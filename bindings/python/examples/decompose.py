"""An L made of triangles as a few convex parts, ready to be a moving body."""

import numpy as np

import tactus
from tactus import fit, planar, soft


def bent_beam() -> tactus.TriangleMesh:
    """A closed mesh: the corners of an L, drawn upwards."""
    corners = np.array([[0.0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]])
    count = len(corners)
    points = np.concatenate([np.c_[corners, np.zeros(count)], np.c_[corners, np.ones(count)]])
    flat = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
    sides = [[i, (i + 1) % count, count + (i + 1) % count] for i in range(count)] + [[i, count + (i + 1) % count, count + i] for i in range(count)]
    return tactus.TriangleMesh(points, np.concatenate([flat[:, ::-1], flat + count, sides]))


def main() -> None:
    mesh = bent_beam()
    parts = fit.decompose(mesh, concavity=0.02)
    print(f"{len(parts.parts)} parts, {parts.status}, concavity at most {parts.concavity_upper:.4f}")
    assert len(parts.parts) == 2 and abs(parts.parts_volume - 5.0) < 1e-9

    world = tactus.World()
    world.add(tactus.HalfSpace([0, 0, 1], 0), type="fixed")
    beam = world.add(parts.compound(), pose=[0, 0, 0.5])
    world.step(60)
    print(f"it lies at {np.round(world.body(beam).pose.position, 4)}, with a mass of {world.body(beam).mass.mass:.1f}")
    assert abs(world.body(beam).mass.mass - 5000) < 1e-6
    # The same body by another way.
    prism = fit.extruded(planar.Region([[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]]), 1.0)
    assert abs(tactus.mass_properties(prism).volume - 5.0) < 1e-9
    assert soft.fill_with_tetrahedra(tactus.Mesh(mesh), 0.5).tetrahedra.shape[1] == 4


if __name__ == "__main__":
    main()
