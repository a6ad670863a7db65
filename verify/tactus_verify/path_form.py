"""The form of a path's certificate: every field that it must have, of which JSON type and which values, and no other one.

What reads a certificate after this check may rely on it: indices lead to what is there, names are given once, numbers are finite,
sizes are not negative, axes have unit length and rotations are rigid to 2^-48. The first thing that is wrong is named by its field.
"""

from .bodies import BITS, ONE, cross, dot, fixed
from .form import NoJson, is_number, parse_json
from .reading import Unusable

# Part of the lengths that the rotations of a file may lack of being rigid.
RIGID = 48
LARGEST = 1e150  # of all numbers: their squares are doubles
TURN, SHIFT = "turn", "shift"
PLACE = ("position", "rotation")
MOVING = ("axis", "coordinate", "multiplier", "offset")
FIELDS = ("certificate", "robot", "shapes", "clearance", "interpolation", "times", "coordinates", "frames", "bodies", "pairs", "segments")
# Sizes of shapes: how many numbers each has.
SIZES = {"sphere": {"radius": 1}, "capsule": {"radius": 1, "length": 1}, "cylinder": {"radius": 1, "length": 1}, "box": {"size": 3}}
POINTS = {"convex": (), "mesh": ("triangles",)}


def refuse(field: str, reason: str):
    raise Unusable(f"no certificate: {field}: {reason}")


def shown(value) -> str:
    text = ascii(value)
    return text if len(text) <= 40 else text[:37] + "..."


def as_object(value, field: str, required, optional=()) -> dict:
    if not isinstance(value, dict):
        refuse(field, f"{shown(value)} is no object")
    for name in required:
        if name not in value:
            refuse(f"{field}.{name}", "is missing")
    for name in value:
        if name not in required and name not in optional:
            refuse(f"{field}.{ascii(name)[1:-1]}", "is no field of it")
    return value


def as_list(value, field: str, count: int | None = None, least: int = 0) -> list:
    if not isinstance(value, list):
        refuse(field, f"{shown(value)} is no list")
    if count is not None and len(value) != count:
        refuse(field, f"holds {len(value)} values in place of {count}")
    if len(value) < least:
        refuse(field, "is empty")
    return value


def as_number(value, field: str, least: float = -LARGEST) -> float:
    if not is_number(value) or abs(value) > LARGEST:
        refuse(field, f"{shown(value)} is no number within {LARGEST:g}")
    if value < least:
        refuse(field, f"{value} is less than {least:g}")
    return value


def as_numbers(value, field: str, count: int | None = None, least: float = -LARGEST) -> list:
    for i, number in enumerate(as_list(value, field, count)):
        as_number(number, f"{field}[{i}]", least)
    return value


def as_index(value, field: str, end: int, least: int = 0) -> int:
    """A whole number of JSON; a truth value or 1.0 is none."""
    if type(value) is not int or not least <= value < end:
        refuse(field, f"{shown(value)} is no whole number from {least} to {end - 1}")
    return value


def as_text(value, field: str) -> str:
    if not isinstance(value, str):
        refuse(field, f"{shown(value)} is no string")
    return value


def as_word(value, field: str, words) -> str:
    if not isinstance(value, str) or value not in words:
        refuse(field, f"{shown(value)} is none of {', '.join(words)}")
    return value


def as_unit(value, field: str) -> None:
    v = tuple(fixed(float(x), -BITS) for x in as_numbers(value, field, 3))
    if abs(dot(v, v) - (ONE << BITS)) > ONE << (BITS - RIGID):
        refuse(field, "is not of unit length")


def check_place(item: dict, field: str) -> None:
    as_numbers(item["position"], f"{field}.position", 3)
    numbers = [fixed(float(x), -BITS) for x in as_numbers(item["rotation"], f"{field}.rotation", 9)]
    rows = [tuple(numbers[i:i + 3]) for i in (0, 3, 6)]
    off = max(abs(dot(rows[i], rows[k]) - ((ONE << BITS) if i == k else 0)) for i in range(3) for k in range(i + 1))
    if off > ONE << (BITS - RIGID) or dot(rows[2], cross(rows[0], rows[1])) < 0:
        refuse(f"{field}.rotation", f"is no rotation to 2^-{RIGID}")


def check_frame(item, field: str, place: int, coordinates: int) -> None:
    moving = isinstance(item, dict) and item.get("motion") in (TURN, SHIFT)
    as_object(item, field, ("parent", "motion", *PLACE, *(MOVING if moving else ())), ("link",))
    as_index(item["parent"], f"{field}.parent", place, -1)
    as_word(item["motion"], f"{field}.motion", ("none", TURN, SHIFT))
    check_place(item, field)
    if "link" in item:
        as_text(item["link"], f"{field}.link")
    if moving:
        as_unit(item["axis"], f"{field}.axis")
        as_index(item["coordinate"], f"{field}.coordinate", coordinates)
        as_number(item["multiplier"], f"{field}.multiplier")
        as_number(item["offset"], f"{field}.offset")


