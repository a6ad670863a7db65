#!/usr/bin/env python3
"""Compares the program's readers of mesh files with readers of its own, on random variants of every format.

    tests/tools/mesh_readers_test.py PROGRAM [--without-assimp] [SEED]

A variant is a random mesh, written the way that some program somewhere writes it: other line ends, byte-order marks, joined lines,
types, strips, placements, content that a reader has to pass over. The reader here and the program must find the same vertices and
triangles, and both what was drawn. Only a program that was built without assimp may refuse COLLADA.
"""

import base64
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

EFFORT = float(os.environ.get("TACTUS_TEST_EFFORT", "1"))
VARIANTS = max(2, round(8 * EFFORT))  # of each format

FORMATS = ("obj", "off", "stl", "ply", "dae", "gltf", "glb")


def single(x: float) -> float:
    return struct.unpack("<f", struct.pack("<f", x))[0]


def fan(polygon):
    return [(polygon[0], polygon[i - 1], polygon[i]) for i in range(2, len(polygon))]


def welded(corners):
    """Vertices in the order of their first appearance, triangles of them."""
    index, vertices = {}, []
    for corner in corners:
        if corner not in index:
            index[corner] = len(vertices)
            vertices.append(corner)
    ids = [index[c] for c in corners]
    return vertices, [tuple(ids[i : i + 3]) for i in range(0, len(ids), 3)]


class Drawn:
    """A random mesh: vertices that differ, polygons of three to five corners over all of them."""

    def __init__(self, rng: random.Random, floats: bool, triangles_only: bool = False):
        count = rng.randint(3, 12)
        self.vertices = []
        for i in range(count):
            v = tuple(rng.choice((rng.uniform(-9, 9), rng.uniform(-1e-5, 1e6), float(rng.randint(-3, 3)))) for _ in range(2))
            v = (20.0 * i + rng.random(),) + v
            self.vertices.append(tuple(single(x) for x in v) if floats else v)
        self.polygons = []
        for i in range(count - 2):
            polygon = [i, i + 1, i + 2]
            if not triangles_only and count > 5 and rng.random() < 0.3:
                polygon = rng.sample(range(count), rng.choice((3, 4, 5)))
            self.polygons.append(polygon)
        self.triangles = [t for p in self.polygons for t in fan(p)]


def as_text(rng, lines, comment=None, mark=True):
    """Lines as bytes, with one kind of line end, blank lines and comments between."""
    end = rng.choice(("\n", "\r\n", "\r"))
    out = []
    for line in lines:
        out.append(rng.choice(("", "", " ", "\t")) + line if comment else line)
        if comment and rng.random() < 0.15:
            out.append(rng.choice(("", "  ", comment + " a comment\\", comment)))
    text = end.join(out) + rng.choice((end, ""))
    return (b"\xef\xbb\xbf" if mark and rng.random() < 0.4 else b"") + text.encode()


def number(rng, x):
    return rng.choice((repr(x), f"{x:.17e}", ("+" if x >= 0 else "") + repr(x)))


# --- OBJ


def write_obj(rng, mesh):
    lines = [rng.choice(("o thing", "g a b", "mtllib x.mtl", "unheard of"))]
    for v in mesh.vertices:
        extra = rng.choice(("", "", " 1.0", " 0.5 0.5 0.5"))
        lines.append("v " + " ".join(number(rng, x) for x in v) + extra)
    lines += ["vt 0 0", "vn 0 0 1"]
    for polygon in mesh.polygons:
        form = rng.choice(("{}", "{}/1", "{}//1", "{}/1/1"))
        back = len(mesh.vertices) if rng.random() < 0.3 else -1
        lines.append("f " + " ".join(form.format(i - back if back > 0 else i + 1) for i in polygon))
        if rng.random() < 0.2:
            lines.append(rng.choice(("f 1 2", "f 1", "f", "l 1 2 3", "s off", "what is this")))
    joined = []
    for line in lines:
        words, text = line.split(), ""
        for k, word in enumerate(words):
            text += word
            if k + 1 < len(words):
                text += rng.choice((" ", "  ", "\t")) if rng.random() < 0.9 else rng.choice((" \\\n", "\\\n ", "\\\n"))
        joined += text.split("\n")
    # No comment may follow a joined line.
    return as_text(rng, joined, comment=None)


