"""Query files for tactus-verify: shapes and poses as integers, a pair's size and the rounding that it is allowed."""

import math
import re
import sys
from pathlib import Path

from .bodies import (BITS, ONE, ROUNDINGS, UNIT, Curved, HalfSpace, Mesh, Polytope, add, cross, dot, fixed, norm, pure,
                           real, reals, rotate, sub, transposed)
from .form import PROVED, REFUTED, UNPROVED, parse_json


class Unusable(Exception):
    """Input that is no valid query, answer or file."""


class Broken:
    """A line that holds no JSON object, and why."""

    def __init__(self, reason):
        self.reason = reason


def parse_line(line: bytes):
    try:
        value = parse_json(line.decode("utf-8"))
    except ValueError as error:  # of the bytes or of the text
        return Broken(f"no JSON: {error}")
    return value if isinstance(value, dict) else Broken("no JSON object")


def parse_lines(path) -> list:
    """The objects of a .jsonl file, `Broken` for every line that holds none; comments of the form // are allowed, and `-` is
    standard input. Only a line feed ends a line: a string may hold any other separator."""
    try:
        content = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except OSError as error:
        raise Unusable(f"{error.filename}: {error.strerror}") from error
    lines = (line.strip(b" \t\r") for line in content.split(b"\n"))
    return [parse_line(line) for line in lines if line and not line.startswith(b"//")]


