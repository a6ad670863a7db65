"""Proves the paths of robots free again, from the certificates of `tactus robot path --certificate`.

A certificate holds the frames of the robot, its bodies, the pairs that are asked, and for each segment of the path a polynomial
per coordinate and claims: between two times a pair is at least so far apart along a direction in the middle, and moves by no more than
so much until both ends. All of it is computed anew in integers, multiples of 2^-160: sines and cosines by their series after a reduction
by a quarter turn, reaches by roots that are rounded up. What rotations and axes of doubles lack of being exact is left room for: 2^-48 of the lengths.
"""

import json
import math
from dataclasses import dataclass
from fractions import Fraction

from .bodies import BITS, ONE, add, cross, dot, fixed, neg, real, reals, sub
from .path_form import RIGID, TURN, read_certificate
from .reading import Unusable
from .robot_files import compare_robot
from .rows import compare_rows
from .surfaces import none_inside, surfaces_apart

GUARD = BITS + 64


def times(a: int, b: int) -> int:
    """A product of two fixed numbers, cut back: off by less than a unit."""
    return a * b >> BITS


def root_up(x: int) -> int:
    """The square root of a number with twice the bits, rounded up."""
    return math.isqrt(max(x, 0)) + 1


def arctan_inverse(n: int) -> int:
    """arctan(1 / n) in units of 2^-GUARD."""
    total, power, k = 0, (1 << GUARD) // n, 1
    while power:
        total += power // k if k % 4 == 1 else -(power // k)
        power //= n * n
        k += 2
    return total


HALF_PI = 2 * (4 * arctan_inverse(5) - arctan_inverse(239))  # in units of 2^-GUARD: Machin


def sine_cosine(angle: Fraction) -> tuple:
    """Fixed numbers, off by some units of 2^-BITS."""
    x = (angle.numerator << GUARD) // angle.denominator
    quarter = (2 * x + HALF_PI) // (2 * HALF_PI)
    x -= quarter * HALF_PI
    sine, cosine, term, k = 0, 0, 1 << GUARD, 0
    while term:
        if k % 2 == 0:
            cosine += -term if k % 4 else term
        else:
            sine += -term if k % 4 == 3 else term
        k += 1
        term = (term * x >> GUARD) // k if term * x >= 0 else -((-term * x >> GUARD) // k)
    sine, cosine = sine >> (GUARD - BITS), cosine >> (GUARD - BITS)
    return ((sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine))[quarter % 4]


def turn_matrix(axis, angle: Fraction) -> list:
    s, c = sine_cosine(angle)
    d = ONE - c
    x, y, z = axis
    return [[c + times(d, times(x, x)), times(d, times(x, y)) - times(s, z), times(d, times(x, z)) + times(s, y)],
            [times(d, times(x, y)) + times(s, z), c + times(d, times(y, y)), times(d, times(y, z)) - times(s, x)],
            [times(d, times(x, z)) - times(s, y), times(d, times(y, z)) + times(s, x), c + times(d, times(z, z))]]


def turned(m, v) -> tuple:
    return tuple(dot(row, v) >> BITS for row in m)


def product(a, b) -> list:
    columns = list(zip(*b))
    return [[dot(row, column) >> BITS for column in columns] for row in a]


def fixed_vector(v) -> tuple:
    return tuple(fixed(x, -BITS) for x in reals(v))


class Pose:
    def __init__(self, rotation, position):
        self.rotation, self.position = rotation, position

    @staticmethod
    def read(item):
        numbers = [fixed(x, -BITS) for x in reals(item["rotation"], 9)]
        return Pose([numbers[0:3], numbers[3:6], numbers[6:9]], fixed_vector(item["position"]))

    def __call__(self, point) -> tuple:
        return add(turned(self.rotation, point), self.position)

    def after(self, other):
        return Pose(product(self.rotation, other.rotation), self(other.position))


class Frame:
    def __init__(self, item, frames):
        self.parent, self.origin, self.motion = item["parent"], Pose.read(item), item["motion"]
        self.depth = 0 if self.parent < 0 else frames[self.parent].depth + 1
        if self.motion != "none":
            self.axis = fixed_vector(item["axis"])
            self.coordinate = item["coordinate"]
            self.multiplier, self.offset = Fraction(real(item["multiplier"])), Fraction(real(item["offset"]))


