"""Is the certificate of a path about this robot (URDF) and these rows (CSV)? The files are read here anew.

Frames, primitives and meshes in OBJ files are compared number by number, with room for the roundings of a rotation; what is not
compared (meshes of other formats, planar and floating joints, MJCF, obstacles, robots beside) is told as a note. Pairs of links that
can move against each other and are neither asked nor adjacent nor disabled by an SRDF file are faults, and so are links that are not
asked against a body of the surroundings. A coordinate called `time` must be the time, and one that the rows do not name must rest.
"""

import csv
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from .reading import Unusable, read_points_file

# Numbers of both files agree to this part of their size, or of one.
SAME = 1e-12
MOTIONS = {"revolute": "turn", "continuous": "turn", "prismatic": "shift", "fixed": "none"}


def same(x, y) -> bool:
    return len(x) == len(y) and all(abs(a - b) <= SAME * max(1.0, abs(a), abs(b)) for a, b in zip(x, y))


def numbers(text: str | None, default: str) -> list:
    return [float(word) for word in (text or default).split()]


def pose_of(element) -> tuple:
    """Position and rotation, by rows, of an <origin>."""
    origin = element.find("origin")
    attributes = {} if origin is None else origin.attrib
    r, p, y = numbers(attributes.get("rpy"), "0 0 0")
    (sr, cr), (sp, cp), (sy, cy) = ((math.sin(a), math.cos(a)) for a in (r, p, y))
    rotation = [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
                -sp, cp * sr, cp * cr]
    return numbers(attributes.get("xyz"), "0 0 0"), rotation


def is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def same_pose(element, item) -> bool:
    position, rotation = pose_of(element)
    return same(position, item["position"]) and same(rotation, item["rotation"])


def corner_sets(vertices, triangles) -> set:
    """The triangles by their corners, in whatever order; those of two corners alone are left out."""
    found = {frozenset(vertices[i] for i in triangle) for triangle in triangles}
    return {corners for corners in found if len(corners) == 3}


def compare_shape(element, shape, folder: Path) -> tuple:
    """A fault and a note; None where there is none."""
    geometry = element.find("geometry")
    child = next(iter(geometry)) if geometry is not None and len(geometry) else None
    if child is None:
        return "has no geometry", None
    a = child.attrib
    if child.tag == "mesh":
        if shape["type"] not in ("mesh", "convex"):
            return "is no mesh", None
        file = folder / a["filename"].removeprefix("file://")
        if shape["type"] != "mesh" or file.suffix.lower() != ".obj" or not file.is_file():
            return None, f"the mesh {a['filename']} is not compared"
        scale = numbers(a.get("scale"), "1 1 1")
        vertices, triangles = read_points_file(file)
        scaled = [tuple(s * x for s, x in zip(scale, v)) for v in vertices]
        same_surface = corner_sets(scaled, triangles) == corner_sets([tuple(v) for v in shape["vertices"]], shape["triangles"])
        return (None if same_surface else "has other triangles"), None
    fields = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}.get(child.tag, ())
    said = [x for f in fields for x in numbers(a.get(f), "")]
    kept = [x for f in fields for x in (shape.get(f, []) if f == "size" else [shape.get(f, math.nan)])]
    return (None if fields and shape["type"] == child.tag and same(said, kept) else f"is no such {child.tag}"), None


