"""How two things touch, and the proof: exact distances, depths, contacts and motions, worlds of rigid bodies.

>>> import tactus
>>> r = tactus.distance(tactus.Box([2, 2, 2]), None, tactus.Sphere(0.5), [3, 0, 0])
>>> r.lower <= 1.5 <= r.upper
True

Names, arguments and guarantees are those of the C++ library. A shape is a `Shape`, one of the geometries (`Sphere`, `Box`, ...), or a mesh: anything with
`vertices` and `faces`. A pose is a `Pose`, None, a position, a matrix (4, 4), or a pair of position and rotation, which is a quaternion (w, x, y, z), a
matrix (3, 3), or a scipy `Rotation`. Vectors and matrices come back as numpy arrays.
"""

from ._tactus import *  # noqa: F401,F403
from ._tactus import __version__  # noqa: F401