class Body:
    """Points whose hull, grown by a ball, holds the body; of a cylinder, its discs; of a half-space, its plane."""

    def __init__(self, item):
        self.frame, self.pose, shape = item["frame"], Pose.read(item), item["shape"]
        kind = shape["type"]
        self.radius = fixed(real(shape.get("rounding", 0)), -BITS)
        self.disc, self.plane, self.triangles = 0, None, None
        half = Fraction(1, 2)
        if kind == "sphere":
            self.points = [(0, 0, 0)]
            self.radius += fixed(real(shape["radius"]), -BITS)
        elif kind in ("capsule", "cylinder"):
            end = fixed(float(half * Fraction(real(shape["length"]))), -BITS)
            self.points = [(0, 0, -end), (0, 0, end)]
            if kind == "capsule":
                self.radius += fixed(real(shape["radius"]), -BITS)
            else:
                self.disc = fixed(real(shape["radius"]), -BITS)
        elif kind == "box":
            h = [fixed(float(half * Fraction(x)), -BITS) for x in reals(shape["size"])]
            self.points = [(x, y, z) for x in (-h[0], h[0]) for y in (-h[1], h[1]) for z in (-h[2], h[2])]
        elif kind in ("convex", "mesh"):
            self.points = [fixed_vector(v) for v in shape["vertices"]]
            if kind == "mesh":
                self.triangles = [tuple(t) for t in shape["triangles"]]
        else:  # a half-space
            self.points, normal = [], fixed_vector(shape["normal"])
            self.plane = (normal, fixed(real(shape["offset"]), -BITS))
        self.size = max((root_up(dot(p, p)) for p in self.points), default=0) + self.radius + self.disc


class Placed:
    """A body in the world, at one time."""

    def __init__(self, body, pose):
        self.body, self.at = body, pose.after(body.pose)
        self.points = [self.at(p) for p in body.points]

    def height(self, n) -> int:
        """An upper bound of n . x over the body, for a unit n, in units of 2^-BITS."""
        top = max(dot(n, p) for p in self.points) >> BITS
        if self.body.disc:
            axis = tuple(row[2] for row in self.at.rotation)
            across = tuple(x >> BITS for x in cross(n, axis))
            top += times(self.body.disc, root_up(dot(across, across)) + 3) + 1
        return top + self.body.radius + 1

    def reach(self, origin, axis) -> int:
        """No point of the body is farther from the line."""
        most = 0
        for p in self.points:
            across = cross(sub(p, origin), axis)
            across = tuple(x >> BITS for x in across)
            most = max(most, dot(across, across))
        return root_up(most) + self.body.radius + self.body.disc + 3


class Segment:
    def __init__(self, item):
        self.polynomials = [[Fraction(x) for x in reals(p, 4)] for p in item["coordinates"]]
        self.claims = item["claims"]

    def at(self, s: Fraction) -> list:
        return [a + s * (b + s * (c + s * d)) for a, b, c, d in self.polynomials]

    def changes(self, begin: Fraction, end: Fraction) -> list:
        """The largest coefficient of each derivative in Bernstein form, times half the width."""
        width, out = end - begin, []
        for _, b, c, d in self.polynomials:
            first, last = (b + s * (2 * c + s * 3 * d) for s in (begin, end))
            middle = first + (c + 3 * d * begin) * width
            out.append(max(abs(first), abs(middle), abs(last)) * width / 2)
        return out


