"""URDF files as models."""

from .reading import Unusable
from .robot_model import Joint, Model, Place, Solid, Step, free_steps, image, nearest_to_zero, numbers, product, turn, turned_z, unit

MOTIONS = {"revolute": "turn", "continuous": "turn", "prismatic": "shift"}
PRIMITIVES = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}


def place_of(element) -> Place:
    origin = element.find("origin")
    attributes = {} if origin is None else origin.attrib
    roll, pitch, yaw = numbers(attributes.get("rpy"), "0 0 0")
    rotation = product(turn([0, 0, 1], yaw), product(turn([0, 1, 0], pitch), turn([1, 0, 0], roll)))
    return Place(numbers(attributes.get("xyz"), "0 0 0"), rotation)


def solid_of(element) -> Solid:
    geometry = element.find("geometry")
    child = next(iter(geometry)) if geometry is not None and len(geometry) else None
    if child is None:
        raise Unusable("a body has no geometry")
    if child.tag == "mesh":
        return Solid({"type": "mesh"}, place_of(element), child.get("filename", ""), numbers(child.get("scale"), "1 1 1"))
    shape = {"type": child.tag}
    for name in PRIMITIVES.get(child.tag, ()):
        said = numbers(child.get(name))
        shape[name] = said if name == "size" else said[0]
    return Solid(shape, place_of(element))


def driven(name: str, joints: dict) -> tuple:
    """The joint that a chain of mimics ends at, and its factor and offset."""
    multiplier, offset, seen = 1.0, 0.0, set()
    while (mimic := joints[name].find("mimic")) is not None:
        if name in seen:
            raise Unusable("joints follow each other in a circle")
        seen.add(name)
        offset += multiplier * float(mimic.get("offset", "0"))
        multiplier *= float(mimic.get("multiplier", "1"))
        name = mimic.get("joint")
    return name, multiplier, offset


def steps_of(name: str, joints: dict) -> list:
    joint = joints[name]
    kind, place = joint.get("type"), place_of(joint)
    if kind == "fixed":
        return [Step(place)]
    leader, multiplier, offset = driven(name, joints)
    if kind == "floating":
        steps = free_steps(place, leader)
    else:
        axis = unit(numbers(None if joint.find("axis") is None else joint.find("axis").get("xyz"), "1 0 0"))
        if kind in MOTIONS:
            steps = [Step(place, MOTIONS[kind], axis, leader)]
        elif kind == "planar":
            x, y = (image(turned_z(axis), v) for v in ([1, 0, 0], [0, 1, 0]))
            steps = [Step(place, "shift", x, f"{leader}/x"), Step(Place(), "shift", y, f"{leader}/y"), Step(Place(), "turn", axis, f"{leader}/angle")]
        else:
            raise Unusable(f"joint {name}: {kind!r} is no type")
    for step in steps:
        step.multiplier, step.offset = multiplier, offset
    return steps


def rest_of(joint) -> float:
    limit = joint.find("limit")
    if joint.get("type") not in ("revolute", "prismatic") or limit is None:
        return 0.0
    return nearest_to_zero(float(limit.get("lower", "0")), float(limit.get("upper", "0")))


def by_name(root, tag: str) -> dict:
    found = {}
    for element in root.findall(tag):
        name = element.get("name")
        if name is None or name in found:
            raise Unusable(f"a {tag} without a name" if name is None else f"{tag} {name}: the name is given twice")
        found[name] = element
    return found


def read_urdf(root, shapes: str) -> Model:
    joints = by_name(root, "joint")
    model = Model({name: [solid_of(e) for e in link.findall(shapes)] for name, link in by_name(root, "link").items()})
    for name, joint in joints.items():
        steps = steps_of(name, joints)
        model.joints.append(Joint(f"joint {name}", joint.find("parent").get("link"), joint.find("child").get("link"), steps))
        if joint.find("mimic") is None:
            model.rest |= {step.coordinate: rest_of(joint) for step in steps if step.motion != "none"}
    return model