def logical_lines(data: bytes, comment=None, continued=False):
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    text = data.decode().replace("\r\n", "\n").replace("\r", "\n")
    line = ""
    for part in text.split("\n"):
        if comment and comment in part:
            yield line + part[: part.index(comment)]
            line = ""
        elif continued and part.endswith("\\"):
            line += part[:-1] + " "
        else:
            yield line + part
            line = ""


def read_obj(data, _):
    vertices, triangles = [], []
    for line in logical_lines(data, "#", True):
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append(tuple(float(w) for w in words[1:4]))
        elif words[:1] == ["f"]:
            ids = [int(w.split("/")[0]) for w in words[1:]]
            triangles += fan([i - 1 if i > 0 else len(vertices) + i for i in ids])
    return vertices, triangles


# --- OFF


def write_off(rng, mesh):
    counts = f"{len(mesh.vertices)} {len(mesh.polygons)}" + rng.choice(("", " 0"))
    keyword = rng.choice(("OFF", "COFF", "NOFF", "STOFF"))
    lines = [f"{keyword} {counts}"] if rng.random() < 0.5 else [keyword, counts]
    extra = {"OFF": "", "COFF": " 255 0 0 255", "NOFF": " 0 0 1", "STOFF": " 0.5 0.5"}[keyword]
    lines += [" ".join(number(rng, x) for x in v) + extra for v in mesh.vertices]
    for p in mesh.polygons:
        lines.append(f"{len(p)} " + " ".join(map(str, p)) + rng.choice(("", " 255 0 0", " 0.1 0.2 0.3 1")))
    return as_text(rng, lines + rng.choice(([], ["left over"])), comment="#")


def read_off(data, _):
    lines = [line.split() for line in logical_lines(data, "#")]
    lines = [words for words in lines if words]
    counts = lines[0][1:] or lines[1]
    body = lines[1:] if lines[0][1:] else lines[2:]
    n, m = int(counts[0]), int(counts[1])
    vertices = [tuple(float(w) for w in words[:3]) for words in body[:n]]
    return vertices, [t for w in body[n : n + m] for t in fan([int(c) for c in w[1 : 1 + int(w[0])]])]


# --- STL


def write_stl(rng, mesh):
    corners = [[mesh.vertices[i] for i in t] for t in mesh.triangles]
    if rng.random() < 0.5:
        title = rng.choice((b"solid but binary", b"binary", b"\xef\xbb\xbfx")).ljust(80, rng.choice((b"\0", b" ")))
        data = title + struct.pack("<I", len(corners))
        for c in corners:
            data += struct.pack("<12f", 0, 0, 1, *(x for v in c for x in v)) + struct.pack("<H", rng.randint(0, 65535))
        return data + (b"left over" if title.endswith(b"\0") and rng.random() < 0.3 else b"")
    case = rng.choice((str.lower, str.upper))
    lines = [case("solid ") + rng.choice(("", "a name"))]
    for c in corners:
        lines += [case("facet normal 0 0 1"), case("  outer loop")]
        lines += [case("    vertex ") + " ".join(number(rng, x) for x in v) for v in c]
        lines += [case("  endloop"), case("endfacet")]
    return as_text(rng, lines + [case("endsolid")] + rng.choice(([], ["left over"])))


def read_stl(data, _):
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    if count >= 0 and (84 + 50 * count == len(data) or (b"\0" in data[:84] and 84 + 50 * count < len(data))):
        corners = []
        for i in range(count):
            values = struct.unpack_from("<12f", data, 84 + 50 * i)
            corners += [values[3:6], values[6:9], values[9:12]]
        return welded(corners)
    corners = []
    for line in logical_lines(data):
        words = line.lower().split()
        if words[:1] == ["vertex"]:
            corners.append(tuple(float(w) for w in words[1:4]))
    return welded(corners)