class Description:
    """The links and joints of a URDF file, beside the frames of a certificate."""

    def __init__(self, root, certificate, folder: Path):
        self.folder, self.certificate = folder, certificate
        self.faults, self.notes = [], []
        self.links = {link.get("name"): link for link in root.iter("link") if link in list(root)}
        self.joints = {joint.get("name"): joint for joint in root.findall("joint")}
        self.above = {j.find("child").get("link"): j for j in self.joints.values()}
        self.frame_of = {f["link"]: i for i, f in enumerate(certificate["frames"]) if "link" in f}
        # A link whose frame another one names, too, hangs on it by nothing that moves.
        if not set(self.frame_of) >= set(self.links):
            self.faults.append("has other links")
        more = sorted(set(self.frame_of) - set(self.links))
        if more:
            self.notes.append(f"links of other files are not compared: {', '.join(more)}")

    def solid(self, name: str) -> bool:
        return self.links[name].find(self.certificate["shapes"]) is not None

    def parent(self, name: str) -> str | None:
        joint = self.above.get(name)
        return None if joint is None else joint.find("parent").get("link")

    def way_up(self, name: str) -> list:
        way = [name]
        while (above := self.parent(way[-1])) is not None:
            if above in way:
                raise Unusable("the links hang in a circle")
            way.append(above)
        return way

    def compare_joint(self, name: str, joint) -> None:
        kind, child = joint.get("type"), joint.find("child").get("link")
        frame = self.certificate["frames"][self.frame_of[child]]
        if kind not in MOTIONS:
            self.notes.append(f"joint {name}: {kind} joints are not compared")
            return
        if frame["parent"] != self.frame_of[joint.find("parent").get("link")] or not same_pose(joint, frame):
            self.faults.append(f"joint {name}: another origin")
        if frame["motion"] != MOTIONS[kind]:
            self.faults.append(f"joint {name}: moves in another way")
        elif kind != "fixed":
            self.compare_motion(name, joint, frame)

    def compare_motion(self, name: str, joint, frame) -> None:
        axis = numbers(None if joint.find("axis") is None else joint.find("axis").get("xyz"), "1 0 0")
        length = math.hypot(*axis)
        if not same([x / length for x in axis], frame["axis"]):
            self.faults.append(f"joint {name}: another axis")
        multiplier, offset = 1.0, 0.0
        while (mimic := joint.find("mimic")) is not None:
            factor, shift = float(mimic.get("multiplier", "1")), float(mimic.get("offset", "0"))
            multiplier, offset = multiplier * factor, offset + multiplier * shift
            name, joint = mimic.get("joint"), self.joints[mimic.get("joint")]
        told = [self.certificate["coordinates"][frame["coordinate"]], frame["multiplier"], frame["offset"]]
        if told[0] != name or not same(told[1:], [multiplier, offset]):
            self.faults.append(f"joint {name}: another coordinate")

    def compare_bodies(self, name: str) -> None:
        own = [b for b in self.certificate["bodies"] if b["name"] == name and b["frame"] == self.frame_of[name]]
        elements = self.links[name].findall(self.certificate["shapes"])
        if len(own) != len(elements):
            self.faults.append(f"link {name}: {len(elements)} bodies, of which {len(own)} are told")
            return
        for place, (element, body) in enumerate(zip(elements, own)):
            fault, note = compare_shape(element, body["shape"], self.folder)
            if fault is None and not same_pose(element, body):
                fault = "lies elsewhere"
            if fault is not None:
                self.faults.append(f"link {name}, body {place}: {fault}")
            if note is not None:
                self.notes.append(f"link {name}: {note}")

    def compare_pairs(self, disabled: set) -> None:
        bodies = self.certificate["bodies"]
        asked = {frozenset((bodies[a]["name"], bodies[b]["name"])) for a, b in self.certificate["pairs"]}
        solid = sorted(name for name in self.links if self.solid(name))
        ways = {name: self.way_up(name) for name in solid}
        for i, a in enumerate(solid):
            for b in solid[:i]:
                common = next((x for x in ways[a] if x in ways[b]), None)
                between = [x for way in (ways[a], ways[b]) for x in way[:way.index(common)]] if common else ways[a] + ways[b]
                moves = any(x in self.above and self.above[x].get("type") != "fixed" for x in between)
                inner = [x for x in between if x not in (a, b) and self.solid(x)]
                adjacent = common in (a, b) and not inner
                if moves and not adjacent and frozenset((a, b)) not in asked | disabled:
                    self.faults.append(f"links {b} and {a} are not asked")

    def moving(self, frame: int) -> set:
        """Frames that move, from the world down to one."""
        found = set()
        while frame >= 0:
            item = self.certificate["frames"][frame]
            found |= set() if item["motion"] == "none" else {frame}
            frame = item["parent"]
        return found

    def compare_surroundings(self, disabled: set) -> None:
        """Bodies that are no link's of the file, against all of them."""
        bodies = self.certificate["bodies"]
        asked = {frozenset(pair) for pair in self.certificate["pairs"]}
        ways = [self.moving(body["frame"]) for body in bodies]
        own = {i for i, body in enumerate(bodies) if self.frame_of.get(body["name"]) == body["frame"] and body["name"] in self.links}
        for i in sorted(own):
            for k in (k for k in range(len(bodies)) if k not in own):
                names = bodies[i]["name"], bodies[k]["name"]
                if ways[i] != ways[k] and frozenset((i, k)) not in asked and frozenset(names) not in disabled:
                    self.faults.append(f"link {names[0]} is not asked against {names[1]}")


