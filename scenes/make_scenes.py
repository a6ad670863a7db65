#!/usr/bin/env python3
"""Writes the scenes whose bodies are computed: arch, card house, dominoes, cradle, handle, hourglass, bowl, chain, impulses, surfaces, vehicle, bridge, trampoline, chute.

  scenes/make_scenes.py           writes them to scenes/
  scenes/make_scenes.py --check   complains when a scene there is not what would be written
"""
import json
import math
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
FLOOR = {"name": "floor", "type": "fixed", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}}


def number(x):
    """Nine digits: rounding stays far below what counts as an overlap at the start."""
    rounded = round(float(x), 9)
    return int(rounded) if rounded == int(rounded) else rounded


def vector(*values):
    return [number(x) for x in values]


def about_y(angle):
    """Quaternion; full digits, it has to be unit."""
    return [math.cos(angle / 2), 0, math.sin(angle / 2), 0]


def about_z(angle):
    return [math.cos(angle / 2), 0, 0, math.sin(angle / 2)]


def pose(position, quaternion=(1, 0, 0, 0)):
    return {"position": vector(*position), "quaternion": list(quaternion)}


def arch():
    stones, middle, thickness, width = 9, 1.0, 0.2, 0.4
    half = math.pi / stones / 2
    # The stone about +x; its lower face touches that of its neighbour.
    vertices = [
        vector(r * math.cos(a), y, r * math.sin(a))
        for r in (middle - thickness / 2, middle + thickness / 2)
        for a in (-half, half)
        for y in (-width / 2, width / 2)
    ]
    bodies = [{**FLOOR, "material": "stone"}]
    for k in range(stones):
        # A turn by a positive angle about y leads from x to -z.
        turn = about_y(-(2 * k + 1) * half)
        bodies.append({"name": f"stone {k + 1}", "shape": "stone", "material": "stone", "pose": pose((0, 0, 0), turn)})
    return {
        "title": "Arch of nine stones",
        "materials": {"stone": {"friction": 0.7, "density": 2500}},
        "shapes": {"stone": {"type": "convex", "vertices": vertices}},
        "bodies": bodies,
        "recording": {"duration": 5},
        "goal": {"rms_speed": 1e-3, "mean_penetration": 1e-3, "inside": {"lower": [-1.2, -0.3, 0], "upper": [1.2, 0.3, 1.2]}},
    }


def cards():
    levels, card, thickness, width, spacing, short = 4, 0.1, 0.02, 0.6, 0.8, 0.002
    lean = math.radians(20)
    height = math.cos(lean) + thickness * math.sin(lean)
    foot = 0.5 * (math.sin(lean) + thickness * math.cos(lean))
    bodies = [{**FLOOR, "material": "card"}]
    for level in range(levels):
        base, pairs = level * (height + thickness), levels - level
        for i in range(pairs):
            x = (i - 0.5 * (pairs - 1)) * spacing
            for side in (-1, 1):
                place = (card * (x + side * foot), 0, card * (base + height / 2))
                bodies.append({"shape": "leaning", "material": "card", "pose": pose(place, about_y(-side * lean))})
            if i + 1 < pairs:
                place = (card * (x + spacing / 2), 0, card * (base + height + thickness / 2))
                bodies.append({"shape": "across", "material": "card", "pose": pose(place)})
    return {
        "title": "House of cards",
        "materials": {"card": {"friction": 0.6, "density": 700}},
        "shapes": {
            "leaning": {"type": "box", "size": vector(card * thickness, card * width, card)},
            "across": {"type": "box", "size": vector(card * (spacing - short), card * width, card * thickness)},
        },
        "bodies": bodies,
        "recording": {"duration": 5},
        "goal": {"rms_speed": 0.01, "mean_penetration": 1e-3, "inside": {"lower": [-0.2, -0.05, 0], "upper": [0.2, 0.05, 0.42]}},
    }