# --- PLY

PLY_TYPES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d",
             "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "float32": "f", "float64": "d"}


def write_ply(rng, mesh):
    form = rng.choice(("ascii", "ascii", "binary_little_endian", "binary_big_endian"))
    order = rng.sample("xyz", 3)
    properties = [(axis, rng.choice(("double", "float64") if not mesh.floats else ("float", "double", "float32"))) for axis in order]
    for name, kind in (("red", "uchar"), ("nx", "float"), ("flag", "short")):
        if rng.random() < 0.4:
            properties.insert(rng.randint(0, len(properties)), (name, kind))
    length, index = rng.choice(("uchar", "uint8", "int", "ushort")), rng.choice(("int", "uint", "ushort", "int32", "uchar"))
    face_extra = rng.random() < 0.3
    head = ["ply", f"format {form} 1.0", "comment made by a test"]
    other = rng.random() < 0.4
    other_first = rng.random() < 0.5
    material = ["element material 2", "property list uchar short values"]
    if other and other_first:
        head += material
    head.append(f"element vertex {len(mesh.vertices)}")
    head += [f"property {kind} {name}" for name, kind in properties]
    faces = [list(p) for p in mesh.polygons]
    if rng.random() < 0.4:
        faces.insert(rng.randint(0, len(faces)), [0, 1])
    head += [f"element face {len(faces)}", f"property list {length} {index} " + rng.choice(("vertex_indices", "vertex_index"))]
    if face_extra:
        head.append("property float quality")
    if other and not other_first:
        head += material
    head.append("end_header")
    records = [[("uchar", 2), ("short", -7), ("short", 8)], [("uchar", 0)]] if other and other_first else []
    for v in mesh.vertices:
        at = dict(zip("xyz", v))
        records.append([(kind, at.get(name, 3)) for name, kind in properties])
    for p in faces:
        records.append([(length, len(p))] + [(index, i) for i in p] + ([("float", 0.5)] if face_extra else []))
    if other and not other_first:
        records += [[("uchar", 2), ("short", -7), ("short", 8)], [("uchar", 0)]]
    end = rng.choice(("\n", "\r\n", "\r"))
    data = (end.join(head) + end).encode()
    if form == "ascii":
        lines = [" ".join(number(rng, x) if isinstance(x, float) else str(x) for _, x in r) for r in records]
        if rng.random() < 0.3:
            lines = [line + rng.choice(("", " 9 9")) for line in lines]
        elif rng.random() < 0.3:
            return data + (" ".join(lines)).replace(" ", rng.choice((" ", end))).encode()
        return data + end.join(lines + rng.choice(([], ["left over"], [""]))).encode()
    mark = "<" if form == "binary_little_endian" else ">"
    for r in records:
        data += b"".join(struct.pack(mark + PLY_TYPES[kind], x) for kind, x in r)
    return data + rng.choice((b"", b"\n", b"left over"))


def read_ply(data, _):
    end = b"\r\n" if data.startswith(b"ply\r\n") else b"\r" if data.startswith(b"ply\r") else b"\n"
    at = data.index(b"end_header" + end) + len(b"end_header" + end)
    elements, form = [], ""
    for line in data[:at].split(end):
        words = line.decode().split()
        if words[:1] == ["format"]:
            form = words[1]
        elif words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"]:
            elements[-1][2].append(words[1:])
    lines = [line.decode().split() for line in data[at:].split(end)] if form == "ascii" else []
    lines = [words for words in lines if words]
    needed = sum(e[1] for e in elements)
    rows = form == "ascii" and len(lines) >= needed
    # All in one line, or a line for each number.
    if rows and all(len(words) == 1 for words in lines[:needed]):
        rows = False
    stream = iter([w for words in lines for w in words])
    place, row = at, 0
    vertices, triangles = [], []
    mark = "<" if form == "binary_little_endian" else ">"

    def value(kind):
        nonlocal place
        if form == "ascii":
            return float(next(stream))
        out = struct.unpack_from(mark + PLY_TYPES[kind], data, place)[0]
        place += struct.calcsize(mark + PLY_TYPES[kind])
        return out

    for name, count, properties in elements:
        for _ in range(count):
            if rows:
                stream = iter(lines[row])
                row += 1
            got = {}
            for p in properties:
                if p[0] == "list":
                    got[p[3]] = [value(p[2]) for _ in range(int(value(p[1])))]
                else:
                    got[p[1]] = value(p[0])
            if name == "vertex":
                vertices.append((got["x"], got["y"], got["z"]))
            if name == "face":
                triangles += fan([int(i) for i in got.get("vertex_indices", got.get("vertex_index"))])
    return vertices, triangles