def compare_robot(certificate, name: str, srdf: str | None) -> tuple:
    """Faults and notes."""
    try:
        root = ElementTree.parse(name).getroot()
        disabled = {frozenset((e.get("link1"), e.get("link2"))) for e in ElementTree.parse(srdf).getroot().iter("disable_collisions")} if srdf else set()
    except (OSError, ElementTree.ParseError) as error:
        raise Unusable(f"{name}: {error}") from error
    if root.tag != "robot":
        return [], ["only URDF descriptions are compared"]
    description = Description(root, certificate, Path(name).parent)
    if not description.faults:
        for joint in description.joints:
            description.compare_joint(joint, description.joints[joint])
        if "decomposed" in certificate:
            description.notes.append("meshes were taken in convex parts: bodies are not compared")
        for link in description.links if "decomposed" not in certificate else ():
            description.compare_bodies(link)
        description.compare_pairs(disabled)
        description.compare_surroundings(disabled)
    return description.faults, description.notes


def compare_rows(certificate, name: str, _srdf: str | None) -> tuple:
    """Faults and notes. A certificate's segments lead from row to row."""
    try:
        with open(name, encoding="utf-8-sig", newline="") as stream:
            rows = [row for row in csv.reader(stream) if any(cell.strip() for cell in row)]
        names = list(certificate["coordinates"])
        head = [cell.strip() for cell in rows[0]]
        if not all(is_number(cell) for cell in head):
            rows = rows[1:]
        else:
            own = [name for name in names if name != "time"]
            head = (["time"] if len(head) > len(own) else []) + own
        table = [[float(cell) for cell in row] for row in rows]
    except (OSError, UnicodeDecodeError, ValueError, IndexError) as error:
        raise Unusable(f"{name}: {error}") from error
    faults, segments = [], certificate["segments"]
    timed = [i for i, cell in enumerate(head) if cell in ("time", "t")]
    times = certificate["times"]
    if not same([row[timed[0]] for row in table] if timed else range(len(table)), times):
        faults.append("other times")
    if len(segments) != max(len(table) - 1, 1):
        return [*faults, f"{len(table)} rows, and {len(segments)} segments"], []
    for k, cell in enumerate(names):
        if cell not in head and cell != "time" and any(any(s["coordinates"][k][1:]) for s in segments):
            faults.append(f"{cell}, which no row names, moves")
    for k in (k for k, cell in enumerate(names) if cell == "time"):
        for i, segment in enumerate(segments):
            a, b, c, d = segment["coordinates"][k]
            if not same([a, a + b], [times[i], times[min(i + 1, len(times) - 1)]]) or c or d:
                faults.append(f"row {i}: the time goes another way")
    for column, cell in enumerate(head):
        if cell not in names or cell == "time":
            continue
        k = names.index(cell)
        for i, segment in enumerate(segments):
            a, b, c, d = segment["coordinates"][k]
            ends = [table[i][column], table[min(i + 1, len(table) - 1)][column]]
            if not same([a, a + b + c + d], ends) or (certificate["interpolation"] == "linear" and (c or d)):
                faults.append(f"row {i}: {cell} goes another way")
    return faults, []
