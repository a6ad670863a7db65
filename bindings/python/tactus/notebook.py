"""How shapes, answers and worlds show themselves in a notebook."""

import html
from typing import Any, List, Tuple

import numpy as np

MOST_TRIANGLES = 4000
VIEW = np.array([[0.8, -0.6, 0.0], [0.24, 0.32, 0.9165], [0.55, 0.7333, -0.4]])  # right, up, away from the eye
COLORS = ("#5b8db8", "#d9925b", "#7aa874", "#b07aa1", "#c9b458", "#8c8c8c")
Triangle = Tuple[float, Any, str]


def triangles_of(module: Any, shape: Any, matrix: Any) -> Any:
    """Corners of the triangles that stand for a shape, (n, 3, 3); none of what is unbounded or unknown."""
    kind = str(shape.type)
    if kind == "compound":
        parts = [triangles_of(module, part, matrix @ pose.matrix) for part, pose in shape.geometry.parts]
        return np.concatenate(parts) if parts else np.zeros((0, 3, 3))
    if kind in ("halfspace", "custom"):
        return np.zeros((0, 3, 3))
    try:
        mesh = module.soft.tessellate(shape, 0.02).mesh
    except ValueError:  # without a volume
        return np.zeros((0, 3, 3))
    points = mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3]
    return points[mesh.triangles.astype(np.int64)]


def drawing(bodies: List[Tuple[Any, str]]) -> str:
    """An SVG of triangles, the farthest first."""
    shown: List[Triangle] = []
    for corners, color in bodies:
        step = max(1, len(corners) * len(bodies) // MOST_TRIANGLES)
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.linalg.norm(normals, axis=1)
        facing = (normals @ VIEW[2] < 0) & (lengths > 0)
        light = np.abs(normals @ np.array([-0.2, -0.5, 0.84])) / np.where(lengths > 0, lengths, 1)
        for i in np.flatnonzero(facing)[::step]:
            shade = 0.45 + 0.55 * float(light[i])
            tint = "#" + "".join(f"{int(int(color[k:k + 2], 16) * shade):02x}" for k in (1, 3, 5))
            shown.append((float(corners[i].mean(axis=0) @ VIEW[2]), corners[i] @ VIEW[:2].T, tint))
    if not shown:
        return '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>'
    shown.sort(key=lambda one: -one[0])
    every = np.concatenate([flat for _, flat, _ in shown])
    low, high = every.min(axis=0), every.max(axis=0)
    scale = 280 / max(float((high - low).max()), 1e-300)
    rows = []
    for _, flat, tint in shown:
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip((flat[:, 0] - low[0]) * scale + 10, (high[1] - flat[:, 1]) * scale + 10))
        rows.append(f'<polygon points="{places}" fill="{tint}" stroke="{tint}" stroke-width="0.5"/>')
    width, height = (high - low) * scale + 20
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}">{"".join(rows)}</svg>'


def region_drawing(contours: List[Any], closed: bool) -> str:
    every = np.concatenate(contours)
    low, high = every.min(axis=0), every.max(axis=0)
    scale = 280 / max(float((high - low).max()), 1e-300)
    path = ""
    for points in contours:
        places = [f"{x:.2f} {y:.2f}" for x, y in zip((points[:, 0] - low[0]) * scale + 10, (high[1] - points[:, 1]) * scale + 10)]
        path += "M" + "L".join(places) + ("Z" if closed else "")
    width, height = (high - low) * scale + 20
    fill = COLORS[0] if closed else "none"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}">'
            f'<path d="{path}" fill="{fill}" fill-opacity="0.5" fill-rule="evenodd" stroke="#223"/></svg>')


def answer_table(answer: Any) -> str:
    rows = "".join(f"<tr><th>{name}</th><td>{html.escape(str(getattr(answer, name)))}</td></tr>" for name in type(answer).__fields__)
    return f"<table><caption>{type(answer).__name__}</caption>{rows}</table>"


def attach(module: Any) -> None:
    """Gives the classes their pictures."""

    def of_shape(shape: Any) -> str:
        return drawing([(triangles_of(module, shape, np.eye(4)), COLORS[0])])

    def of_geometry(geometry: Any) -> str:
        return of_shape(module.Shape(geometry))

    def of_world(world: Any) -> str:
        return drawing([(triangles_of(module, body.shape, body.pose.matrix), COLORS[i % len(COLORS)]) for i, body in enumerate(world.bodies)])

    def of_deformables(world: Any) -> str:
        return drawing([(world.positions(i)[world.surface(i).astype(np.int64)], COLORS[i % len(COLORS)]) for i in range(world.bodies)])

    def of_run(run: Any) -> str:
        page = html.escape(run.html(), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="480" style="border:0" sandbox="allow-scripts"></iframe>'

    module.Shape._repr_svg_ = of_shape
    for name in ("Sphere", "Box", "Capsule", "Cylinder", "Cone", "Ellipsoid", "Convex", "Mesh", "Compound"):
        getattr(module, name)._repr_svg_ = of_geometry
    module.RigidWorld._repr_svg_ = of_world
    module.soft.DeformableWorld._repr_svg_ = of_deformables
    module.planar.Region._repr_svg_ = lambda region: region_drawing([c.points for c in region.contours], True)
    module.planar.Contour._repr_svg_ = lambda contour: region_drawing([contour.points], contour.closed)
    for name in ("DistanceResult", "OverlapResult", "CastResult", "StepStatistics"):
        getattr(module, name)._repr_html_ = answer_table
    module.Run._repr_html_ = of_run
