"""Surfaces of mesh files: OBJ, STL (text and binary), COLLADA."""

import math
import struct
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

from .reading import Unusable, read_points_file

# COLLADA reaches the program in single precision, through products of matrices: so much of the sizes on the way may be lost.
SINGLE = 2e-6
MOST_NODES = 100000


class NotRead(Exception):
    """A file of a kind, or with contents, that this reader does not know."""


@dataclass
class Surface:
    vertices: list = field(default_factory=list)
    triangles: list = field(default_factory=list)
    quads: list = field(default_factory=list)  # corners in their order: either diagonal may part them
    lost: float = 0.0  # coordinates may be off by so much


def read_surface(path: Path) -> Surface:
    reader = {".obj": lambda p: Surface(*read_points_file(p)), ".stl": read_stl, ".dae": read_collada}.get(path.suffix.lower())
    if reader is None:
        raise NotRead("a format that is not read")
    try:
        return reader(path)
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, IndexError, AttributeError, TypeError, struct.error, ElementTree.ParseError) as error:
        raise Unusable(f"{path}: {error!r}") from error


def read_stl(path: Path) -> Surface:
    data = path.read_bytes()
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count or not data.lstrip().lower().startswith(b"solid"):
        corners = [struct.unpack_from("<3f", data, 84 + 50 * i + 12 * k) for i in range(count) for k in (1, 2, 3)]
    else:
        words = data.decode("utf-8-sig", errors="replace").lower().split()
        corners = [tuple(float(w) for w in words[i + 1:i + 4]) for i, word in enumerate(words) if word == "vertex"]
    if len(corners) % 3 != 0:
        raise ValueError("a facet has not three corners")
    return Surface(corners, [(i, i + 1, i + 2) for i in range(0, len(corners), 3)])


def floats(element) -> list:
    return [float(word) for word in (element.text or "").split()]


def matrix_product(a: list, b: list) -> list:
    """Of two matrices of three rows and four columns, by rows."""
    return [sum(a[4 * i + m] * b[4 * m + k] for m in range(3)) + (a[4 * i + 3] if k == 3 else 0.0) for i in range(3) for k in range(4)]


def moved(m: list, v: list) -> tuple:
    return tuple(sum(m[4 * i + k] * v[k] for k in range(3)) + m[4 * i + 3] for i in range(3))


