#!/usr/bin/env python3
"""Writes tests/regression/data/exact_cases.jsonl: queries whose answers have closed forms, worked out to 60 digits.

Bodies stand along the axes, turned by quarter turns at most, so that no pose is rounded.
"""

import json
import random
from decimal import Decimal as D
from decimal import getcontext
from pathlib import Path

getcontext().prec = 60
TURNS = {"x": [1, 0, 0, 0, 1, 0, 0, 0, 1], "xyz": [0, 0, 1, 1, 0, 0, 0, 1, 0], "z": [0, -1, 0, 1, 0, 0, 0, 0, 1]}
rng = random.Random(14)
lines = []


def number(low: float, high: float) -> float:
    return round(rng.uniform(low, high), rng.choice((3, 9, 17)))


def pose(position, turn: str = "x") -> list:
    r = TURNS[turn]
    return [x for i in range(3) for x in (*map(float, r[3 * i:3 * i + 3]), position[i])]


def world(local, position, turn: str):
    """What `local` is in the world, the sum rounded, and where that is in the body's frame, exactly."""
    r = TURNS[turn]
    at = [sum(r[3 * i + j] * local[j] for j in range(3)) + position[i] for i in range(3)]
    gap = [D(a) - D(p) for a, p in zip(at, position)]
    return at, [sum(r[3 * i + j] * gap[i] for i in range(3)) for j in range(3)]


def norm(*v) -> D:
    return sum((x * x for x in v), D(0)).sqrt()


def add(kind: str, a: dict, pose_a: list, b: dict, pose_b: list, truth: D) -> None:
    lines.append({"id": f"{kind}-{len(lines)}", "class": kind, "a": a, "pose_a": pose_a, "b": b, "pose_b": pose_b,
                  "ask": "distance", "right": {"signed_distance": float(truth)}})


def outside(half, p) -> D:
    """Signed distance of a point from a box."""
    over = [abs(x) - h for x, h in zip(p, half)]
    return max(over) if max(over) < 0 else norm(*(max(x, D(0)) for x in over))


def round_body(kind: str, radius: float, length: float, p) -> D:
    """Signed distance of a point from a body about z."""
    r, h = D(radius), D(length) / 2
    across, up = norm(p[0], p[1]), p[2]
    if kind == "capsule":
        return norm(across, max(abs(up) - h, D(0))) - r
    if kind == "cylinder":
        return outside((r, h), (across, up))
    # A cone's section: base (0, -h) to (r, -h), side from there to the apex (0, h).
    side = norm(r, 2 * h)
    to_side = (2 * h * (across - r) + r * (up + h)) / side
    if to_side <= 0 and up >= -h:
        return max(to_side, -h - up)
    foot = ((r - across) * r + (up + h) * 2 * h) / (side * side)
    if up < -h and across <= r:
        return -h - up
    s = min(max(foot, D(0)), D(1))
    return norm(across - r * (1 - s), up + h - 2 * h * s)


for _ in range(8):
    radius, turn = number(0.1, 2), rng.choice(list(TURNS))
    position, local = [number(-3, 3) for _ in range(3)], [number(-2, 2) for _ in range(3)]
    at, p = world(local, position, turn)
    ball = {"type": "sphere", "radius": radius}
    other = number(0.1, 2)
    add("sphere", ball, pose(position), {"type": "sphere", "radius": other}, pose(at),
        norm(*(D(x) - D(y) for x, y in zip(at, position))) - D(radius) - D(other))
    size = [number(0.2, 3) for _ in range(3)]
    add("box", {"type": "box", "size": size}, pose(position, turn), ball, pose(at),
        outside([D(x) / 2 for x in size], p) - D(radius))
    for kind in ("capsule", "cylinder", "cone"):
        wide, long = number(0.2, 2), number(0.2, 3)
        add(kind, {"type": kind, "radius": wide, "length": long}, pose(position, turn), ball, pose(at),
            round_body(kind, wide, long, p) - D(radius))
    # On an axis of the ellipsoid, beyond it: the tangent plane at its end separates.
    radii, axis = [number(0.2, 2) for _ in range(3)], rng.randrange(3)
    reach = [(radii[axis] + number(0.1, 1)) * (i == axis) for i in range(3)]
    at, p = world(reach, position, turn)
    small = number(0.01, 0.1)
    add("ellipsoid", {"type": "ellipsoid", "radii": radii}, pose(position, turn), {"type": "sphere", "radius": small},
        pose(at), abs(p[axis]) - D(radii[axis]) - D(small))
    # Boxes along the axes: apart like a point from their sum.
    other = [number(0.2, 3) for _ in range(3)]
    at, p = world(local, position, "x")
    add("boxes", {"type": "box", "size": size}, pose(position), {"type": "box", "size": other}, pose(at),
        outside([(D(x) + D(y)) / 2 for x, y in zip(size, other)], p))
    # A floor, and what stands over it.
    height, offset = number(-1, 2), number(-1, 1)
    add("halfspace", {"type": "halfspace", "normal": [0.0, 0.0, 1.0], "offset": offset}, pose(position), ball,
        pose([0.5, -0.25, height]), D(height) - D(position[2]) - D(offset) - D(radius))

# Casts along x of bodies that are symmetric: the time is the gap over the speed.
for _ in range(12):
    reach = [number(0.1, 0.9) for _ in range(2)]
    shapes = [rng.choice(({"type": "sphere", "radius": r}, {"type": "box", "size": [2 * r, 1.0, 1.0]},
                          {"type": "cylinder", "radius": r, "length": 1.0}, {"type": "capsule", "radius": r, "length": 1.0}))
              for r in reach]
    far, speed = number(2, 5), [number(3, 9), -number(0, 3)]
    ends = [s["size"][0] if s["type"] == "box" else None for s in shapes]
    gap = D(far) - sum((D(e) / 2 if e is not None else D(r)) for e, r in zip(ends, reach))
    lines.append({"id": f"cast-{len(lines)}", "class": "cast", "a": shapes[0], "pose_a": pose([0.0, 0.0, 0.0]),
                  "b": shapes[1], "pose_b": pose([far, 0.0, 0.0]), "ask": "cast",
                  "motion": {"a": [speed[0], 0.0, 0.0], "b": [speed[1], 0.0, 0.0]},
                  "right": {"time": float(gap / (D(speed[0]) - D(speed[1])))}})

path = Path(__file__).resolve().parent.parent / "regression/data/exact_cases.jsonl"
path.write_text("".join(json.dumps(line) + "\n" for line in lines))
print(f"{path.name}: {len(lines)} lines")