# --- COLLADA


def write_dae(rng, mesh):
    up = rng.choice(("<up_axis>Y_UP</up_axis>", "<up_axis>Z_UP</up_axis>", "<up_axis>X_UP</up_axis>", ""))
    unit = rng.choice(("", '<unit name="metre" meter="1"/>', '<unit name="inch" meter="0.0254"/>', "<unit meter='1000'/>"))
    floats = " ".join(repr(x) for v in mesh.vertices for x in v)
    inputs = '<input semantic="VERTEX" source="#vx" offset="0"/>'
    if rng.random() < 0.5:
        faces = f'<triangles count="{len(mesh.triangles)}">{inputs}<p>' + " ".join(str(i) for t in mesh.triangles for i in t) + "</p></triangles>"
    else:
        faces = (f'<polylist count="{len(mesh.triangles)}">{inputs}<vcount>' + "3 " * len(mesh.triangles) + "</vcount><p>"
                 + " ".join(str(i) for t in mesh.triangles for i in t) + "</p></polylist>")
    place = rng.choice(("", "<translate>1 2 3</translate>", "<matrix>0 -1 0 4 1 0 0 5 0 0 1 6 0 0 0 1</matrix>", "<scale>2 2 2</scale>"))
    text = f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>{unit}{up}</asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="{3 * len(mesh.vertices)}">{floats}</float_array>
<technique_common><accessor source="#pa" count="{len(mesh.vertices)}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="vx"><input semantic="POSITION" source="#p"/></vertices>
{faces}</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n">{place}<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""
    return text.encode()


def read_dae(data, _):
    name = "{http://www.collada.org/2005/11/COLLADASchema}"
    root = ElementTree.fromstring(data)
    unit = root.find(f"{name}asset/{name}unit")
    metres = float(unit.get("meter")) if unit is not None else 1.0
    values = [float(w) for w in root.find(f".//{name}float_array").text.split()]
    node = root.find(f".//{name}node")
    rows = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    for child in node:
        numbers = [float(w) for w in child.text.split()] if child.text else []
        if child.tag == name + "translate":
            rows = [[1, 0, 0, numbers[0]], [0, 1, 0, numbers[1]], [0, 0, 1, numbers[2]]]
        elif child.tag == name + "scale":
            rows = [[numbers[0], 0, 0, 0], [0, numbers[1], 0, 0], [0, 0, numbers[2], 0]]
        elif child.tag == name + "matrix":
            rows = [numbers[0:4], numbers[4:8], numbers[8:12]]
    placed = []
    for i in range(0, len(values), 3):
        v = values[i : i + 3]
        placed.append(tuple(metres * (r[0] * v[0] + r[1] * v[1] + r[2] * v[2] + r[3]) for r in rows))
    ids = [int(w) for w in root.find(f".//{name}p").text.split()]
    return welded([placed[i] for i in ids])


# --- glTF


def strip_of(mesh):
    """Drawn meshes of triangles i, i + 1, i + 2 as a strip: every other one turned."""
    return list(range(len(mesh.vertices)))


