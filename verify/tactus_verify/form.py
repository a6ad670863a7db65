"""The form of an answer line for tactus-verify: which fields an answer has, of which JSON type, and which values.

A field of another type or value than the format states is refuted, a field that the format does not know is left unproved, and
so is an answer that lacks a field. What follows these checks may rely on the form: every number is a finite double.
"""

import json
import math
import re

PROVED, UNPROVED, REFUTED = "proved", "unproved", "refuted"
ANSWERED = ("converged", "iteration_limit", "precision_limit", "local_minimum")
UNANSWERED = ("unsupported", "invalid_input")
METHODS = ("auto", "closed_form", "gjk", "gjk_nesterov", "gjk_signed_volumes", "epa", "epa_classic", "mpr", "chung_wang", "sat",
           "separating_plane", "v_clip")
KINDS = ("none", "separation", "axes", "faces", "ball", "inside", "covered")
COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


BRACKETS = re.compile(r"[\[\]{}]")
DEEPEST = 101


class NoJson(ValueError):
    """A text that is no JSON value, or one that says two things."""


def object_of(pairs) -> dict:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NoJson("a field is given twice")
    return found


def no_number(literal):
    raise NoJson(f"{literal} is no JSON number")


def parse_json(text):
    """The value of a text, comments allowed. Refuses NaN, infinities, names that are given twice in an object, and what is nested
    too deep, as tactus does."""
    plain = COMMENT.sub(lambda m: m.group(1) or " ", text.removeprefix("\ufeff"))
    depth = deepest = 0
    for bracket in BRACKETS.findall(COMMENT.sub(" ", plain)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    if deepest > DEEPEST:
        raise NoJson(f"nested deeper than {DEEPEST} levels")
    try:
        return json.loads(plain, object_pairs_hook=object_of, parse_constant=no_number)
    except RecursionError:
        raise NoJson("nested too deep") from None


# --- Types of values: what is expected, and whether a value is that --------------------------------------------------------


def is_number(value) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


class Type:
    def __init__(self, name, holds):
        self.name, self.holds = name, holds


def whole(least) -> Type:
    return Type(f"a whole number from {least}",
                lambda v: isinstance(v, int) and not isinstance(v, bool) and least <= v < 1 << 63)


def one_of(*values) -> Type:
    # A tuple compares 1 with True; the types tell them apart.
    return Type("one of " + ", ".join(json.dumps(v) for v in values),
                lambda v: any(type(v) is type(w) and v == w for w in values))


def list_of(item, count=None) -> Type:
    name = f"a list of {count or ''} {item.name}".replace("  ", " ")
    return Type(name, lambda v: isinstance(v, list) and count in (None, len(v)) and all(map(item.holds, v)))


def or_null(item) -> Type:
    return Type(item.name + " or null", lambda v: v is None or item.holds(v))


def record(**fields) -> Type:
    """An object with all of these fields, and no other one."""
    return record_with({}, **fields)


def record_with(optional, **fields) -> Type:
    """The same, which may have some fields beside."""
    known = fields | optional
    return Type("an object of " + ", ".join(fields),
                lambda v: isinstance(v, dict) and fields.keys() <= v.keys() <= known.keys() and all(known[k].holds(x) for k, x in v.items()))


def either(*types) -> Type:
    return Type(" or ".join(t.name for t in types), lambda v: any(t.holds(v) for t in types))


def is_step(value) -> bool:
    kinds = {"n": VECTOR, "a": whole(0), "b": whole(0), "t": NUMBER}
    return (isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and value[0] in kinds
            and kinds[value[0]].holds(value[1]))


NUMBER, TEXT, FLAG = Type("a number", is_number), Type("a string", lambda v: isinstance(v, str)), one_of(True, False)
VECTOR = list_of(NUMBER, 3)
INDEX, INDEX_OR_NONE = whole(0), whole(-1)
VERDICT = one_of(True, False, "undecided")
ORDERS = list_of(record(part=INDEX_OR_NONE, triangles=list_of(INDEX)))

SLOPES = {"linear_a": VECTOR, "angular_a": VECTOR, "linear_b": VECTOR, "angular_b": VECTOR}
DERIVATIVES = {"smooth": FLAG, "unique": FLAG, **SLOPES, "motion": record(smooth=FLAG, **SLOPES)}
SUPPORTS, FACES = list_of(record(point_a=VECTOR, point_b=VECTOR)), list_of(list_of(INDEX, 3))
COVER = {"triangle_a": INDEX_OR_NONE, "triangle_b": INDEX_OR_NONE, "supports": SUPPORTS, "faces": FACES}
PARTS = {"part_a": INDEX, "part_b": INDEX}
HELD = {"held_in": one_of("a", "b"), "point": VECTOR, "shift": VECTOR}
CERTIFICATE = {
    "kind": one_of(*KINDS), "direction": VECTOR, "part_a": INDEX_OR_NONE, "part_b": INDEX_OR_NONE,
    "triangle_a": INDEX_OR_NONE, "triangle_b": INDEX_OR_NONE, "shrink_a": NUMBER, "shrink_b": NUMBER,
    "core_point_a": VECTOR, "core_point_b": VECTOR,
    "supports": SUPPORTS, "faces": FACES, "covers": list_of(either(record_with(PARTS, **COVER), record_with(PARTS, **COVER, **HELD))),
    "inside_point": VECTOR, "inside_radius": NUMBER, "inside_of": one_of("a", "b"), "order_a": ORDERS, "order_b": ORDERS,
    "apart": list_of(record(part_a=INDEX_OR_NONE, part_b=INDEX_OR_NONE, shift=VECTOR,
                            steps=list_of(Type("a step", is_step)))),
    "touch_a": VECTOR, "touch_b": VECTOR}

OBJECT = Type("an object", lambda v: isinstance(v, dict))
LENGTH = or_null(NUMBER)
# What every answer has; the identifier is compared with the query's.
ALWAYS = {"status": one_of(*ANSWERED)}
BRACKET = {"distance": LENGTH, "lower": LENGTH, "upper": LENGTH}
WITNESSES = {"normal": VECTOR, "point_a": VECTOR, "point_b": VECTOR}
CONTACTS = list_of(record(point_a=VECTOR, point_b=VECTOR, depth=NUMBER))
MOTION = {"hit": VERDICT, "time": LENGTH, "time_upper": LENGTH}
# Fields that an answer must have, by what is asked, and those that it may have beside.
REQUIRED = {"distance": BRACKET | WITNESSES, "overlap": {"overlap": VERDICT},
            "contacts": BRACKET | WITNESSES | {"contacts": CONTACTS}, "cast": MOTION, "impact": MOTION}
NOTES = {"id": Type("the query's", lambda v: True), "method": one_of(*METHODS), "iterations": INDEX, "closed": FLAG,
         "certificate": OBJECT, "part_a": INDEX, "part_b": INDEX, "derivatives": OBJECT, "unique": FLAG, "smooth": FLAG,
         "depth": one_of("union")}
TRIANGLES = {"triangle_a": INDEX, "triangle_b": INDEX}
# Of a line without an answer: nothing is bounded, and nothing is decided.
NOTHING_KNOWN = {"status": one_of(*UNANSWERED), "id": NOTES["id"], "error": TEXT, "closed": FLAG, "overlap": one_of("undecided"),
                 "hit": one_of(None, "undecided")} | dict.fromkeys(("distance", "lower", "upper", "time", "time_upper"), one_of(None))


# The same of planar answers.
PAIR = list_of(NUMBER, 2)
PLANAR_BRACKET = BRACKET | dict.fromkeys(("normal", "point_a", "point_b"), PAIR)
PLANAR_CONTACTS = list_of(record(point_a=PAIR, point_b=PAIR, normal=PAIR, depth=NUMBER, stretch=INDEX))
TOUCH = {"point": PAIR, "segment": INDEX, "part": NUMBER, "normal": PAIR, "angle": NUMBER, "depth": NUMBER,
         "kind": one_of("segment", "convex", "concave", "end")}
TOUCHES = list_of(Type("touches", lambda v: record(**TOUCH).holds(v) or record(**TOUCH, contour=INDEX).holds(v)))
PLANAR = {"distance": PLANAR_BRACKET, "overlap": {"overlap": FLAG} | PLANAR_BRACKET, "touches": {"touches": TOUCHES},
          "contacts": PLANAR_BRACKET | {"contacts": PLANAR_CONTACTS}, "cast": MOTION}
PLANAR_NOTES = {"id": NOTES["id"], "certificate": Type("a translation", record(kind=one_of("translation"), translation=PAIR).holds)}


def wrong(found, fields, claims) -> None:
    """Adds what an object's fields have of another type, and those that are not known."""
    for name, value in found.items():
        if name not in fields:
            claims[f"unknown field {json.dumps(name)}"] = UNPROVED
        elif not fields[name].holds(value):
            claims[f"{name} is not {fields[name].name}"] = REFUTED


def is_answered(answer) -> bool:
    return isinstance(answer.get("status"), str) and answer["status"] not in UNANSWERED


def form_of_unanswered(answer) -> dict:
    claims = {}
    for name, value in answer.items():
        if name not in NOTHING_KNOWN or not NOTHING_KNOWN[name].holds(value):
            claims[f"{name if name in NOTHING_KNOWN else json.dumps(name)} without an answer"] = REFUTED
    return claims


def form_of_planar(ask, answer) -> dict:
    """The same of an answer to a planar query."""
    required, optional = ALWAYS | PLANAR[ask], dict(PLANAR_NOTES)
    if ask == "cast" and answer.get("time") is not None:
        required = required | PLANAR_BRACKET
        required = {name: required[name] for name in required if name not in ("lower", "upper")}
    claims = {}
    wrong(answer, required | optional, claims)
    for name in sorted(required.keys() - answer.keys()):
        claims[f"{name} is missing"] = UNPROVED
    if answer.get("distance", 0) is None and answer.get("status") == "converged":
        claims["no distance"] = REFUTED
    return claims


def form_of(ask, answer) -> dict:
    """What is wrong with the form of an answer, by claims: nothing, or why it is no answer to what was asked."""
    required = ALWAYS | REQUIRED[ask]
    optional = dict(NOTES)
    if ask in ("cast", "impact"):
        moved = {"distance": LENGTH} | WITNESSES
        # Of a miss there is no time, and there are no points.
        if answer.get("hit") is False:
            required = required | {"time": one_of(None), "time_upper": one_of(None)}
        else:
            required = required | {"time": NUMBER} | moved
    else:
        optional |= BRACKET | WITNESSES | TRIANGLES
    claims = {}
    wrong(answer, required | optional, claims)
    for name in sorted(required.keys() - answer.keys()):
        claims[f"{name} is missing"] = UNPROVED
    # Without a distance the normal and the points mean nothing: that is no answer that has converged, and no hit.
    if answer.get("distance", 0) is None and (answer.get("status") == "converged" or answer.get("hit") is True):
        claims["no distance"] = REFUTED
    for name, fields in (("certificate", CERTIFICATE), ("derivatives", DERIVATIVES)):
        if isinstance(answer.get(name), dict):
            inner = {}
            wrong(answer[name], fields, inner)
            claims |= {f"{name}: {claim}": found for claim, found in inner.items()}
    return claims
