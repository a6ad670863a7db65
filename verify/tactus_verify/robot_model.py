"""A robot as a file describes it, in plain doubles: links with solids, and what leads from one link to the next."""

import math
from dataclasses import dataclass, field

IDENTITY = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
AXES = {"x": [1.0, 0.0, 0.0], "y": [0.0, 1.0, 0.0], "z": [0.0, 0.0, 1.0]}


def numbers(text: str | None, default: str = "") -> list:
    return [float(word) for word in (default if text is None else text).split()]


def unit(v: list) -> list:
    length = math.hypot(*v)
    return [x / length for x in v]


def product(a: list, b: list) -> list:
    """Of two matrices, by rows."""
    return [sum(a[3 * i + m] * b[3 * m + k] for m in range(3)) for i in range(3) for k in range(3)]


def image(a: list, v: list) -> list:
    return [sum(a[3 * i + k] * v[k] for k in range(3)) for i in range(3)]


def turn(axis: list, angle: float) -> list:
    x, y, z = unit(axis)
    s, c = math.sin(angle), math.cos(angle)
    d = 1 - c
    return [c + d * x * x, d * x * y - s * z, d * x * z + s * y, d * x * y + s * z, c + d * y * y, d * y * z - s * x,
            d * x * z - s * y, d * y * z + s * x, c + d * z * z]


def turned_z(z: list) -> list:
    """The shortest turn that leads z to a direction; half a turn about x where that is -z."""
    x, y, w = unit(z)
    across = math.hypot(x, y)
    return turn([-y, x, 0.0], math.atan2(across, w)) if across > 0 else IDENTITY if w > 0 else turn(AXES["x"], math.pi)


@dataclass
class Place:
    position: list = field(default_factory=lambda: [0.0, 0.0, 0.0])
    rotation: list = field(default_factory=lambda: list(IDENTITY))

    def after(self, other):
        """The place `other` in the frame of this one."""
        return Place([p + q for p, q in zip(self.position, image(self.rotation, other.position))], product(self.rotation, other.rotation))


@dataclass
class Solid:
    """A primitive as certificates write it, or a mesh of a file."""

    shape: dict
    place: Place
    file: str | None = None
    scale: list = field(default_factory=lambda: [1.0, 1.0, 1.0])


@dataclass
class Step:
    """A frame: `place` in the one above, then turned about or shifted along `axis` by a coordinate."""

    place: Place
    motion: str = "none"
    axis: list = field(default_factory=lambda: [1.0, 0.0, 0.0])
    coordinate: str = ""
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass
class Joint:
    """All that leads from the link `parent` to the link `child`: the joints of one body, in MJCF."""

    name: str
    parent: str
    child: str
    steps: list

    def moves(self) -> bool:
        return any(step.motion != "none" for step in self.steps)


@dataclass
class Model:
    links: dict = field(default_factory=dict)  # solids by the names of links
    joints: list = field(default_factory=list)
    between: set = field(default_factory=set)  # names of frames that are no links of the file
    rest: dict = field(default_factory=dict)  # coordinates, and where they are when nothing says so: at 0, or the limit nearest to it
    faults: list = field(default_factory=list)  # what a robot of this file has, and this reader does not know


def nearest_to_zero(lower: float, upper: float) -> float:
    return lower if lower > 0 else min(upper, 0.0)


def free_steps(place: Place, name: str) -> list:
    """Ways along x, y, z, then turns about fixed x, then y, then z."""
    kinds = [("shift", axis, axis) for axis in "xyz"] + [("turn", "z", "yaw"), ("turn", "y", "pitch"), ("turn", "x", "roll")]
    return [Step(place if i == 0 else Place(), motion, AXES[axis], f"{name}/{word}") for i, (motion, axis, word) in enumerate(kinds)]
