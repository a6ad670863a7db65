"""Query files for tools/verify.py: shapes and poses as integers, a pair's size and the rounding that it is allowed."""

import json
import math
import re
from pathlib import Path

from verify_bodies import (BITS, ONE, ROUNDINGS, UNIT, Curved, HalfSpace, Mesh, Polytope, add, cross, dot, fixed, norm, pure,
                           rotate, sub, transposed)


class Unusable(Exception):
    """Input that is no valid query, answer or file."""


def parse_lines(path) -> list:
    """The objects of a .jsonl file; comments of the form // are allowed."""
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise Unusable(f"{error.filename}: {error.strerror}") from error
    objects = []
    for number, line in enumerate(lines, 1):
        text = re.sub(r'("(?:[^"\\]|\\.)*")|//.*', lambda m: m.group(1) or "", line).strip()
        if not text:
            continue
        try:
            objects.append(json.loads(text))
        except ValueError as error:
            raise Unusable(f"{path}:{number}: {error}") from error
    return objects


def read_points_file(path) -> tuple:
    """Vertices and triangles of an OBJ or OFF file."""
    try:
        lines = [line.split("#")[0].split() for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError as error:
        raise Unusable(f"{error.filename}: {error.strerror}") from error
    vertices, polygons = [], []
    if Path(path).suffix.lower() == ".obj":
        for words in filter(None, lines):
            if words[0] == "v":
                vertices.append([float(w) for w in words[1:4]])
            elif words[0] == "f":
                corners = [int(w.split("/")[0]) for w in words[1:]]
                polygons.append([c - 1 if c > 0 else c + len(vertices) for c in corners])
    elif Path(path).suffix.lower() == ".off":
        rows = [words for words in lines if words]
        head = 1 if len(rows[0]) == 1 else 0
        count, faces = (int(w) for w in rows[head][-3:-1])
        vertices = [[float(w) for w in row[:3]] for row in rows[head + 1:head + 1 + count]]
        polygons = [[int(w) for w in row[1:1 + int(row[0])]] for row in rows[head + 1 + count:head + 1 + count + faces]]
    else:
        raise Unusable(f"{path}: only OBJ and OFF files are read")
    return vertices, [[p[0], p[i], p[i + 1]] for p in polygons for i in range(1, len(p) - 1)]


def rotation_of(pose) -> tuple:
    """Rows of a pose's rotation. A quaternion's length is divided out; a matrix stays if it is a rotation to rounding
    (8.9e-16, as the reader of tactus does), otherwise its polar factor is taken, by Newton's iteration."""
    if isinstance(pose, dict):
        q = pure(pose.get("quaternion", (1, 0, 0, 0)))
        w, x, y, z = q
        n = sum(c * c for c in q)
        doubled = ((n - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                   (2 * (x * y + w * z), n - 2 * (x * x + z * z), 2 * (y * z - w * x)),
                   (2 * (x * z - w * y), 2 * (y * z + w * x), n - 2 * (x * x + y * y)))
        return tuple(tuple((e << BITS) // n for e in row) for row in doubled)
    given = rows = tuple(pure(pose[4 * i:4 * i + 3]) for i in range(3))
    for _ in range(20):
        cofactors = (cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1]))
        whole = dot(rows[0], cofactors[0]) >> 2 * BITS
        if whole <= 0:
            raise Unusable("a pose's matrix is no rotation")
        rows = tuple(tuple((a + c // whole) // 2 for a, c in zip(r, s)) for r, s in zip(rows, cofactors))
    change = max(abs(a - b) for r, s in zip(rows, given) for a, b in zip(r, s))
    return given if change <= fixed(8.9e-16, -BITS) else rows


def position_of(pose) -> list:
    if isinstance(pose, dict):
        return [float(x) for x in pose.get("position", (0, 0, 0))]
    return [float(pose[3]), float(pose[7]), float(pose[11])]


IDENTITY = {"position": [0, 0, 0]}


class Reader:
    """Shapes as they are written, flattened: a list of (primitive, poses from the outermost inwards)."""

    def __init__(self, folder="."):
        self.folder, self.files = Path(folder), {}

    def points(self, shape) -> tuple:
        """Scaled vertices and triangles; the program scales in doubles too."""
        scale = shape.get("scale", 1.0)
        scale = [float(s) for s in scale] if isinstance(scale, list) else [float(scale)] * 3
        if "file" in shape:
            name = self.folder / shape["file"]
            if name not in self.files:
                self.files[name] = read_points_file(name)
            vertices, triangles = self.files[name]
        else:
            vertices, triangles = shape["vertices"], shape.get("triangles", [])
        vertices = [[float(x) * s for x, s in zip(v, scale)] for v in vertices]
        if scale[0] * scale[1] * scale[2] < 0:
            triangles = [[t[0], t[2], t[1]] for t in triangles]
        return vertices, triangles

    def flatten(self, shape, poses) -> list:
        if shape["type"] != "compound":
            return [(shape, poses)]
        if "parts" not in shape:
            raise Unusable("compounds from files are not read")
        return [flat for part in shape["parts"]
                for flat in self.flatten(part["shape"], poses + [part.get("pose", IDENTITY)])]

    def reach(self, shape) -> float:
        """Radius of a ball about the primitive's origin that holds it; of a half-space its offset."""
        kind, grown = shape["type"], float(shape.get("rounding", 0))
        if kind in ("convex", "mesh"):
            return grown + max(math.hypot(*v) for v in self.points(shape)[0])
        if kind == "halfspace":
            return abs(float(shape["offset"])) / math.hypot(*map(float, shape["normal"]))
        if kind == "box":
            return grown + math.hypot(*map(float, shape["size"])) / 2
        if kind == "ellipsoid":
            return grown + max(map(float, shape["radii"]))
        radius, half = float(shape["radius"]), float(shape.get("length", 0)) / 2
        return grown + (math.hypot(radius, half) if kind in ("cylinder", "cone") else radius + half)

    def place(self, shape, rotation, position, grid):
        """One primitive in its pose."""
        kind, radius = shape["type"], fixed(float(shape.get("rounding", 0)), grid)

        def at(v) -> tuple:
            return add(rotate(rotation, v), position)

        def length(name, factor=1.0) -> int:
            return fixed(float(shape[name]) * factor, grid)

        if kind == "sphere":
            return Polytope([position], radius + length("radius"))
        if kind == "capsule":
            half = length("length", 0.5)
            return Polytope([at((0, 0, half)), at((0, 0, -half))] if half else [position], radius + length("radius"))
        if kind == "box":
            x, y, z = (fixed(float(s) * 0.5, grid) for s in shape["size"])
            return Polytope([at((i * x, j * y, k * z)) for i in (1, -1) for j in (1, -1) for k in (1, -1)], radius)
        if kind in ("cylinder", "cone"):
            return Curved(kind, (length("radius"), length("length", 0.5)), rotation, position, radius)
        if kind == "ellipsoid":
            radii = tuple(fixed(float(r), grid) for r in shape["radii"])
            equal = len(set(radii)) == 1
            return Polytope([position], radius + radii[0]) if equal else Curved(kind, radii, rotation, position, radius)
        if kind == "halfspace":
            scale = math.frexp(max(abs(float(x)) for x in shape["normal"]))[1]
            raw = tuple(fixed(float(x), scale - BITS) for x in shape["normal"])
            whole = math.isqrt(dot(raw, raw))
            normal = rotate(rotation, tuple((x << BITS) // whole for x in raw))
            offset = (fixed(float(shape["offset"]), grid + scale) << BITS) // whole
            return HalfSpace(normal, offset + (dot(normal, position) >> BITS))
        if kind in ("convex", "mesh"):
            vertices, triangles = self.points(shape)
            local = [tuple(fixed(x, grid) for x in v) for v in vertices]
            placed = [at(v) for v in local]
            return Polytope(list(dict.fromkeys(placed)), radius) if kind == "convex" else Mesh(placed, triangles, local)
        raise Unusable(f"unknown shape {kind}")


class Pair:
    """Two bodies about A's position: `a` and `b` are their convex parts, half-spaces and meshes."""

    def __init__(self, query, reader):
        pose_a, pose_b = query.get("pose_a", IDENTITY), query.get("pose_b", IDENTITY)
        flat = [reader.flatten(query[name], []) for name in "ab"]
        at_a, at_b = position_of(pose_a), position_of(pose_b)
        offset = math.dist(at_a, at_b)
        # Radii of balls about the bodies' origins that hold them.
        self.reaches = [max(sum(math.hypot(*position_of(p)) for p in poses) + reader.reach(s) for s, poses in body)
                        for body in flat]
        size = sum(self.reaches)
        if not size + offset < 1e300:
            raise ValueError("beyond the range of double")
        self.grid = math.frexp(size + offset or 1.0)[1] - BITS
        self.origin = tuple(fixed(x, self.grid) for x in at_a)
        self.origins = self.point(at_a), self.point(at_b)
        self.size = size + offset
        self.slack = self.length(ROUNDINGS * UNIT * self.size)
        # Points in the world are rounded where they are.
        self.world_slack = self.length(ROUNDINGS * UNIT * (self.size + max(map(abs, at_a)) + max(map(abs, at_b))))
        self.a, self.b = (self.place(body, pose, reader) for body, pose in zip(flat, (pose_a, pose_b)))
        if query.get("signed") is False and query.get("ask") == "distance":
            # Asked of surfaces: no mesh has an inside.
            for mesh in (p for p in self.a + self.b if isinstance(p, Mesh)):
                mesh.is_closed = False
        self.has_mesh = any(isinstance(p, Mesh) for p in self.a + self.b)
        self.compound = len(self.a) > 1 or len(self.b) > 1 or any(query[name]["type"] == "compound" for name in "ab")

    def length(self, x) -> int:
        return fixed(float(x), self.grid)

    def point(self, v) -> tuple:
        """A point in the world."""
        return sub(tuple(fixed(float(x), self.grid) for x in v), self.origin)

    def to_double(self, length) -> float:
        return math.ldexp(length / ONE, self.grid + BITS)

    def place(self, body, pose, reader) -> list:
        parts = []
        for shape, poses in body:
            rotation, position = rotation_of(pose), self.point(position_of(pose))
            for inner in poses:
                local = tuple(fixed(x, self.grid) for x in position_of(inner))
                position = add(position, rotate(rotation, local))
                columns = transposed(rotation_of(inner))
                rotation = transposed(tuple(rotate(rotation, c) for c in columns))
            part = reader.place(shape, rotation, position, self.grid)
            part.frame = (rotation, position)
            # Of a ball about the body's origin that holds the part.
            part.reach = norm(sub(position, self.point(position_of(pose)))) + self.length(reader.reach(shape))
            parts.append(part)
        return parts
