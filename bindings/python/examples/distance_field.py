"""The distance of every point of a grid from a mesh with a hole: a picture of it, where matplotlib is installed.

A point is a sphere of radius 0, so that a batch of pairs answers all points at once, on all processors.
"""

import numpy as np

import tactus

SIZE = 64


def ring(major: float, minor: float, segments: int) -> tactus.TriangleMesh:
    """A torus about the z axis."""
    angles = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    u, v = np.meshgrid(angles, angles, indexing="ij")
    reach = major + minor * np.cos(v)
    points = np.stack([reach * np.cos(u), reach * np.sin(u), minor * np.sin(v)], axis=-1).reshape(-1, 3)
    place = np.arange(segments**2).reshape(segments, segments)
    next_u, next_v = np.roll(place, -1, axis=0), np.roll(place, -1, axis=1)
    both = np.roll(next_u, -1, axis=1)
    faces = np.concatenate([np.stack([place, next_u, both], -1).reshape(-1, 3), np.stack([place, both, next_v], -1).reshape(-1, 3)])
    return tactus.TriangleMesh(points, faces)


def main() -> None:
    mesh = tactus.Shape(ring(1.0, 0.35, 32))
    x, z = np.meshgrid(np.linspace(-2, 2, SIZE), np.linspace(-1, 1, SIZE))
    poses = np.zeros((1 + SIZE**2, 7))
    poses[:, 3] = 1  # no turn
    poses[1:, 0], poses[1:, 2] = x.ravel(), z.ravel()
    shapes = [mesh] + [tactus.Shape(tactus.Sphere(0))] * SIZE**2
    pairs = np.zeros((SIZE**2, 2), np.int64)
    pairs[:, 1] = np.arange(1, 1 + SIZE**2)

    found = tactus.distances(shapes, poses, pairs)
    field = found["distance"].reshape(SIZE, SIZE)
    exact = np.hypot(np.abs(x) - 1.0, z) - 0.35  # of the round torus, inside of which the mesh lies
    print(f"deepest {field.min():.4f}, farthest {field.max():.4f}; off the round torus by at most {np.abs(field - exact).max():.4f}")
    assert np.abs(field - exact).max() < 0.02
    try:
        import matplotlib  # type: ignore
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot  # type: ignore

    pyplot.contourf(x, z, field, 30)
    pyplot.contour(x, z, field, [0.0], colors="black")
    pyplot.axis("equal")
    pyplot.savefig("distance_field.png")


if __name__ == "__main__":
    main()