def write_gltf(rng, mesh, binary):
    mode = rng.choice((4, 4, 5, 6))
    n = len(mesh.vertices)
    ids = {4: [i for t in mesh.triangles for i in t], 5: strip_of(mesh), 6: strip_of(mesh)}[mode]
    code, letter = rng.choice(((5121, "B"), (5123, "H"), (5125, "I")))
    buffer = b"\0" * rng.choice((0, 4, 8))
    stride = rng.choice((0, 16, 20))
    start = len(buffer)
    for v in mesh.vertices:
        buffer += struct.pack("<3f", *v) + b"\7" * (max(stride, 12) - 12)
    views = [{"buffer": 0, "byteOffset": start, "byteLength": len(buffer) - start}]
    if stride:
        views[0]["byteStride"] = stride
    accessors = [{"bufferView": 0, "componentType": 5126, "count": n, "type": "VEC3"}]
    primitive = {"attributes": {"POSITION": 0}, "mode": mode}
    if mode == 4:
        del primitive["mode"]
    if rng.random() < 0.8 or mode == 4:
        views.append({"buffer": 0, "byteOffset": len(buffer), "byteLength": len(ids) * struct.calcsize(letter)})
        accessors.append({"bufferView": 1, "componentType": code, "count": len(ids), "type": "SCALAR"})
        primitive["indices"] = 1
        buffer += struct.pack(f"<{len(ids)}{letter}", *ids)
    if rng.random() < 0.3:  # one vertex by a sparse accessor
        at = len(buffer)
        buffer += struct.pack("<I", n - 1) + struct.pack("<3f", *mesh.vertices[0])
        views += [{"buffer": 0, "byteOffset": at, "byteLength": 4}, {"buffer": 0, "byteOffset": at + 4, "byteLength": 12}]
        accessors[0]["sparse"] = {"count": 1, "indices": {"bufferView": len(views) - 2, "componentType": 5125},
                                  "values": {"bufferView": len(views) - 1}}
    inner = rng.choice(({}, {"translation": [1, 2, 3]}, {"scale": [2, 2, -2]}, {"rotation": [0, 0, math.sqrt(0.5), math.sqrt(0.5)]},
                        {"matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1]}))
    outer = rng.choice(({}, {"translation": [-7, 0, 0.5]}, {"scale": [3, 1, 1]}))
    root = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [1]}], "meshes": [{"primitives": [primitive]}],
            "nodes": [dict(inner, mesh=0), dict(outer, children=[0])], "accessors": accessors, "bufferViews": views,
            "buffers": [{"byteLength": len(buffer)}]}
    if rng.random() < 0.3:
        root["meshes"][0]["primitives"].append({"attributes": {"POSITION": 0}, "mode": rng.choice((0, 1, 3))})
    if not binary:
        if rng.random() < 0.5:
            root["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()
        else:
            root["buffers"][0]["uri"] = "side%20file.bin"
        return (b"\xef\xbb\xbf" if rng.random() < 0.3 else b"") + json.dumps(root).encode(), buffer
    text = json.dumps(root).encode()
    kind = rng.choice(("aligned", "bare", "undeclared"))
    text_length, buffer_length = len(text), len(buffer)
    if kind != "bare":
        text += b" " * (-len(text) % 4)
        buffer += b"\0" * (-len(buffer) % 4)
    if kind == "aligned":
        text_length, buffer_length = len(text), len(buffer)
    body = struct.pack("<I", text_length) + b"JSON" + text + struct.pack("<I", buffer_length) + b"BIN\0" + buffer
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body + rng.choice((b"", b"left over")), buffer


def matrix_of(node):
    if "matrix" in node:
        m = node["matrix"]
        return [[m[r], m[4 + r], m[8 + r], m[12 + r]] for r in range(3)]
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    s, t = node.get("scale", [1, 1, 1]), node.get("translation", [0, 0, 0])
    r = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[r[i][k] * s[k] for k in range(3)] + [t[i]] for i in range(3)]


def determinant(m):
    return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))