def dominoes():
    count, radius, height = 60, 1.0, 0.24
    bodies = [{**FLOOR, "material": "wood"}]
    for k in range(count):
        # Along an S of two arcs, a stone every 5 degrees.
        t = math.radians(5) * (k - (count - 1) / 2)
        side = 1 if t >= 0 else -1
        angle = abs(t)
        place = (side * radius * math.sin(angle), side * radius * (1 - math.cos(angle)), height / 2)
        heading = angle
        body = {"shape": "domino", "material": "wood", "pose": pose(place, about_z(heading))}
        if k == 0:
            # It tips about its lower front edge.
            turn = 2.5
            body["angular_velocity"] = vector(-turn * math.sin(heading), turn * math.cos(heading), 0)
            body["linear_velocity"] = vector(turn * height / 2 * math.cos(heading), turn * height / 2 * math.sin(heading), 0)
        bodies.append(body)
    return {
        "title": "Sixty dominoes",
        "materials": {"wood": {"friction": 0.4, "density": 700}},
        "shapes": {"domino": {"type": "box", "size": [0.03, 0.12, height]}},
        "bodies": bodies,
        "recording": {"duration": 6},
        "goal": {"rms_speed": 0.05, "inside": {"lower": [-1.5, -2.5, 0], "upper": [1.5, 2.5, 0.1]}},
    }


def cradle():
    balls, radius = 5, 0.1
    bodies = [
        {"name": "left wall", "type": "fixed", "material": "steel", "shape": {"type": "halfspace", "normal": [1, 0, 0], "offset": -1.5}},
        {"name": "right wall", "type": "fixed", "material": "steel", "shape": {"type": "halfspace", "normal": [-1, 0, 0], "offset": -1.5}},
    ]
    for k in range(balls):
        bodies.append({"shape": "ball", "material": "steel", "pose": pose((2 * radius * (k - (balls - 1) / 2), 0, 0))})
    bodies.append({"name": "first", "shape": "ball", "material": "steel", "color": "#c0392b", "pose": pose((-1.2, 0, 0)), "linear_velocity": [2, 0, 0]})
    return {
        "title": "Balls that hand on one impulse",
        "world": {"gravity": [0, 0, 0], "step_rate": 120},
        "materials": {"steel": {"friction": 0, "restitution": 1, "density": 7800}},
        "shapes": {"ball": {"type": "sphere", "radius": radius}},
        "bodies": bodies,
        "recording": {"duration": 8, "view": {"from": [0, -3, 1], "to": [0, 0, 0]}},
        "goal": {"inside": {"lower": [-1.5, -0.01, -0.01], "upper": [1.5, 0.01, 0.01]}},
    }


def handle():
    return {
        "title": "A handle that turns over",
        "world": {"gravity": [0, 0, 0], "step_rate": 120},
        "materials": {"steel": {"density": 7800}},
        "shapes": {
            "handle": {
                "type": "compound",
                "parts": [
                    {"shape": {"type": "cylinder", "radius": 0.1, "length": 1}, "pose": pose((0, 0, 0), (math.sqrt(0.5), math.sqrt(0.5), 0, 0))},
                    {"shape": {"type": "cylinder", "radius": 0.1, "length": 0.6}, "pose": pose((0.4, 0, 0), (math.sqrt(0.5), 0, math.sqrt(0.5), 0))},
                ],
            }
        },
        # About the middle axis of inertia, that of the stem, and a little aside.
        "bodies": [{"name": "handle", "shape": "handle", "material": "steel", "angular_velocity": [8, 0.01, 0]}],
        "recording": {"duration": 20, "view": {"from": [0, -3, 1.5], "to": [0, 0, 0]}},
        "goal": {"inside": {"lower": [-0.5, -0.5, -0.5], "upper": [0.5, 0.5, 0.5]}},
    }


def revolved(profile, segments):
    """Vertices and triangles of the surface that a curve of (radius, height) leaves about z; its inside is where z is."""
    vertices = [vector(r * math.cos(a), r * math.sin(a), z) for r, z in profile for a in (2 * math.pi * s / segments for s in range(segments))]
    triangles = []
    for ring in range(len(profile) - 1):
        for s in range(segments):
            a, b = ring * segments + s, ring * segments + (s + 1) % segments
            c, d = a + segments, b + segments
            triangles += [[a, c, b], [b, c, d]]
    return {"type": "mesh", "vertices": vertices, "triangles": triangles}