def read_points_file(path) -> tuple:
    """Vertices and triangles of an OBJ or OFF file."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise Unusable(f"{error.filename}: {error.strerror}") from error
    vertices, polygons = [], []
    if Path(path).suffix.lower() == ".obj":
        # A backslash joins two lines, except in a comment.
        while re.search(r"^[^#\n]*\\\n", text, flags=re.MULTILINE):
            text = re.sub(r"^([^#\n]*)\\\n", r"\1 ", text, flags=re.MULTILINE)
    lines = [line.split("#")[0].split() for line in text.split("\n")]
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
        count, faces = (int(w) for w in rows[head][1 - head:][:2])
        vertices = [[float(w) for w in row[:3]] for row in rows[head + 1:head + 1 + count]]
        polygons = [[int(w) for w in row[1:1 + int(row[0])]] for row in rows[head + 1 + count:head + 1 + count + faces]]
    else:
        raise Unusable(f"{path}: only OBJ and OFF files are read")
    return vertices, [[p[0], p[i], p[i + 1]] for p in polygons for i in range(1, len(p) - 1)]


def rotation_of(pose) -> tuple:
    """Rows of a pose's rotation. A quaternion's length is divided out; a matrix stays if it is a rotation to rounding
    (8.9e-16, as the reader of tactus does), otherwise its polar factor is taken, by Newton's iteration."""
    if isinstance(pose, dict):
        q = pure(reals(pose.get("quaternion", (1, 0, 0, 0)), 4))
        w, x, y, z = q
        n = sum(c * c for c in q)
        doubled = ((n - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                   (2 * (x * y + w * z), n - 2 * (x * x + z * z), 2 * (y * z - w * x)),
                   (2 * (x * z - w * y), 2 * (y * z + w * x), n - 2 * (x * x + y * y)))
        return tuple(tuple((e << BITS) // n for e in row) for row in doubled)
    given = rows = tuple(pure(reals(pose, 12)[4 * i:4 * i + 3]) for i in range(3))
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
        if not pose.keys() <= {"position", "quaternion"}:
            raise ValueError(f"a pose of {', '.join(pose)}")
        return reals(pose.get("position", (0, 0, 0)))
    return reals(pose, 12)[3::4]


IDENTITY = {"position": [0, 0, 0]}
# What is read of shapes.
FIELDS = {kind: {"type", *fields} for kind, fields in {
    "sphere": ("radius", "rounding"), "box": ("size", "rounding"), "ellipsoid": ("radii", "rounding"), "halfspace": ("normal", "offset"),
    "convex": ("vertices", "file", "scale", "rounding"), "mesh": ("vertices", "triangles", "file", "scale"), "compound": ("parts", "file"),
    **dict.fromkeys(("capsule", "cylinder", "cone"), ("radius", "length", "rounding"))}.items()}


class Reader:
    """Shapes as they are written, flattened: a list of (primitive, poses from the outermost inwards)."""

    def __init__(self, folder="."):
        self.folder, self.files = Path(folder), {}
        self.bare = False  # are closed meshes taken as their surfaces?

    def points(self, shape) -> tuple:
        """Scaled vertices and triangles; the program scales in doubles too."""
        scale = shape.get("scale", 1.0)
        scale = reals(scale) if isinstance(scale, list) else [real(scale)] * 3
        if "file" in shape:
            name = self.folder / shape["file"]
            if name not in self.files:
                self.files[name] = read_points_file(name)
            vertices, triangles = self.files[name]
        else:
            vertices, triangles = [reals(v) for v in shape["vertices"]], shape.get("triangles", [])
            if any(type(i) is not int or not 0 <= i < len(vertices) for t in triangles for i in t):
                raise ValueError("a triangle of corners that are not there")
        vertices = [[x * s for x, s in zip(v, scale)] for v in vertices]
        if scale[0] * scale[1] * scale[2] < 0:
            triangles = [[t[0], t[2], t[1]] for t in triangles]
        return vertices, triangles

    def flatten(self, shape, poses) -> list:
        unknown = shape.keys() - FIELDS.get(shape["type"], shape.keys())
        if unknown:
            # It may change what the shape is: rounded or scaled unions, meshes that are taken apart.
            raise Unusable(f"a {shape['type']} with {', '.join(sorted(unknown))} is not read")
        if shape["type"] != "compound":
            return [(shape, poses)]
        if "parts" not in shape:
            raise Unusable("compounds from files are not read")
        return [flat for part in shape["parts"]
                for flat in self.flatten(part["shape"], poses + [part.get("pose", IDENTITY)])]

    def reach(self, shape) -> float:
        """Radius of a ball about the primitive's origin that holds it; of a half-space its offset."""
        kind, grown = shape["type"], real(shape.get("rounding", 0))
        if kind in ("convex", "mesh"):
            return grown + max(math.hypot(*v) for v in self.points(shape)[0])
        if kind == "halfspace":
            return abs(real(shape["offset"])) / math.hypot(*reals(shape["normal"]))
        if kind == "box":
            return grown + math.hypot(*reals(shape["size"])) / 2
        if kind == "ellipsoid":
            return grown + max(reals(shape["radii"]))
        radius, half = real(shape["radius"]), real(shape.get("length", 0)) / 2
        return grown + (math.hypot(radius, half) if kind in ("cylinder", "cone") else radius + half)

    def place(self, shape, rotation, position, grid):
        """One primitive in its pose."""
        kind, radius = shape["type"], fixed(real(shape.get("rounding", 0)), grid)

        def at(v) -> tuple:
            return add(rotate(rotation, v), position)

        def length(name, factor=1.0) -> int:
            return fixed(real(shape[name]) * factor, grid)

        if kind == "sphere":
            return Polytope([position], radius + length("radius"))
        if kind == "capsule":
            half = length("length", 0.5)
            return Polytope([at((0, 0, half)), at((0, 0, -half))] if half else [position], radius + length("radius"))
        if kind == "box":
            x, y, z = (fixed(s * 0.5, grid) for s in reals(shape["size"]))
            return Polytope([at((i * x, j * y, k * z)) for i in (1, -1) for j in (1, -1) for k in (1, -1)], radius)
        if kind in ("cylinder", "cone"):
            return Curved(kind, (length("radius"), length("length", 0.5)), rotation, position, radius)
        if kind == "ellipsoid":
            radii = tuple(fixed(r, grid) for r in reals(shape["radii"]))
            equal = len(set(radii)) == 1
            return Polytope([position], radius + radii[0]) if equal else Curved(kind, radii, rotation, position, radius)
        if kind == "halfspace":
            scale = math.frexp(max(map(abs, reals(shape["normal"]))))[1]
            raw = tuple(fixed(x, scale - BITS) for x in reals(shape["normal"]))
            whole = math.isqrt(dot(raw, raw))
            normal = rotate(rotation, tuple((x << BITS) // whole for x in raw))
            offset = (fixed(real(shape["offset"]), grid + scale) << BITS) // whole
            return HalfSpace(normal, offset + (dot(normal, position) >> BITS))
        if kind in ("convex", "mesh"):
            vertices, triangles = self.points(shape)
            local = [tuple(fixed(x, grid) for x in v) for v in vertices]
            placed = [at(v) for v in local]
            if kind == "convex":
                return Polytope(list(dict.fromkeys(placed)), radius)
            return Mesh(placed, triangles, local, self.bare)
        raise Unusable(f"unknown shape {kind}")


class Pair:
    """Two bodies about A's position: `a` and `b` are their convex parts, half-spaces and meshes."""

    def __init__(self, query, reader):
        pose_a, pose_b = query.get("pose_a", IDENTITY), query.get("pose_b", IDENTITY)
        flat = [reader.flatten(query[name], []) for name in "ab"]
        # Without a sign the distance is that of the surfaces, which have no inside, so that it is never below zero.
        reader.bare = query["ask"] == "distance" and query.get("signed") is False
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
        self.has_mesh = any(isinstance(p, Mesh) for p in self.a + self.b)
        self.unsigned = reader.bare and self.has_mesh
        self.unions = [name for name in "ab" if query[name]["type"] == "compound"]
        self.compound = bool(self.unions)
        depth = query.get("depth", "parts")
        if depth not in ("parts", "union"):
            raise Unusable(f"unknown depth {depth!r}")
        # Is a depth that of the unions? Of a distance only.
        self.union_depth = self.compound and depth == "union" and query["ask"] == "distance"

    def judge_parts(self, answer, outsides, allowed, open_claim=False) -> dict:
        """A point lies in the part that is named: a claim for either body. `outsides`: how far it is outside a part, at most."""
        claims = {}
        for name, parts, body, outside_of in zip(("part_a", "part_b"), (self.a, self.b), "ab", outsides):
            if name in answer:
                known = body in self.unions and answer[name] < len(parts)
                on = known and outside_of(parts[answer[name]]) <= allowed
                claims[name] = PROVED if on else UNPROVED if known and open_claim else REFUTED
        return claims

    def length(self, x) -> int:
        return fixed(real(x), self.grid)

    def point(self, v) -> tuple:
        """A point in the world."""
        return sub(tuple(fixed(real(x), self.grid) for x in v), self.origin)

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
