"""Every public name of the headers is there in Python, or the list says why not."""

import re
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import tactus

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))

import headers  # type: ignore # noqa: E402


def public_names() -> set[str]:
    """Types, their fields, values and methods, functions and constants, by the names within `tactus`."""
    names = set()
    for header in sorted((ROOT / "include/tactus").glob("*.hpp")):
        for declared in headers.read(header):
            names.add(declared.name)
            names |= {f"{declared.name}::{m.name}" for m in declared.members}
    return {n for n in names if not is_constructor(n)}


def is_constructor(name: str) -> bool:
    parts = name.split("::")
    return len(parts) > 1 and parts[-1] == parts[-2]


def left_out() -> dict[str, str]:
    return tomllib.loads((HERE / "names.toml").read_text(encoding="utf-8"))["left_out"]


def in_python(name: str) -> bool:
    found = tactus
    for part in name.split("::"):
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


def test_no_name_is_missing():
    patterns = left_out()
    missing = sorted(n for n in public_names() if not in_python(n) and not any(fnmatchcase(n, p) for p in patterns))
    assert missing == []


def test_the_list_says_nothing_that_is_not_so():
    text = "".join(h.read_text(encoding="utf-8") for h in (ROOT / "include/tactus").glob("*.hpp"))
    words = set(re.findall(r"\w+", text))
    idle = []
    for pattern in left_out():
        known = [n for n in public_names() if fnmatchcase(n, pattern)]
        word = pattern.split("::")[-1].strip("*_")
        if (known and all(in_python(n) for n in known)) or (not known and word not in words):
            idle.append(pattern)
    assert idle == []


def test_every_public_thing_has_a_docstring_or_a_telling_signature():
    bare = [name for name, value in vars(tactus).items() if callable(value) and not name.startswith("_") and not (value.__doc__ or "").strip()]
    assert bare == []