def hourglass():
    neck, wide, half = 0.16, 0.6, 1.1
    profile = [(wide, -half), (wide, -0.55), (neck, -0.04), (neck, 0.04), (wide, 0.55), (wide, half + 1.2)]
    return {
        "title": "Hourglass",
        "materials": {"sand": {"friction": 0.3, "rolling_friction": 0.02, "density": 2500}, "glass": {"friction": 0.1}},
        "shapes": {"glass": revolved(profile, 24), "grain": {"type": "sphere", "radius": 0.04}},
        "bodies": [
            {"name": "bottom", "type": "fixed", "material": "glass", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": -half}},
            {"name": "glass", "type": "fixed", "shape": "glass", "material": "glass", "color": "#d9e6f2", "opacity": 0.25},
        ],
        "generators": [
            {"type": "pour", "count": 400, "seed": 7, "material": "sand", "region": {"lower": [-0.4, -0.4, 0.6], "upper": [0.4, 0.4, 2.2]}, "shapes": ["grain"]}
        ],
        "recording": {"duration": 6, "view": {"from": [0, -4, 1], "to": [0, 0, 0.1]}},
        "goal": {"mean_penetration": 2e-3, "inside": {"lower": [-0.6, -0.6, -1.1], "upper": [0.6, 0.6, 2.3]}},
    }


def torus(around, across, major, minor):
    vertices, triangles = [], []
    for i in range(around):
        u = 2 * math.pi * i / around
        for j in range(across):
            v = 2 * math.pi * j / across
            r = major + minor * math.cos(v)
            vertices.append(vector(r * math.cos(u), r * math.sin(u), minor * math.sin(v)))
    at = lambda i, j: i % around * across + j % across
    for i in range(around):
        for j in range(across):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            triangles += [[a, b, c], [a, c, d]]
    return {"type": "mesh", "vertices": vertices, "triangles": triangles}


def star(points, outer, inner, thickness):
    rim = []
    for k in range(2 * points):
        r, a = (outer, inner)[k % 2], math.pi * k / points
        rim.append((r * math.cos(a), r * math.sin(a)))
    n = len(rim)
    vertices = [vector(x, y, -thickness / 2) for x, y in rim] + [vector(x, y, thickness / 2) for x, y in rim]
    vertices += [vector(0, 0, -thickness / 2), vector(0, 0, thickness / 2)]
    triangles = []
    for k in range(n):
        m = (k + 1) % n
        triangles += [[k, m, n + m], [k, n + m, n + k], [2 * n, m, k], [2 * n + 1, n + k, n + m]]
    return {"type": "mesh", "vertices": vertices, "triangles": triangles}


def bowl():
    rings = [(math.sin(a), 1 - math.cos(a)) for a in (math.radians(d) for d in (3, 15, 30, 45, 60, 75, 90))]
    material = {"friction": 0.4, "rolling_friction": 0.02, "torsional_friction": 0.02, "density": 1000}
    return {
        "title": "Two stars and a torus in a bowl",
        "materials": {"clay": material},
        "shapes": {
            "bowl": revolved(rings, 32),
            "torus": torus(24, 12, 0.3, 0.1),
            "star": star(5, 0.35, 0.15, 0.15),
        },
        "bodies": [
            {"name": "floor", "type": "fixed", "material": "clay", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}},
            {"name": "bowl", "type": "fixed", "shape": "bowl", "material": "clay", "color": "#d8b98c"},
            {"name": "torus", "shape": "torus", "material": "clay", "pose": pose((0.1, 0, 1.0), about_y(0.5))},
            {"name": "first star", "shape": "star", "material": "clay", "pose": pose((0, 0.1, 1.6), about_y(1.2))},
            {"name": "second star", "shape": "star", "material": "clay", "pose": pose((-0.1, 0, 2.2), about_y(-0.7))},
        ],
        "recording": {"duration": 4, "view": {"from": [0, -3, 2.6], "to": [0, 0, 0.5]}},
        "goal": {"rms_speed": 0.02, "mean_penetration": 5e-3, "inside": {"lower": [-1, -1, 0], "upper": [1, 1, 1.2]}},
    }


