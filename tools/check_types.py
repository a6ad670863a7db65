#!/usr/bin/env python3
"""Proves that a type of the library has one definition: two of one name in one namespace share constructors when programs
are linked, whichever the linker finds first (the one-definition rule), and no compiler says so.

    tools/check_types.py   complaints: each name with its files; types of one source alone belong into an unnamed namespace
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("include", "tactus", "apps", "lab", "fuzz", "bindings")

SILENT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
TOKEN = re.compile(
    r"(?P<space>\bnamespace\b\s*(?P<of>[\w:]*)\s*\{)"
    r"|(?P<type>\b(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?:alignas\([^)]*\)\s*|\[\[[^\]]*\]\]\s*)*(?P<name>\w+(?:::\w+)*)(?:\s+final)?\s*(?::(?!:)[^;{}()]*)?\{)"
    r"|(?P<open>\{)|(?P<close>\})"
)


def types_of(text):
    """The qualified names of the types that a source defines at namespace scope, but for those of unnamed namespaces."""
    text = SILENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    scopes, found = [], []
    for token in TOKEN.finditer(text):
        if token["close"]:
            if scopes:
                scopes.pop()
        elif token["space"]:
            scopes.append(token["of"])  # an unnamed one is empty
        else:
            if token["type"] and all(scopes):  # neither unnamed nor the body of a type or function
                found.append("::".join([*scopes, token["name"]]))
            scopes.append(None)
    return found


def main():
    files = defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".hpp", ".cpp", ".h", ".inc"):
                for name in types_of(path.read_text()):
                    files[name].append(str(path.relative_to(ROOT)))
    twice = {name: paths for name, paths in files.items() if len(set(paths)) > 1}
    for name, paths in sorted(twice.items()):
        print(f"{name} is defined in {', '.join(paths)}")
    return 1 if twice else 0


if __name__ == "__main__":
    sys.exit(main())
