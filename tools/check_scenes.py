#!/usr/bin/env python3
"""Validates every scene against scenes/scene.schema.json, and the schema against broken scenes.

Needs Debian's python3-jsonschema, which the system's own Python finds.
"""
import copy
import json
import os
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    if sys.executable == "/usr/bin/python3":
        sys.exit("check_scenes: the Debian package python3-jsonschema is missing")
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "scenes"
STRING_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def read(file):
    text = file.read_text(encoding="utf-8")
    return json.loads(STRING_OR_COMMENT.sub(lambda match: match.group(1) or "", text))


def objects(value, path=()):
    """Paths of all objects within a value whose fields the schema names."""
    if isinstance(value, dict):
        if path not in (("materials",), ("shapes",)):
            yield path
        for key, item in value.items():
            yield from objects(item, path + (key,))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from objects(item, path + (index,))


def with_unknown_field(scene, path):
    broken = copy.deepcopy(scene)
    place = broken
    for key in path:
        place = place[key]
    place["no such field"] = 1
    return broken


def main():
    schema = read(FOLDER / "scene.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []
    checked = 0
    for file in sorted(FOLDER.glob("*.json")):
        if file.name == "scene.schema.json":
            continue
        scene = read(file)
        for error in validator.iter_errors(scene):
            failures.append(f"{file.name}: {error.json_path}: {error.message}")
        for path in objects(scene):
            checked += 1
            if validator.is_valid(with_unknown_field(scene, path)):
                failures.append(f"{file.name}: the schema accepts an unknown field in {list(path)}")
    print("\n".join(failures) or f"all scenes are valid; {checked} unknown fields were refused")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