def impulses():
    materials = {"floor": {"friction": 0.5}, "clay": {"friction": 0.5, "restitution": 0.2, "density": 1000}}
    bodies = [{**FLOOR, "material": "floor"}]
    for k in range(5):
        # A pair bounces by the larger of both restitutions; friction keeps balls where they fall.
        name = f"bounce {0.5 + 0.1 * k:.1f}"
        materials[name] = {"friction": 0.5, "restitution": number(0.5 + 0.1 * k), "density": 1000}
        bodies.append({"name": name, "shape": "ball", "material": name, "pose": pose((0.4 * (k - 2), -0.5, 1.1))})
    bodies += [
        {"name": "torus", "shape": "torus", "material": "clay", "pose": pose((-0.5, 0.5, 0.8), about_y(0.5))},
        {"name": "star", "shape": "star", "material": "clay", "pose": pose((0.5, 0.5, 0.8), about_y(1.2)), "angular_velocity": [0, 3, 0]},
    ]
    return {
        "title": "Free flights and single collisions",
        "world": {"type": "impulse"},
        "materials": materials,
        "shapes": {
            "ball": {"type": "sphere", "radius": 0.1},
            "torus": torus(24, 12, 0.3, 0.1),
            "star": star(5, 0.35, 0.15, 0.15),
        },
        "bodies": bodies,
        "recording": {"duration": 4, "view": {"from": [0, -3, 1.6], "to": [0, 0, 0.4]}},
        "goal": {"mean_penetration": 1e-9, "inside": {"lower": [-2, -2, 0], "upper": [2, 2, 1.2]}},
    }


def chain():
    links, length, radius, top = 20, 0.1, 0.02, 2.2
    material = {"friction": 0.3, "rolling_friction": 0.05, "density": 7800}
    bodies = [
        {**FLOOR, "material": "steel"},
        {"name": "hook", "type": "fixed", "material": "steel", "shape": {"type": "sphere", "radius": 2 * radius}, "pose": pose((0, 0, top))},
        {"name": "ball", "type": "fixed", "material": "steel", "shape": {"type": "sphere", "radius": 0.4}, "pose": pose((-0.25, 0, 1)), "color": "#c0392b"},
    ]
    joints, before = [], "hook"
    for k in range(links):
        name = f"link {k + 1}"
        bodies.append({"name": name, "shape": "link", "material": "steel", "pose": pose(((k + 0.5) * length, 0, top), about_y(math.pi / 2))})
        joints.append({"type": "ball", "bodies": [before, name], "anchor": vector(k * length, 0, top)})
        before = name
    return {
        "title": "A chain that swings against a ball",
        "world": {"linear_damping": 1, "angular_damping": 1},
        "materials": {"steel": material},
        "shapes": {"link": {"type": "capsule", "radius": radius, "length": number(length - 2 * radius)}},
        "bodies": bodies,
        "joints": joints,
        "recording": {"duration": 15, "view": {"from": [0.4, -4.5, 1.6], "to": [0.4, 0, 1.3]}},
        "goal": {"rms_speed": 0.02, "mean_penetration": 1e-3, "inside": {"lower": [-0.3, -0.7, 0], "upper": [0.4, 0.7, 2.3]}},
    }


def terrain(lower, upper, cell, height):
    """A mesh over a grid; its inside is below."""
    columns, lines = round((upper[0] - lower[0]) / cell) + 1, round((upper[1] - lower[1]) / cell) + 1
    place = [(lower[0] + i * cell, lower[1] + j * cell) for j in range(lines) for i in range(columns)]
    triangles = []
    for j in range(lines - 1):
        for i in range(columns - 1):
            a = j * columns + i
            b, c, d = a + 1, a + columns, a + columns + 1
            triangles += [[a, b, d], [a, d, c]]
    return {"type": "mesh", "vertices": [vector(x, y, height(x, y)) for x, y in place], "triangles": triangles}