class PathJudge:
    def __init__(self, certificate):
        """Of a certificate whose form is checked."""
        self.clearance = fixed(real(certificate["clearance"]), -BITS)
        self.frames = []
        for item in certificate["frames"]:
            self.frames.append(Frame(item, self.frames))
        self.bodies = [Body(item) for item in certificate["bodies"]]
        self.names = [item["name"] for item in certificate["bodies"]]
        self.pairs = [tuple(pair) for pair in certificate["pairs"]]
        self.segments = [Segment(item) for item in certificate["segments"]]
        self.chains = {}

    def chain(self, a, b) -> tuple:
        """Frames that move A, then B, against the frame that both hang on, the nearest first."""
        if (a, b) not in self.chains:
            lists, at = ([], []), [a, b]
            while at[0] != at[1]:  # -1, the world, at the latest
                depths = [self.frames[k].depth if k >= 0 else -1 for k in at]
                k = 0 if depths[0] >= depths[1] else 1
                if self.frames[at[k]].motion != "none":
                    lists[k].append(at[k])
                at[k] = self.frames[at[k]].parent
            self.chains[a, b] = lists
        return self.chains[a, b]

    def place(self, values) -> list:
        poses = []
        for frame in self.frames:
            pose = poses[frame.parent].after(frame.origin) if frame.parent >= 0 else frame.origin
            if frame.motion != "none":
                value = frame.multiplier * values[frame.coordinate] + frame.offset
                if frame.motion == TURN:
                    pose = Pose(product(pose.rotation, turn_matrix(frame.axis, value)), pose.position)
                else:
                    way = (value.numerator << BITS) // value.denominator
                    shift = turned(pose.rotation, tuple(times(x, way) for x in frame.axis))
                    pose = Pose(pose.rotation, add(pose.position, shift))
            poses.append(pose)
        return poses

    def moved(self, placed, joints, poses, changes) -> int:
        total = 0
        for k in joints:
            frame = self.frames[k]
            change = abs(frame.multiplier) * changes[frame.coordinate]
            change = -((-change.numerator << BITS) // change.denominator)
            if change == 0:
                continue
            arm = ONE
            if frame.motion == TURN:
                arm = placed.reach(poses[k].position, turned(poses[k].rotation, frame.axis)) + total
            total += times(change, arm) + 1
        return total

    def motion(self, a, b, poses, changes) -> int:
        of_a, of_b = self.chain(a.body.frame, b.body.frame)
        joints = of_a + of_b[::-1]
        # Of a half-space, which has no reach, nothing may be moved.
        first = len(joints) if b.body.plane else 0
        last = 0 if a.body.plane else len(joints)
        return min((self.moved(a, joints[:i], poses, changes) + self.moved(b, joints[i:][::-1], poses, changes)
                    for i in range(first, last + 1)), default=None)

    @staticmethod
    def apart(a, b, n) -> int:
        """A lower bound of the distance along n, from A to B."""
        if a.body.plane or b.body.plane:
            plane, other = (a, b) if a.body.plane else (b, a)
            normal = turned(plane.at.rotation, plane.body.plane[0])
            return -other.height(neg(normal)) - plane.body.plane[1] - (dot(normal, plane.at.position) >> BITS) - 1
        return -b.height(neg(n)) - a.height(n)

    def slack(self, a, b, poses) -> int:
        size = a.body.size + b.body.size
        size += sum(abs(x) for p in (a, b) for x in p.at.position)
        return (size >> RIGID) + (ONE >> 100)

    def judge_claim(self, claim, segment, cache) -> str:
        """Empty, or what is not proved."""
        pair, begin, end, distance, motion, *n = claim
        begin, end, distance, motion = (Fraction(real(x)) for x in (begin, end, distance, motion))
        if not 0 <= begin <= end <= 1:
            return "its times are no interval of the segment"
        if not distance - motion > Fraction(self.clearance, ONE):
            return "distance - motion does not exceed the clearance"
        middle = (begin + end) / 2
        if middle not in cache:
            cache[middle] = self.place(segment.at(middle))
        poses = cache[middle]
        a, b = (Placed(self.bodies[k], poses[self.bodies[k].frame]) for k in self.pairs[pair])
        n = fixed_vector(n)
        length = math.isqrt(dot(n, n))
        if length < ONE >> 1:
            return "its direction is none"
        n = tuple((x << BITS) // length for x in n)
        bound = self.motion(a, b, poses, segment.changes(begin, end))
        if bound is None:
            return "a half-space is moved"
        slack = self.slack(a, b, poses)
        if bound > int(motion * ONE) + slack:
            return "the bodies may move farther than it says"
        gap = self.apart(a, b, n)
        said = int(distance * ONE) - slack
        if gap < said:
            # Meshes that no plane parts.
            if a.body.plane or b.body.plane or not (a.body.triangles or b.body.triangles):
                return "the bodies are nearer along its direction than it says"
            if not surfaces_apart(a, b, said, tuple(x / ONE for x in n)):
                return "the surfaces may be nearer than it says"
            if not none_inside(a, b):
                return "one body may be inside of the other"
            gap = said
        if not gap - bound - slack > self.clearance:
            return "the bodies may come nearer than the clearance"
        return ""

    def judge_segment(self, segment) -> list:
        faults, cache, proved = [], {}, [Fraction(0)] * len(self.pairs)
        for claim in sorted(segment.claims, key=lambda c: (c[0], c[1])):
            fault = self.judge_claim(claim, segment, cache)
            pair = claim[0]
            if fault:
                faults.append(f"{self.pair_name(pair)}, from {claim[1]} to {claim[2]}: {fault}")
            elif Fraction(claim[1]) <= proved[pair]:
                proved[pair] = max(proved[pair], Fraction(claim[2]))
        for pair, end in enumerate(proved):
            if end < 1 and not any(f.startswith(self.pair_name(pair)) for f in faults):
                faults.append(f"{self.pair_name(pair)}: nothing is said of times after {float(end)}")
        return faults

    def pair_name(self, pair) -> str:
        a, b = self.pairs[pair]
        return f"pair {pair}, {self.names[a]} and {self.names[b]}"


def judge(certificate) -> tuple:
    """Claims of a certificate whose form is checked, and what is not proved."""
    path = PathJudge(certificate)
    faults = [f"segment {i}: {fault}" for i, segment in enumerate(path.segments) for fault in path.judge_segment(segment)]
    return sum(len(segment.claims) for segment in path.segments), faults


def judge_path(text: str) -> tuple:
    """Claims, and what is not proved."""
    return judge(read_certificate(text))


@dataclass
class PathQuestion:
    """What the caller wants to know, which the certificate does not decide."""

    srdf: str | None = None
    shapes: str = "collision"
    interpolation: str = "linear"


@dataclass
class PathOpinion:
    claims: int
    faults: list
    open: list  # what of the robot or the path is not compared
    notes: list

    def proved(self) -> bool:
        return not self.faults and not self.open

    def verdict(self, clearance: float) -> str:
        if self.faults:
            return "the path is not proved free"
        free = "proved free" if clearance == 0 else f"proved free, farther apart than {clearance}"
        return f"the path is {free}" if not self.open else f"the certificate's path is {free}; not proved for this robot"


def judge_about(certificate, robot: str | None, rows: str | None, asked: PathQuestion) -> PathOpinion:
    """The opinion on a certificate whose form is checked; with files also whether it is about these."""
    opinion = PathOpinion(*judge(certificate), [], [])
    found = []
    if robot is not None:
        found.append((robot, compare_robot(certificate, robot, asked.srdf, asked.shapes)))
    if rows is not None:
        found.append((rows, compare_rows(certificate, rows, found[0][1].rest, asked.interpolation)))
    for name, comparison in found:
        for kind in ("faults", "open", "notes"):
            getattr(opinion, kind).extend(f"{name}: {line}" for line in getattr(comparison, kind))
    return opinion


def run_path(names: list, asked: PathQuestion, as_json: bool) -> int:
    """Judges a certificate; with the files of the robot and the path also whether it is about these."""
    try:
        with open(names[0], encoding="utf-8") as stream:
            text = stream.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"{names[0]}: {error}") from error
    certificate = read_certificate(text)
    opinion = judge_about(certificate, *(names[1:] + [None, None])[:2], asked)
    if as_json:
        found = {"claims": opinion.claims, "clearance": certificate["clearance"], "proved": opinion.proved()}
        print(json.dumps(found | {"faults": opinion.faults, "open": opinion.open, "notes": opinion.notes}))
    else:
        for line in opinion.faults + opinion.open + opinion.notes:
            print(line)
        print(f"{opinion.claims} claims: {opinion.verdict(certificate['clearance'])}")
    return 0 if opinion.proved() else 1
