"""Is the certificate of a path about this robot (URDF, MJCF)? The files are read here anew.

Frames, primitives and meshes in OBJ, STL and COLLADA files are compared number by number, with room for the roundings of a rotation,
and of COLLADA for those of single precision. What of the robot is not compared (meshes of other formats, hulls, convex parts) leaves
its path open; what is not in its file (obstacles, robots beside) is told as a note. Pairs of links that can move against each other and are neither asked nor adjacent nor disabled by an SRDF file, or excluded
by MJCF, are faults, and so are links that are not asked against a body of the surroundings: every body of the one against every body
of the other, by their places in the certificate.
"""

import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from .comparison import Comparison, same
from .mesh_files import NotRead, read_surface, same_surface
from .mjcf import read_mjcf
from .reading import Unusable
from .robot_model import Joint, Model, Place, Solid
from .urdf import read_urdf

def same_place(place: Place, item) -> bool:
    return same(place.position, item["position"]) and same(place.rotation, item["rotation"])


def lies_there(solid: Solid, item) -> bool:
    """What is round about its axis may be turned about it, and what is round on all sides as it likes."""
    kind = solid.shape["type"]
    if kind not in ("sphere", "capsule", "cylinder"):
        return same_place(solid.place, item)
    z, own = solid.place.rotation[2::3], item["rotation"][2::3]
    return same(solid.place.position, item["position"]) and (kind == "sphere" or same(z, own) or same([-x for x in z], own))


def mesh_file(name: str, folder: Path) -> Path | None:
    """A file beside the description; of a package in a folder above."""
    for scheme in ("package://", "model://"):
        if name.startswith(scheme):
            package, _, rest = name.removeprefix(scheme).partition("/")
            above = [folder.resolve(), *folder.resolve().parents]
            places = [place for f in above for place in (f / package / rest, *((f / rest,) if f.name == package else ()))]
            return next((place for place in places if place.is_file()), None)
    file = folder / name.removeprefix("file://")
    return file if file.is_file() else None


def compare_mesh(solid: Solid, shape, folder: Path) -> tuple:
    """A fault, and what is not compared; None where there is none."""
    if shape["type"] not in ("mesh", "convex"):
        return "is no mesh", None
    reason, file = "it was taken as its hull", mesh_file(solid.file, folder)
    if shape["type"] == "mesh" and file is None:
        reason = "no such file beside the description, nor in a package above it"
    elif shape["type"] == "mesh":
        try:
            same_triangles = same_surface(read_surface(file), solid.scale, shape["vertices"], shape["triangles"])
            return (None if same_triangles else "has other triangles"), None
        except NotRead as error:
            reason = str(error)
    return None, f"the mesh {solid.file} is not compared: {reason}"


def compare_shape(solid: Solid, shape, folder: Path) -> tuple:
    """A fault, and what is not compared; None where there is none."""
    if shape.get("rounding", 0) != 0:
        return "is rounded", None
    if solid.file is not None:
        return compare_mesh(solid, shape, folder)
    kind, fields = solid.shape["type"], [name for name in solid.shape if name != "type"]
    told = [x for name in fields for x in (shape.get(name) if isinstance(shape.get(name), list) else [shape.get(name, math.nan)])]
    said = [x for name in fields for x in (solid.shape[name] if isinstance(solid.shape[name], list) else [solid.shape[name]])]
    return (None if fields and shape["type"] == kind and same(said, told) else f"is no such {kind}"), None