def bridge():
    planks, length, height, load = 4, 0.5, 3, 0.4
    span = planks * length
    bodies = [
        FLOOR,
        *(
            {"name": name, "type": "fixed", "shape": {"type": "box", "size": [0.4, 1, 0.1]}, "material": "wood", "pose": pose((x, 0, height))}
            for name, x in (("left end", -0.25), ("right end", span + 0.25))
        ),
        *(
            {"name": f"plank {k + 1}", "shape": {"type": "box", "size": [0.45, 1, 0.08]}, "material": "wood", "pose": pose(((k + 0.5) * length, 0, height))}
            for k in range(planks)
        ),
        {"name": "load", "shape": {"type": "box", "size": [load] * 3}, "material": "iron", "pose": pose((span / 2, 0, height + 0.3)), "color": "#5a6470"},
    ]
    row = ["left end", *(f"plank {k + 1}" for k in range(planks)), "right end"]
    joints = [
        {"type": "hinge", "bodies": [row[k], row[k + 1]], "anchor": vector(k * length, 0, height), "axis": [0, 1, 0]}
        for k in range(planks + 1)
    ]
    return {
        "title": "Level bridge under a ton",
        "materials": {"wood": {"friction": 0.6, "density": 1000}, "iron": {"friction": 0.6, "density": number(1000 / load**3)}},
        "bodies": bodies,
        "joints": joints,
        "recording": {"duration": 5, "view": {"from": [1, -6, 4], "to": [1, 0, 2.8]}},
        "goal": {"rms_speed": 1e-3, "inside": {"lower": [-0.1, -0.6, 2.5], "upper": [2.1, 0.6, 3.6]}},
    }


def vehicle():
    radius, width, track, base, high = 0.3, 0.2, 0.9, 1.2, 0.32

    def height(x, y):
        grown = min(max((x - 1.5) / 3, 0), 1)
        return grown * (0.14 * math.sin(1.3 * x) * math.cos(0.8 * y) + 0.1 * math.sin(0.7 * x + 1.1 * y))

    bodies = [
        {"name": "terrain", "type": "fixed", "shape": "terrain", "material": "rubber", "color": "#9bbb7a"},
        {"name": "chassis", "shape": {"type": "box", "size": [1.6, 0.6, 0.25]}, "material": "body", "pose": pose((0, 0, high + 0.1)), "color": "#2f6fde"},
    ]
    joints = []
    for name, x, side in (("front left", 1, 1), ("front right", 1, -1), ("rear left", -1, 1), ("rear right", -1, -1)):
        place = (x * base / 2, side * track / 2, high)
        wheel = f"{name} wheel"
        bodies.append({"name": wheel, "shape": "wheel", "material": "rubber", "pose": pose(place, (math.sqrt(0.5), math.sqrt(0.5), 0, 0))})
        motor = {"speed": 6, "max_force": 40}
        joints.append({"type": "hinge", "bodies": ["chassis", wheel], "anchor": vector(*place), "axis": [0, 1, 0], "motor": motor})
    return {
        "title": "Four driven wheels over rough ground",
        "materials": {"rubber": {"friction": 0.9, "density": 600}, "body": {"friction": 0.5, "density": 400}},
        "shapes": {
            "terrain": terrain((-2, -3), (18, 3), 0.5, height),
            "wheel": {"type": "cylinder", "radius": radius, "length": width},
        },
        "bodies": bodies,
        "joints": joints,
        "recording": {"duration": 8, "view": {"from": [6, -12, 6], "to": [7, 0, 0]}},
        "goal": {"mean_penetration": 5e-3, "inside": {"lower": [9, -2.5, -0.2], "upper": [17, 2.5, 1.2]}},
    }