class Collada:
    def __init__(self, path: Path):
        self.root = ElementTree.parse(path).getroot()
        self.ids = {element.get("id"): element for element in self.root.iter() if element.get("id")}
        unit = self.root.find("{*}asset/{*}unit")
        self.metre = 1.0 if unit is None else float(unit.get("meter", "1"))
        self.surface, self.nodes = Surface(), 0
        scene = self.root.find("{*}scene/{*}instance_visual_scene")
        if scene is None:
            raise NotRead("a file without a scene")
        start = [self.metre, 0, 0, 0, 0, self.metre, 0, 0, 0, 0, self.metre, 0]
        for node in self.named(scene).findall("{*}node"):
            self.read_node(node, start, [abs(x) for x in start])
        self.surface.lost *= SINGLE

    def named(self, element):
        return self.ids[element.get("url", element.get("source", "")).removeprefix("#")]

    def read_node(self, node, above: list, most: list) -> None:
        """`most`: the same product of absolute values, which bounds every size on the way."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise NotRead("a scene of too many nodes")
        for child in node:
            kind = child.tag.rpartition("}")[2]
            if kind in ("translate", "rotate", "scale", "matrix"):
                step = self.step(kind, floats(child))
                above, most = matrix_product(above, step), matrix_product(most, [abs(x) for x in step])
            elif kind in ("lookat", "skew", "instance_controller"):
                raise NotRead(f"<{kind}> in a scene")
        for child in node:
            kind = child.tag.rpartition("}")[2]
            if kind == "instance_geometry":
                self.read_geometry(self.named(child), above, most)
            elif kind in ("node", "instance_node"):
                self.read_node(child if kind == "node" else self.named(child), above, most)

    @staticmethod
    def step(kind: str, v: list) -> list:
        if kind == "matrix":
            return v[:12]
        if kind == "translate":
            return [1, 0, 0, v[0], 0, 1, 0, v[1], 0, 0, 1, v[2]]
        if kind == "scale":
            return [v[0], 0, 0, 0, 0, v[1], 0, 0, 0, 0, v[2], 0]
        length = math.hypot(*v[:3])
        x, y, z = (c / length for c in v[:3])
        s, c = math.sin(math.radians(v[3])), math.cos(math.radians(v[3]))
        d = 1 - c
        return [c + d * x * x, d * x * y - s * z, d * x * z + s * y, 0, d * x * y + s * z, c + d * y * y, d * y * z - s * x, 0,
                d * x * z - s * y, d * y * z + s * x, c + d * z * z, 0]

    def positions(self, vertices) -> list:
        source = self.named(next(i for i in vertices.findall("{*}input") if i.get("semantic") == "POSITION"))
        accessor = source.find("{*}technique_common/{*}accessor")
        values = floats(self.named(accessor))
        names = [p.get("name") for p in accessor.findall("{*}param")]
        stride, first = int(accessor.get("stride", "1")), int(accessor.get("offset", "0"))
        columns = [names.index(axis) for axis in "XYZ"]
        return [[values[first + stride * i + k] for k in columns] for i in range(int(accessor.get("count")))]

    def read_geometry(self, geometry, placed: list, most: list) -> None:
        mesh, surface = geometry.find("{*}mesh"), self.surface
        if mesh is None:
            raise NotRead("a geometry that is no mesh")
        for part in mesh:
            kind = part.tag.rpartition("}")[2]
            if kind in ("tristrips", "trifans"):
                raise NotRead(f"<{kind}>")
            if kind not in ("triangles", "polylist", "polygons"):
                continue
            inputs = part.findall("{*}input")
            vertex = next(i for i in inputs if i.get("semantic") == "VERTEX")
            stride, offset = 1 + max(int(i.get("offset", "0")) for i in inputs), int(vertex.get("offset", "0"))
            first = len(surface.vertices)
            points = self.positions(self.named(vertex))
            surface.vertices += [moved(placed, v) for v in points]
            surface.lost = max([surface.lost, *(x for v in points for x in moved(most, [abs(c) for c in v]))])
            lists = [[int(w) for w in (p.text or "").split()][offset::stride] for p in part.findall("{*}p")]
            if kind == "triangles":
                lists = [ids[i:i + 3] for ids in lists for i in range(0, len(ids), 3)]
            elif kind == "polylist":
                ids, at = lists[0] if lists else [], 0
                lists = []
                for count in (int(w) for w in (part.find("{*}vcount").text or "").split()):
                    lists.append(ids[at:at + count])
                    at += count
            if any(len(ids) > 4 for ids in lists):
                raise NotRead("polygons of more than four corners")
            surface.triangles += [[first + i for i in ids] for ids in lists if len(ids) == 3]
            surface.quads += [[first + i for i in ids] for ids in lists if len(ids) == 4]


def read_collada(path: Path) -> Surface:
    return Collada(path).surface


def corner_sets(triangles) -> set:
    """The triangles by their corners, in whatever order; those of two corners alone are left out."""
    return {corners for corners in map(frozenset, triangles) if len(corners) == 3}


class Near:
    """Numbers of points; those within `room` of each other, in every coordinate, have the same one."""

    def __init__(self, room: float):
        self.room, self.cells, self.points = room, {}, []

    def number(self, point: tuple, new: bool) -> int | None:
        if self.room == 0.0:
            found = self.cells.get(point)
        else:
            cell = tuple(math.floor(x / (4 * self.room)) for x in point)
            around = ((cell[0] + i, cell[1] + j, cell[2] + k) for i in (0, -1, 1) for j in (0, -1, 1) for k in (0, -1, 1))
            found = next((n for c in around for n in self.cells.get(c, ())
                          if all(abs(x - y) <= self.room for x, y in zip(self.points[n], point))), None)
        if found is None and new:
            found = len(self.points)
            self.points.append(point)
            if self.room == 0.0:
                self.cells[point] = found
            else:
                self.cells.setdefault(cell, []).append(found)
        return found


def same_surface(surface: Surface, scale: list, vertices, triangles) -> bool:
    """Has a mesh the triangles of a file, scaled? To the bit, unless the file has passed through single precision."""
    near = Near(surface.lost * max(map(abs, scale)))
    known = [near.number(tuple(s * x + 0.0 for s, x in zip(scale, v)), True) for v in surface.vertices]
    own = [near.number(tuple(x + 0.0 for x in v), False) for v in vertices]
    if any(own[i] is None for t in triangles for i in t):
        return False
    left = corner_sets([own[i] for i in t] for t in triangles)
    needed = corner_sets([known[i] for i in t] for t in surface.triangles)
    for quad in surface.quads:
        a, b, c, d = (known[i] for i in quad)
        halves = [corner_sets(pair) for pair in (((a, b, c), (a, c, d)), ((b, c, d), (b, d, a)))]
        fit = next((half for half in halves if half <= left), None)
        if fit is None:
            return False
        needed |= fit
    return left == needed
