"""Many distances at once, of shapes and poses in two columns."""

import numpy as _np

from . import _tactus


def _column(shapes, poses, name: str) -> tuple:
    """Shapes and poses of one body of each pair: a shape for all, or one for each pose."""
    rows = poses if isinstance(poses, list) else _np.asarray(poses)
    if not isinstance(rows, list):
        if rows.dtype != _np.float64:
            raise ValueError(f"poses_{name}: must be of float64, not {rows.dtype}")
        if rows.shape[1:] not in ((4, 4), (7,)):
            raise ValueError(f"poses_{name}: must be an array (n, 4, 4) or (n, 7), or a list of poses")
    many = isinstance(shapes, (list, tuple))
    if many and len(shapes) != len(rows):
        raise ValueError(f"{name}: {len(shapes)} shapes, and {len(rows)} poses")
    return (list(shapes) if many else [shapes] * len(rows)), rows


def distance_batch(a, poses_a, b, poses_b, *, options=None, caches=None, derivatives: bool = False, max_threads: int = 0):
    """Signed distances of as many pairs as there are poses: a structured array, as `distances` gives it.

    `a`, `b`: a shape for all pairs, or a list with one for each; `poses_a`, `poses_b`: arrays (n, 4, 4), or (n, 7) of positions and
    quaternions (w, x, y, z), or lists of poses. All else as in `distances`, by which it is answered.
    """
    shapes_a, rows_a = _column(a, poses_a, "a")
    shapes_b, rows_b = _column(b, poses_b, "b")
    if len(rows_a) != len(rows_b):
        raise ValueError(f"poses_b: {len(rows_b)} poses, and {len(rows_a)} in poses_a")
    if isinstance(rows_a, list) or isinstance(rows_b, list) or rows_a.ndim != rows_b.ndim:
        poses = [*rows_a, *rows_b]
    else:
        poses = _np.ascontiguousarray(_np.concatenate([rows_a, rows_b]))
    n = len(rows_a)
    pairs = _np.stack([_np.arange(n), _np.arange(n, 2 * n)], axis=1)
    return _tactus.distances(shapes_a + shapes_b, poses, pairs, options=options, caches=caches, derivatives=derivatives, max_threads=max_threads)