class Description:
    """The links and joints of a file, beside the frames of a certificate."""

    def __init__(self, model: Model, certificate, folder: Path):
        self.model, self.folder, self.certificate = model, folder, certificate
        self.faults, self.open, self.notes = list(model.faults), [], []
        self.above = {joint.child: joint for joint in model.joints}
        self.frame_of = {f["link"]: i for i, f in enumerate(certificate["frames"]) if "link" in f}
        if not set(self.frame_of) >= set(model.links):
            self.faults.append("has other links")
        # A link's own bodies; one of its name on another frame is a body of the surroundings.
        self.own = {name: [i for i, b in enumerate(certificate["bodies"]) if b["name"] == name and b["frame"] == self.frame_of.get(name)]
                    for name in model.links}
        more = sorted(set(self.frame_of) - set(model.links) - model.between)
        if more:
            self.notes.append(f"links of other files are not compared: {', '.join(more)}")

    def solid(self, name: str) -> bool:
        return bool(self.model.links[name])

    def way_up(self, name: str) -> list:
        way = [name]
        while (above := self.above.get(way[-1])) is not None:
            if above.parent in way:
                raise Unusable("the links hang in a circle")
            way.append(above.parent)
        return way

    def compare_root(self) -> None:
        for name in (name for name in self.model.links if name not in self.above):
            frame = self.certificate["frames"][self.frame_of[name]]
            if frame["parent"] >= 0 or frame["motion"] != "none" or not same_place(Place(), frame):
                self.notes.append(f"where {name} stands in the world is not compared")

    def compare_joint(self, joint: Joint) -> None:
        frames, at = self.certificate["frames"], self.frame_of[joint.child]
        for step in reversed(joint.steps):
            if at < 0:
                break
            frame = frames[at]
            if frame["motion"] != step.motion:
                self.faults.append(f"{joint.name}: moves in another way")
                return
            if not same_place(step.place, frame):
                self.faults.append(f"{joint.name}: another origin")
            if step.motion != "none":
                if not same(step.axis, frame["axis"]):
                    self.faults.append(f"{joint.name}: another axis")
                told = self.certificate["coordinates"][frame["coordinate"]]
                if told != step.coordinate or not same([step.multiplier, step.offset], [frame["multiplier"], frame["offset"]]):
                    self.faults.append(f"{joint.name}: another coordinate")
            at = frame["parent"]
        if at != self.frame_of[joint.parent]:
            self.faults.append(f"{joint.name}: hangs on another link")

    def compare_bodies(self, name: str) -> None:
        own = [self.certificate["bodies"][i] for i in self.own[name]]
        solids = self.model.links[name]
        if len(own) != len(solids):
            self.faults.append(f"link {name}: {len(solids)} bodies, of which {len(own)} are told")
            return
        for place, (solid, body) in enumerate(zip(solids, own)):
            fault, left = compare_shape(solid, body["shape"], self.folder)
            if fault is None and not lies_there(solid, body):
                fault = "lies elsewhere"
            if fault is not None:
                self.faults.append(f"link {name}, body {place}: {fault}")
            if left is not None:
                self.open.append(f"link {name}: {left}")

    def compare_pairs(self, disabled: set) -> None:
        """Each body of a link against each one of the other link."""
        asked = {frozenset(pair) for pair in self.certificate["pairs"]}
        solid = sorted(name for name in self.model.links if self.solid(name))
        ways = {name: self.way_up(name) for name in solid}
        for i, a in enumerate(solid):
            for b in solid[:i]:
                common = next((x for x in ways[a] if x in ways[b]), None)
                between = [x for way in (ways[a], ways[b]) for x in way[:way.index(common)]] if common else ways[a] + ways[b]
                moves = any(x in self.above and self.above[x].moves() for x in between)
                inner = [x for x in between if x not in (a, b) and self.solid(x)]
                adjacent = common in (a, b) and not inner
                if not moves or adjacent or frozenset((a, b)) in disabled:
                    continue
                if not all(frozenset((i, k)) in asked for i in self.own[a] for k in self.own[b]):
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
        own = {i for bodies_of_link in self.own.values() for i in bodies_of_link}
        for i in sorted(own):
            for k in (k for k in range(len(bodies)) if k not in own):
                names = bodies[i]["name"], bodies[k]["name"]
                if ways[i] != ways[k] and frozenset((i, k)) not in asked and frozenset(names) not in disabled:
                    self.faults.append(f"link {names[0]} is not asked against {names[1]}")


def disabled_pairs(name: str | None) -> set:
    if not name:
        return set()
    root = ElementTree.parse(name).getroot()
    tag, a, b = ("exclude", "body1", "body2") if root.tag == "mujoco" else ("disable_collisions", "link1", "link2")
    return {frozenset((e.get(a), e.get(b))) for e in root.iter(tag)}


def read_model(root, folder: Path, shapes: str) -> Model | None:
    try:
        if root.tag == "mujoco":
            return read_mjcf(root, folder, shapes)
        return read_urdf(root, shapes) if root.tag == "robot" else None
    except (ValueError, KeyError, IndexError, AttributeError, TypeError, ZeroDivisionError) as error:
        raise Unusable(f"no description of a robot: {error!r}") from error


def compare_robot(certificate, name: str, srdf: str | None = None, shapes: str = "collision") -> Comparison:
    """With a certificate whose form is checked."""
    try:
        root, disabled = ElementTree.parse(name).getroot(), disabled_pairs(srdf)
    except (OSError, ElementTree.ParseError) as error:
        raise Unusable(f"{name}: {error}") from error
    folder = Path(name).parent
    model = read_model(root, folder, shapes)
    if model is None:
        return Comparison(open=["only URDF and MJCF descriptions are compared"])
    description = Description(model, certificate, folder)
    if certificate["shapes"] != shapes:
        description.faults.append(f"the bodies are those of the {certificate['shapes']} shapes")
    if not description.faults:
        description.compare_root()
        for joint in model.joints:
            description.compare_joint(joint)
        if "decomposed" in certificate:
            description.open.append("meshes were taken in convex parts: bodies are not compared")
        for link in model.links if "decomposed" not in certificate else ():
            description.compare_bodies(link)
        description.compare_pairs(disabled)
        description.compare_surroundings(disabled)
    return Comparison(description.faults, description.open, description.notes, model.rest)