def read_gltf(data, side):
    if data[:4] == b"glTF":
        length = struct.unpack_from("<I", data, 12)[0]
        root, at = json.loads(data[20 : 20 + length]), 20 + length
        while data[at + 4 : at + 8] != b"BIN\0":
            at += 1
        buffer = data[at + 8 :]
    else:
        root = json.loads(data.decode("utf-8-sig"))
        uri = root["buffers"][0]["uri"]
        buffer = base64.b64decode(uri[uri.index(",") + 1 :]) if uri.startswith("data:") else side

    def elements(accessor):
        letter, width = {5121: ("B", 1), 5123: ("H", 1), 5125: ("I", 1), 5126: ("f", 3)}[accessor["componentType"]]
        view = root["bufferViews"][accessor["bufferView"]]
        size = struct.calcsize(f"<{width}{letter}")
        out = [struct.unpack_from(f"<{width}{letter}", buffer, view["byteOffset"] + i * view.get("byteStride", size))
               for i in range(accessor["count"])]
        if "sparse" in accessor:
            places, values = (root["bufferViews"][accessor["sparse"][k]["bufferView"]]["byteOffset"] for k in ("indices", "values"))
            out[struct.unpack_from("<I", buffer, places)[0]] = struct.unpack_from("<3f", buffer, values)
        return out

    m = [matrix_of(root["nodes"][1]), matrix_of(root["nodes"][0])]
    corners, all_places = [], []
    for primitive in root["meshes"][0]["primitives"]:
        mode = primitive.get("mode", 4)
        if mode < 4:
            continue
        places = elements(root["accessors"][primitive["attributes"]["POSITION"]])
        for matrix in reversed(m):
            places = [tuple(r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3] for r in matrix) for p in places]
        all_places += places
        ids = [i[0] for i in elements(root["accessors"][primitive["indices"]])] if "indices" in primitive else list(range(len(places)))
        if mode == 4:
            triangles = [ids[i : i + 3] for i in range(0, len(ids), 3)]
        elif mode == 5:
            triangles = [[ids[i], ids[i + 1 + i % 2], ids[i + 2 - i % 2]] for i in range(len(ids) - 2)]
        else:
            triangles = [[ids[0], ids[i + 1], ids[i + 2]] for i in range(len(ids) - 2)]
        if determinant(m[0]) * determinant(m[1]) < 0:
            triangles = [[a, c, b] for a, b, c in triangles]
        corners += [places[i] for t in triangles for i in t]
    vertices, _ = welded(all_places)
    index = {v: i for i, v in enumerate(vertices)}
    return vertices, [tuple(index[c] for c in corners[i : i + 3]) for i in range(0, len(corners), 3)]


# --- the comparison

WRITERS = {"obj": write_obj, "off": write_off, "stl": write_stl, "ply": write_ply, "dae": write_dae}
READERS = {"obj": read_obj, "off": read_off, "stl": read_stl, "ply": read_ply, "dae": read_dae, "gltf": read_gltf, "glb": read_gltf}


def near(a, b, relative):
    return len(a) == len(b) and all(abs(x - y) <= relative * (1e-3 + abs(x) + abs(y)) for p, q in zip(a, b) for x, y in zip(p, q))


def same(found, right, form):
    """Vertices in their order and triangles of them; COLLADA, which passes through single precision, by the triangles' corners."""
    if form != "dae":
        # Placements of glTF are rounded in another order.
        relative = 0.0 if form not in ("gltf", "glb") else 1e-14
        return near(found[0], right[0], relative) and found[1] == right[1]
    corners = [[v[i] for t in triangles for i in t] for v, triangles in (found, right)]
    scale = max(abs(x) for p in corners[1] for x in p)
    return len(corners[0]) == len(corners[1]) and all(
        abs(x - y) <= 4e-7 * scale for p, q in zip(*corners) for x, y in zip(p, q))