def check_shape(shape, field: str) -> None:
    if not isinstance(shape, dict):
        refuse(field, f"{shown(shape)} is no object")
    kind = as_word(shape.get("type"), f"{field}.type", (*SIZES, *POINTS, "halfspace"))
    if kind == "halfspace":
        as_object(shape, field, ("type", "normal", "offset"))
        as_unit(shape["normal"], f"{field}.normal")
        as_number(shape["offset"], f"{field}.offset")
        return
    if kind in SIZES:
        as_object(shape, field, ("type", *SIZES[kind]), ("rounding",))
        for name, count in SIZES[kind].items():
            as_numbers([shape[name]] if count == 1 else shape[name], f"{field}.{name}", count, 0)
    else:
        as_object(shape, field, ("type", "vertices", *POINTS[kind]), ("rounding",))
        for i, v in enumerate(as_list(shape["vertices"], f"{field}.vertices", least=1)):
            as_numbers(v, f"{field}.vertices[{i}]", 3)
        for i, t in enumerate(as_list(shape["triangles"], f"{field}.triangles", least=1) if kind == "mesh" else ()):
            for k, corner in enumerate(as_list(t, f"{field}.triangles[{i}]", 3)):
                as_index(corner, f"{field}.triangles[{i}][{k}]", len(shape["vertices"]))
    as_number(shape.get("rounding", 0), f"{field}.rounding", 0)


def check_body(item, field: str, frames: int) -> None:
    as_object(item, field, ("name", "frame", "shape", *PLACE))
    as_text(item["name"], f"{field}.name")
    as_index(item["frame"], f"{field}.frame", frames)
    check_place(item, field)
    check_shape(item["shape"], f"{field}.shape")


def check_segment(item, field: str, coordinates: int, pairs: int) -> None:
    as_object(item, field, ("coordinates", "claims"))
    for i, polynomial in enumerate(as_list(item["coordinates"], f"{field}.coordinates", coordinates)):
        as_numbers(polynomial, f"{field}.coordinates[{i}]", 4)
    for i, claim in enumerate(as_list(item["claims"], f"{field}.claims")):
        place = f"{field}.claims[{i}]"
        as_numbers(as_list(claim, place, 8)[1:], place)
        as_index(claim[0], f"{place}[0]", pairs)


def check_once(names: list, field: str) -> None:
    seen = set()
    for name in names:
        if name in seen:
            refuse(field, f"{shown(name)} is given twice")
        seen.add(name)


def read_certificate(text: str) -> dict:
    """The certificate in a text. Throws Unusable, which names the first field that is wrong."""
    try:
        c = parse_json(text)
    except (NoJson, ValueError) as error:
        raise Unusable(f"no certificate: {error}") from error
    as_object(c, "certificate", FIELDS, ("decomposed",))
    as_word(c["certificate"], "certificate", ("robot path",))
    as_text(c["robot"], "robot")
    as_word(c["shapes"], "shapes", ("collision", "visual"))
    as_word(c["interpolation"], "interpolation", ("linear", "cubic"))
    as_number(c["clearance"], "clearance", 0)
    as_number(c.get("decomposed", 0), "decomposed")
    times = as_numbers(as_list(c["times"], "times", least=1), "times")
    if any(b <= a for a, b in zip(times, times[1:])):
        refuse("times", "do not increase")
    for i, name in enumerate(as_list(c["coordinates"], "coordinates")):
        as_text(name, f"coordinates[{i}]")
    check_once(c["coordinates"], "coordinates")
    for i, item in enumerate(as_list(c["frames"], "frames", least=1)):
        check_frame(item, f"frames[{i}]", i, len(c["coordinates"]))
    check_once([item["link"] for item in c["frames"] if "link" in item], "frames: link")
    for i, item in enumerate(as_list(c["bodies"], "bodies")):
        check_body(item, f"bodies[{i}]", len(c["frames"]))
    for i, pair in enumerate(as_list(c["pairs"], "pairs")):
        for k, body in enumerate(as_list(pair, f"pairs[{i}]", 2)):
            as_index(body, f"pairs[{i}][{k}]", len(c["bodies"]))
    for i, item in enumerate(as_list(c["segments"], "segments", max(len(times) - 1, 1))):
        check_segment(item, f"segments[{i}]", len(c["coordinates"]), len(c["pairs"]))
    return c
