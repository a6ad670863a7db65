"""MJCF files as models: bodies are links, and the joints of a body lead to it from the one that it lies in."""

import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from .reading import Unusable
from .robot_model import AXES, Joint, Model, Place, Solid, Step, free_steps, image, nearest_to_zero, numbers, product, turn, turned_z, unit

TURNS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
MOST_FILES = 100
# Elements of a body that hold no geoms, bodies or joints.
# How many numbers say how large a geom of a type is.
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
BARE = {"inertial", "site", "camera", "light", "plugin", "joint", "freejoint"}


class Mjcf:
    def __init__(self, root, folder: Path, shapes: str):
        self.root, self.folder, self.shapes = root, folder, shapes
        self.model, self.files, self.meshes, self.classes, self.named = Model(), 0, {}, {}, 0
        self.compiler, self.links = {}, 0
        sections = self.children(root)
        for section in (s for s in sections if s.tag == "compiler"):
            self.compiler.update(section.attrib)
        self.unit = math.pi / 180 if self.compiler.get("angle", "degree") == "degree" else 1.0
        self.classes["main"] = {}
        for section in (s for s in sections if s.tag == "default"):
            self.read_defaults(section, "main", self.classes["main"])
        for section in (s for s in sections if s.tag == "asset"):
            self.read_meshes(section)
        self.model.links["world"], self.links = [], 1
        for section in (s for s in sections if s.tag in ("worldbody", "deformable")):
            for part in self.parts(section, Place(), "main"):
                self.read_part(*part, "world")

    def children(self, element) -> list:
        """Those of included files stand in the place of `include`."""
        found = []
        for child in element:
            if child.tag != "include":
                found.append(child)
                continue
            self.files += 1
            if self.files > MOST_FILES:
                raise Unusable("files include each other")
            try:
                found += self.children(ElementTree.parse(self.folder / child.get("file", "")).getroot())
            except (OSError, ElementTree.ParseError) as error:
                raise Unusable(f"{child.get('file')}: {error}") from error
        return found

    def parts(self, holder, within: Place, inherited: str) -> list:
        """Elements of a body, those in frames too: each with its place around it, and the class of what names none."""
        found = []
        for child in self.children(holder):
            if child.tag == "frame":
                inner = within.after(self.place(child.attrib))
                found += self.parts(child, inner, child.get("childclass", inherited))
            else:
                found.append((child, within, inherited))
        return found

    def read_defaults(self, element, name: str, above: dict) -> None:
        own = {tag: dict(attributes) for tag, attributes in above.items()}
        parts = self.children(element)
        for part in (p for p in parts if p.tag != "default"):
            own[part.tag] = self.over(own.get(part.tag, {}), part.attrib)
        self.classes[name] = self.classes[element.get("class", name)] = own
        for part in (p for p in parts if p.tag == "default"):
            self.read_defaults(part, part.get("class"), own)

    def attributes(self, element, inherited: str) -> dict:
        name = element.get("class", inherited)
        if name not in self.classes:
            raise Unusable(f"there is no class {name!r}")
        return self.over(self.classes[name].get(element.tag, {}), element.attrib)

    @staticmethod
    def over(known: dict, own: dict) -> dict:
        """An orientation replaces the one of the class, in any form."""
        turned = any(key in own for key in TURNS)
        return {key: value for key, value in known.items() if not (turned and key in TURNS)} | own

    def read_meshes(self, section) -> None:
        for element in (e for e in self.children(section) if e.tag == "mesh"):
            a = self.attributes(element, "main")
            file = a.get("file")
            folder = self.compiler.get("meshdir", self.compiler.get("assetdir", ""))
            odd = file is None or "refpos" in a or "refquat" in a
            self.meshes[a.get("name", Path(file or "").stem)] = (None if odd else str(Path(folder) / file), numbers(a.get("scale"), "1 1 1"))

    def rotation(self, a: dict) -> list:
        if "quat" in a:
            w, x, y, z = unit(numbers(a["quat"]))
            return turn([x, y, z], 2 * math.atan2(math.hypot(x, y, z), w)) if x or y or z else Place().rotation
        if "axisangle" in a:
            *axis, angle = numbers(a["axisangle"])
            return turn(axis, angle * self.unit)
        if "euler" in a:
            rotation = Place().rotation
            for letter, angle in zip(self.compiler.get("eulerseq", "xyz"), numbers(a["euler"])):
                step = turn(AXES[letter.lower()], angle * self.unit)
                rotation = product(rotation, step) if letter.islower() else product(step, rotation)
            return rotation
        if "xyaxes" in a:
            v = numbers(a["xyaxes"])
            x = unit(v[:3])
            y = v[3:]
            for _ in range(2):  # of nearly parallel axes little is left, and not quite across
                along = sum(s * t for s, t in zip(x, y))
                y = unit([q - p * along for p, q in zip(x, y)])
            z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
            return [c for row in zip(x, y, z) for c in row]
        return turned_z(numbers(a["zaxis"])) if "zaxis" in a else Place().rotation

    def place(self, a: dict) -> Place:
        if sum(key in a for key in TURNS) > 1:
            raise Unusable("an element states more than one orientation")
        return Place(numbers(a.get("pos"), "0 0 0"), self.rotation(a))

    def read_part(self, element, within: Place, inherited: str, link: str) -> None:
        if element.tag == "body":
            self.read_body(element, within, link, inherited)
        elif element.tag == "geom":
            solid = self.solid(self.attributes(element, inherited), link)
            if solid is not None:
                solid.place = within.after(solid.place)
                self.model.links[link].append(solid)
        elif element.tag not in BARE:
            self.model.faults.append(f"body {link}: <{element.tag}> is not read")

    def solid(self, a: dict, link: str) -> Solid | None:
        touches = any(float(a.get(mask, "1")) != 0 for mask in ("contype", "conaffinity"))
        if touches == (self.shapes == "visual"):
            return None
        kind, place, size = a.get("type", "mesh" if "mesh" in a else "sphere"), self.place(a), numbers(a.get("size"))
        if kind == "mesh":
            file, scale = self.meshes.get(a.get("mesh"), (None, []))
            if file is not None:
                return Solid({"type": "mesh"}, place, file, scale)
        elif kind == "plane" and "mesh" not in a and "fromto" not in a:
            return Solid({"type": "halfspace", "normal": AXES["z"], "offset": 0.0}, place)
        elif kind in SIZES and "mesh" not in a:
            if "fromto" in a and kind == "sphere":
                raise Unusable(f"body {link}: a sphere with fromto")
            if len(size) < (1 if "fromto" in a else SIZES[kind]):
                self.model.faults.append(f"body {link}: a {kind} has {len(size)} sizes")
                return None
            if "fromto" in a:
                ends = numbers(a["fromto"])
                way = [p - q for p, q in zip(ends[:3], ends[3:])]
                place = Place([(p + q) / 2 for p, q in zip(ends[:3], ends[3:])], turned_z(way))
                size = [size[0], math.hypot(*way) / 2] if kind in ("capsule", "cylinder") else [size[0], size[0], math.hypot(*way) / 2]
            if kind == "sphere":
                return Solid({"type": kind, "radius": size[0]}, place)
            if kind in ("capsule", "cylinder"):
                return Solid({"type": kind, "radius": size[0], "length": 2 * size[1]}, place)
            return Solid({"type": "box", "size": [2 * x for x in size[:3]]} if kind == "box" else {"type": kind, "radii": size[:3]}, place)
        self.model.faults.append(f"body {link}: a geom of type {kind} is not read")
        return None

    def read_body(self, element, within: Place, parent: str, inherited: str) -> None:
        name = element.get("name", f"body {self.links}")
        defaults = element.get("childclass", inherited)
        parts = self.parts(element, Place(), defaults)
        joints = [part for part in parts if part[0].tag in ("joint", "freejoint")]
        place, steps = within.after(self.place(element.attrib)), []
        for joint, around, known in joints:
            own = joint.get("name", name if len(joints) == 1 else f"{name}/{self.named}")
            a = self.attributes(joint, known)
            kind = "free" if joint.tag == "freejoint" else a.get("type", "hinge")
            self.model.rest |= self.rest_of(own, kind, a)
            place = self.add_joint(own, kind, a, around, place, steps, name)
        if not steps or place != Place():
            steps.append(Step(place))
            self.links, self.named = self.links + 1, self.named + 1
        if name in self.model.links:
            raise Unusable(f"body {name}: the name is given twice")
        self.model.links[name] = []
        self.model.joints.append(Joint(f"body {name}", parent, name, steps))
        for part in parts:
            self.read_part(*part, name)

    def rest_of(self, name: str, kind: str, a: dict) -> dict:
        """Where the joint's coordinates are when no row names them."""
        if kind in ("hinge", "slide"):
            limited = a.get("limited", "auto") == "true" or a.get("limited", "auto") == "auto" and "range" in a
            lower, upper = numbers(a["range"]) if limited else (0.0, 0.0)
            factor = self.unit if kind == "hinge" else 1.0
            return {name: nearest_to_zero(lower * factor, upper * factor)}
        words = ("yaw", "pitch", "roll") if kind == "ball" else ("x", "y", "z", "roll", "pitch", "yaw")
        return {f"{name}/{word}": 0.0 for word in words}

    def add_joint(self, name: str, kind: str, a: dict, within: Place, place: Place, steps: list, body: str) -> Place:
        """Adds the steps of a joint; returns what is left of the way to the body."""
        anchor = [0.0, 0.0, 0.0] if kind == "free" else within.after(Place(numbers(a.get("pos"), "0 0 0"))).position
        place = place.after(Place(anchor))
        names = [f"{name}/{word}" for word in ("yaw", "pitch", "roll")] if kind == "ball" else [name]
        if kind == "free":
            steps += free_steps(place, name)
        elif kind == "ball":
            steps += [Step(place if i == 0 else Place(), "turn", AXES[axis], names[i]) for i, axis in enumerate("zyx")]
        elif kind in ("hinge", "slide"):
            axis, back = image(within.rotation, numbers(a.get("axis"), "0 0 1")), -float(a.get("ref", "0"))
            rest = Place(rotation=turn(axis, back * self.unit)) if kind == "hinge" else Place([back * x for x in unit(axis)])
            steps.append(Step(place.after(rest) if back else place, "turn" if kind == "hinge" else "shift", unit(axis), name))
        else:
            raise Unusable(f"body {body}: {kind!r} is no type of joints")
        self.model.between |= {f"{body} after {joint}" for joint in names}
        self.links, self.named = self.links + len(names), self.named + len(names)
        return Place([0.0 - x for x in anchor])


def read_mjcf(root, folder: Path, shapes: str) -> Model:
    return Mjcf(root, folder, shapes).model