def surfaces():
    angle, pairs = 0.35, [("steel", 0.0), ("wood", 0.2), ("leather", 0.3), ("rubber", 0.7)]
    turn = about_y(angle)
    down = (math.cos(angle), -math.sin(angle))  # x and z along the slope
    normal = (math.sin(angle), math.cos(angle))
    gate = 2.5
    bodies = [{"name": "slope", "type": "fixed", "material": "ice",
               "shape": {"type": "halfspace", "normal": [normal[0], 0, normal[1]], "offset": 0}}]
    for k, (name, _) in enumerate(pairs):
        place = (0.1 * normal[0], 0.6 * (k - 1.5), 0.1 * normal[1])
        bodies.append({"name": f"{name} block", "shape": "block", "material": name, "pose": pose(place, turn)})
    middle = (gate * down[0] + 0.25 * normal[0], 0, gate * down[1] + 0.25 * normal[1])
    bodies.append({"name": "gate", "type": "fixed", "sensor": True, "color": "#2f6fde", "opacity": 0.3,
                   "shape": {"type": "box", "size": [0.1, 2.4, 0.5]}, "pose": pose(middle, turn)})
    return {
        "title": "Four blocks on ice",
        "materials": {"ice": {"friction": 0.1}, **{name: {"friction": 0.6} for name, _ in pairs}},
        "surface_pairs": [{"materials": ["ice", name], "friction": friction} for name, friction in pairs],
        "shapes": {"block": {"type": "box", "size": [0.4, 0.4, 0.2]}},
        "bodies": bodies,
        "recording": {"duration": 2, "view": {"from": [3, -6, 2], "to": [1, 0, -0.5]}},
    }


def trampoline():
    size, height, bar = 1.6, 0.6, 0.06
    half = size / 2
    # The bars stand off the cloth by more than its contact distance.
    place = half + 0.02 + bar / 2
    frame = {"type": "fixed", "material": "steel", "color": "#5d6b7a"}
    bars = [
        {"name": f"bar {k + 1}", **frame, "shape": "bar", "pose": pose((place * math.cos(a), place * math.sin(a), height), about_z(a))}
        for k, a in enumerate((0, math.pi / 2, math.pi, 3 * math.pi / 2))
    ]
    legs = [
        {"name": f"leg {k + 1}", **frame, "shape": "leg", "pose": pose((x * place, y * place, (height - bar / 2) / 2))}
        for k, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1)))
    ]
    rim = [
        {"inside": {"lower": vector(*lower), "upper": vector(*upper)}}
        for lower, upper in (
            ((-1, -1, 0), (-half + 0.01, 1, 1)),
            ((half - 0.01, -1, 0), (1, 1, 1)),
            ((-1, -1, 0), (1, -half + 0.01, 1)),
            ((-1, half - 0.01, 0), (1, 1, 1)),
        )
    ]
    return {
        "title": "Trampoline",
        "world": {"step_rate": 120},
        "materials": {"steel": {"density": 7800}, "wood": {"density": 600, "friction": 0.6}, "rubber": {"density": 400, "friction": 0.8}},
        "shapes": {
            "bar": {"type": "box", "size": vector(bar, size + 0.04 + 2 * bar, bar)},
            "leg": {"type": "box", "size": vector(bar, bar, height - bar / 2)},
            "ball": {"type": "sphere", "radius": 0.14},
            "crate": {"type": "box", "size": [0.26, 0.22, 0.18]},
            "roll": {"type": "capsule", "radius": 0.08, "length": 0.25},
        },
        "bodies": [
            FLOOR,
            *bars,
            *legs,
            {"name": "ball", "shape": "ball", "material": "rubber", "pose": pose((-0.31, 0.12, 1.3))},
            {"name": "crate", "shape": "crate", "material": "wood", "pose": pose((0.27, 0.18, 1.5), about_y(0.5))},
            {"name": "roll", "shape": "roll", "material": "wood", "pose": pose((0.03, -0.29, 1.9), about_y(1.2))},
        ],
        "deformables": [
            {
                "name": "cloth",
                "structure": {"type": "sheet", "size": [size, size], "cells": [16, 16]},
                "material": {"young": 1e6, "thickness": 2e-3, "density": 400, "damping": 0.005},
                "pose": pose((0, 0, height)),
                "led": rim,
            }
        ],
        "recording": {"duration": 6, "view": {"from": [2.6, -2.4, 1.9], "to": [0, 0, 0.55]}},
    }