def program_reads(program, path):
    out = path + ".json"
    run = subprocess.run([program, "mesh", path, "-o", out], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return None, run.stderr
    with open(out, encoding="utf-8") as file:
        shape = json.load(file)
    return ([tuple(v) for v in shape["vertices"]], [tuple(t) for t in shape["triangles"]]), run.stderr


def endings_differ(program, folder, rng):
    """Endings whose files are not read back as they were written."""
    mesh = Drawn(rng, floats=True)
    first = os.path.join(folder, "first.obj")
    with open(first, "wb") as file:
        file.write(write_obj(rng, mesh))
    wrong = []
    for ending in ("obj", "stl", "ply", "off", "glb", "json", "JSON"):
        path = os.path.join(folder, f"written.{ending}")
        subprocess.run([program, "mesh", first, "-o", path], capture_output=True, check=True)
        found, _ = program_reads(program, path)
        right = (mesh.vertices, mesh.triangles)
        if ending in ("stl", "glb"):  # corners in the order of the triangles, or vertices welded
            corners = [right[0][i] for t in right[1] for i in t]
            found = found and [found[0][i] for t in found[1] for i in t]
            right = corners
        if found != right:
            wrong.append(ending)
    return wrong


def objects_differ(program, folder, rng):
    """Names of objects that are lost on the way from OBJ to OBJ and GLB."""
    names = [rng.choice(("first", "second one", "3", "a b c", "Größe")) + f" {i}" for i in range(rng.randint(2, 4))]
    text = "".join(
        f"o {name}\nv {i} 0 0\nv {i} 1 0\nv {i} 0 1\nf {3 * i + 1} {3 * i + 2} {3 * i + 3}\n" for i, name in enumerate(names)
    )
    first, out = os.path.join(folder, "named.obj"), os.path.join(folder, "named_out")
    with open(first, "w", encoding="utf-8") as file:
        file.write(text)
    for ending in ("obj", "glb"):
        subprocess.run([program, "mesh", first, "-o", f"{out}.{ending}"], capture_output=True, check=True)
    with open(out + ".obj", encoding="utf-8") as file:
        in_obj = [line[2:].strip() for line in file if line.startswith("o ")]
    with open(out + ".glb", "rb") as file:
        data = file.read()
    nodes = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])["nodes"]
    in_glb = [node["name"] for node in nodes]
    return [] if in_obj == names and in_glb == names else [names, in_obj, in_glb]


def main() -> int:
    program, *rest = sys.argv[1:]
    formats = [form for form in FORMATS if form != "dae" or "--without-assimp" not in rest]
    seed = next((int(word) for word in rest if word.isdigit()), 1)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for form in formats:
            for k in range(VARIANTS):
                rng = random.Random(f"{seed} {form} {k}")
                floats = form in ("stl", "gltf", "glb", "dae") or (form == "ply" and rng.random() < 0.5)
                mesh = Drawn(rng, floats, triangles_only=form in ("gltf", "glb"))
                mesh.floats = floats
                side = b""
                if form in ("gltf", "glb"):
                    data, side = write_gltf(rng, mesh, form == "glb")
                    with open(os.path.join(folder, "side file.bin"), "wb") as file:
                        file.write(side)
                else:
                    data = WRITERS[form](rng, mesh)
                path = os.path.join(folder, f"mesh.{form}")
                with open(path, "wb") as file:
                    file.write(data)
                right = READERS[form](data, side)
                if form in ("obj", "off", "ply") and right != (mesh.vertices, mesh.triangles):
                    print(f"{form} {k} (seed {seed}): the reader of the test does not find what was drawn")
                    failed += 1
                found, errors = program_reads(program, path)
                if found is None or not same(found, right, form):
                    print(f"{form} {k} (seed {seed}): {errors.strip() or 'other vertices or triangles'}\n  {found}\n  {right}\n  {data[:2000]!r}")
                    failed += 1
        for k in range(VARIANTS):
            rng = random.Random(f"{seed} endings {k}")
            wrong = endings_differ(program, folder, rng) + objects_differ(program, folder, rng)
            if wrong:
                print(f"written files {k} (seed {seed}): {wrong}")
                failed += 1
    print(f"{len(formats) * VARIANTS} files, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
