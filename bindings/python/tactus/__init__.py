"""How two things touch, and the proof: exact distances, depths, contacts and motions, worlds of rigid and soft bodies.

>>> import tactus
>>> r = tactus.distance(tactus.Box([2, 2, 2]), None, tactus.Sphere(0.5), [3, 0, 0])
>>> r.lower <= 1.5 <= r.upper
True

Names, arguments and guarantees are those of the C++ library; its namespaces `fit`, `planar`, `ccd`, `soft` and `io` are modules here. A shape is a `Shape`,
one of the geometries (`Sphere`, `Box`, ...), or a mesh: anything with `vertices` and `faces`. A pose is a `Pose`, None, a position, a matrix (4, 4), or a
pair of position and rotation, which is a quaternion (w, x, y, z), a matrix (3, 3), or a scipy `Rotation`. Vectors and matrices come back as numpy arrays.
"""

import sys as _sys

from . import _tactus, batch, notebook, session, tables

globals().update({_name: _value for _name, _value in vars(_tactus).items() if not _name.startswith("_")})
__version__ = _tactus.__version__
Session = session.Session
columns = tables.columns
distance_batch = batch.distance_batch


def _name_as_users_do(scope: object, name: str) -> None:
    """Types and functions are told, and pickled, by the names under which users find them."""
    for value in list(vars(scope).values()):
        if isinstance(value, type) and value.__module__.startswith("tactus._tactus"):
            value.__module__ = name
            _name_as_users_do(value, name)


_name_as_users_do(_tactus, "tactus")
for _name in ("fit", "planar", "ccd", "soft", "io"):
    _space = getattr(_tactus, _name)
    _sys.modules[f"tactus.{_name}"] = _space
    _space.__name__ = f"tactus.{_name}"
    _name_as_users_do(_space, f"tactus.{_name}")
notebook.attach(_tactus)