def chute():
    """Space repeats along x and y; gravity leans, instead of the floor. Fixed balls make it rough."""
    slope, period, bump, per_side = math.radians(32), 2.4, 0.1, 9
    step = period / per_side
    bodies = [{**FLOOR, "material": "rock"}]
    for k in range(per_side * per_side):
        i, j = k % per_side, k // per_side
        # Every other row is set off, each at heights that come again after three.
        x = (i + 0.5 * (j % 2) - per_side / 2 + 0.25) * step
        place = (x, (j - per_side / 2 + 0.5) * step, 0.03 * ((i + 2 * j) % 3 - 2))
        bodies.append({"name": f"bump {k + 1}", "type": "fixed", "shape": "bump", "material": "rock", "color": "#8d8a83", "pose": pose(place)})
    return {
        "title": "Grains on an endless slope",
        "world": {
            "gravity": vector(9.81 * math.sin(slope), 0, -9.81 * math.cos(slope)),
            "periodic": {"x": [-period / 2, period / 2], "y": [-period / 2, period / 2]},
        },
        "materials": {"rock": {"friction": 0.5}, "grain": {"friction": 0.5, "restitution": 0.2, "density": 2500}},
        "shapes": {
            "bump": {"type": "sphere", "radius": bump},
            "ball": {"type": "sphere", "radius": 0.1},
            "cube": {"type": "box", "size": [0.17, 0.17, 0.17], "rounding": 0.01},
        },
        "bodies": bodies,
        "generators": [
            {
                "type": "grid",
                "shapes": [{"shape": "ball", "weight": 3}, {"shape": "cube"}],
                "material": "grain",
                "seed": 5,
                "count": [8, 8, 4],
                "spacing": [0.3, 0.3, 0.26],
                "position": [-1.05, -1.05, 0.27],
                "jitter": [0.02, 0.02, 0.01],
            }
        ],
        "recording": {"duration": 8, "view": {"from": [2.6, -4.2, 2.2], "to": [0, 0, 0.4]}},
    }


def seams():
    """Three rows of tiles, one of boxes, one of cylinders that touch, one of meshes; what slides over them, and a step."""
    length, count, thickness = 0.5, 24, 0.4
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    tile = {
        "vertices": [vector(x * length / 2, y * 0.5, z * thickness / 2) for x, y, z in corners],
        "triangles": [
            [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
            [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
        ],
    }  # fmt: skip
    rows_of_tiles = [("box tile", 0.0, "#8fa3b8"), ("round tile", 1.2, "#b8a48f"), ("mesh tile", 2.4, "#93b88f")]
    tiles = [
        {
            "name": f"{shape} {i + 1}",
            "type": "fixed",
            "shape": shape,
            "material": "ice",
            "color": color,
            "pose": pose((i * length, y, -thickness / 2)),
        }
        for shape, y, color in rows_of_tiles
        for i in range(count)
    ]
    end = (count - 0.5) * length
    step = {
        "name": "step",
        "type": "fixed",
        "shape": {"type": "box", "size": vector(0.5, 4, thickness + 0.02)},
        "material": "ice",
        "color": "#5d6b7a",
        "pose": pose((end + 0.25, 1.2, (0.02 - thickness) / 2)),
    }
    moving = [("crate", 0.0, 0.2), ("block", 1.2, 0.25), ("roll", 2.4, 0.15)]
    return {
        "title": "Seams",
        "materials": {"ice": {"friction": 0}},
        "shapes": {
            "box tile": {"type": "box", "size": vector(length, 1, thickness)},
            "round tile": {"type": "cylinder", "radius": length / 2, "length": thickness},
            "mesh tile": {"type": "mesh", **tile},
            "crate": {"type": "box", "size": [0.6, 0.6, 0.4]},
            "block": {"type": "box", "size": [0.7, 0.7, 0.5]},
            "roll": {"type": "capsule", "radius": 0.15, "length": 0.4},
        },
        "bodies": [
            *tiles,
            step,
            *(
                {
                    "name": shape,
                    "shape": shape,
                    "material": "ice",
                    "pose": pose((0.3, y, z), (math.sqrt(0.5), math.sqrt(0.5), 0, 0) if shape == "roll" else (1, 0, 0, 0)),
                    "linear_velocity": [4, 0, 0],
                }
                for shape, y, z in moving
            ),
        ],
        "recording": {"duration": 4, "view": {"from": [3.5, -7, 3.5], "to": [6, 1.2, 0]}},
    }


SCENES = {
    "arch": (arch, "Nine stones of a half circle stand by friction alone."),
    "bowl": (bowl, "Three bodies that are not convex, as closed meshes, fall into a bowl that is an open one."),
    "cards": (cards, "A house of cards of four levels stands."),
    "chain": (chain, "A chain of twenty links swings down and comes to rest against a ball."),
    "chute": (chute, "Grains run down a rough slope without end: space repeats along x and y."),
    "cradle": (cradle, "A ball hits a row of touching ones: one leaves at the other end, comes back from the wall, and so on."),
    "dominoes": (dominoes, "A row of dominoes along an S; the first one is pushed."),
    "handle": (handle, "Weightless and turning about its middle axis of inertia, a T turns over again and again."),
    "hourglass": (hourglass, "400 grains run through the neck of a glass of revolution."),
    "impulses": (impulses, "Balls of five restitutions, a torus and a star in flight between collisions (impulse-based dynamics)."),
    "seams": (seams, "Bodies slide over tiles of boxes, cylinders and meshes as over one slab, up to a step."),
    "surfaces": (surfaces, "Blocks slide down a slope of ice through a sensor, each with a friction of its own pair of materials."),
    "trampoline": (trampoline, "A ball, a crate and a roll fall on a trampoline, a cloth with a fixed rim, and on each other."),
    "bridge": (bridge, "A box of a ton lands on a level bridge of four planks on hinges, which holds it still."),
    "vehicle": (vehicle, "A vehicle of four wheels on hinges with motors drives over rough ground, an open mesh."),
}


def rows(value, indent):
    """JSON with a line per entry of the outer objects and lists, and one for all that lies deeper."""
    flat = json.dumps(value)
    if len(flat) + indent <= 118 or not isinstance(value, (dict, list)):
        return flat
    space, inner = " " * indent, " " * (indent + 2)
    if isinstance(value, dict):
        body = ",\n".join(f"{inner}{json.dumps(k)}: {rows(v, indent + 2)}" for k, v in value.items())
        return "{\n" + body + "\n" + space + "}"
    if value and all(isinstance(x, list) for x in value):
        # Vertices, triangles: as many as fit on a line.
        lines, line = [], inner
        for k, x in enumerate(value):
            word = json.dumps(x) + ("," if k + 1 < len(value) else "")
            if len(line) + len(word) > 118:
                lines.append(line.rstrip())
                line = inner
            line += word + " "
        return "[\n" + "\n".join([*lines, line.rstrip()]) + "\n" + space + "]"
    return "[\n" + ",\n".join(inner + rows(x, indent + 2) for x in value) + "\n" + space + "]"


def text_of(name):
    make, comment = SCENES[name]
    scene = {"$schema": "scene.schema.json", **make()}
    return f"// {comment} Written by scenes/make_scenes.py.\n{rows(scene, 0)}\n"


def main():
    stale = []
    for name in SCENES:
        file = FOLDER / f"{name}.json"
        if "--check" not in sys.argv:
            file.write_text(text_of(name), encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text_of(name):
            stale.append(name)
    for name in stale:
        print(f"scenes/{name}.json is not what scenes/make_scenes.py writes")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
