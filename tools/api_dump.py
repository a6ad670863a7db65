#!/usr/bin/env python3
"""Lists the public interface: every name of include/tactus that a program can write, one line each, sorted.

    tools/api_dump.py                   prints the list
    tools/api_dump.py --compare FILE    what is gone since FILE, and what is new
    tools/api_dump.py --check           complains about names of the last release (docs/api) that are gone and stand on no line of
                                        docs/guide/migration.md
    --include FOLDER                    of the headers there; include/ by default

A line is the kind, the qualified name and the type as clang writes it; of functions of the C interface, their declaration. Names of `detail`,
private members and deprecated names of another namespace are none of it.

The migration page names what moved to another namespace in rows of header, namespace and names; such a name must be there now, and its members, too, and
programs of the last release must still find it where it was.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = {"FunctionDecl": "function", "CXXMethodDecl": "method", "CXXConstructorDecl": "constructor", "FieldDecl": "field",
         "CXXRecordDecl": "type", "EnumDecl": "enum", "EnumConstantDecl": "value", "VarDecl": "constant", "TypeAliasDecl": "alias",
         "CXXConversionDecl": "conversion"}
C_FUNCTION = re.compile(r"^TACTUS_API ([^;]*?\b(\w+)\([^;]*);", re.MULTILINE)
NESTED = {"NamespaceDecl", "CXXRecordDecl", "EnumDecl", "LinkageSpecDecl", "ClassTemplateDecl", "FunctionTemplateDecl"}


def declarations(node: dict, scope: str, access: str, out: set[str]) -> None:
    """The lines of what stands in a namespace, class or enumeration."""
    for item in node.get("inner", ()):
        kind = item.get("kind")
        if kind == "AccessSpecDecl":
            access = item.get("access", access)
            continue
        if item.get("isImplicit") or access in ("private", "protected") or kind == "FriendDecl":
            continue
        name = item.get("name", "")
        if name == "detail" or (kind == "CXXRecordDecl" and not item.get("completeDefinition")):
            continue
        path = f"{scope}::{name}" if scope else name
        if kind in KINDS and name and scope:
            kept = item.get("type", {}).get("qualType", "")
            out.add(f"{KINDS[kind]} {path}" + (f": {kept}" if kept else ""))
        if kind == "CXXRecordDecl":
            declarations(item, path, "private" if item.get("tagUsed") == "class" else "public", out)
        elif kind in ("ClassTemplateDecl", "FunctionTemplateDecl"):
            declarations({"inner": [i for i in item.get("inner", ()) if i.get("kind") in KINDS][:1]}, scope, "public", out)
        elif kind in NESTED:
            declarations(item, path if name else scope, "public", out)


def compile_headers(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess:
    """What clang says of all headers, and of a text behind them."""
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.write("".join(f'#include "{p.relative_to(folder)}"\n' for p in sorted(folder.rglob("*.hpp"))) + text)
        source.flush()
        return subprocess.run(["clang++-19", "-std=c++20", "-fsyntax-only", f"-I{folder}", *options, source.name],
                              capture_output=True, text=True, check=False)


def dump(folder: Path) -> list[str]:
    found = compile_headers(folder, "", "-DTACTUS_WITHOUT_DEPRECATED", "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=tactus")
    found.check_returncode()
    text = found.stdout
    out: set[str] = set()
    decoder, at = json.JSONDecoder(), 0
    while (at := text.find("{", at)) >= 0:
        node, at = decoder.raw_decode(text, at)
        if node.get("kind") == "NamespaceDecl" and node.get("name") == "tactus":
            declarations(node, "tactus", "public", out)
    for header in folder.rglob("*.h"):
        out |= {f"function {found.group(2)}: {' '.join(found.group(1).split())}"
                for found in C_FUNCTION.finditer(header.read_text(encoding="utf-8"))}
    return sorted(out)


def names_of(lines: list[str]) -> dict[str, str]:
    """The last part of each name, of constructors none, with the whole of it."""
    words = (line.split(": ")[0].split(" ", 1) for line in lines)
    return {name.removeprefix("tactus::"): name.split("::")[-1] for kind, name in words if kind != "constructor"}


def moves_of(page: str) -> dict[str, str]:
    """The namespace that each name moved to, from the rows of header, namespace and names of the migration page."""
    rows = re.findall(r"^\| `\w+\.hpp` \| `tactus::(\w+)` \| (.*) \|$", page, re.MULTILINE)
    return {name: space for space, names in rows for name in re.findall(r"`(\w+)`", names)}


def lost(names: list[str]) -> list[str]:
    """Those of the names that a program of the last release no longer finds in tactus."""
    text = "namespace program {\n" + "".join(f"using tactus::{name};\n" for name in names) + "}\n"
    said = compile_headers(ROOT / "include", text, "-ferror-limit=0").stderr
    return re.findall(r"error: no member named '(\w+)' in namespace 'tactus'", said)


def unread(lines: list[str]) -> list[str]:
    """Names that the Python module's own reader of the headers does not see: it makes classes of what it reads."""
    sys.path.insert(0, str(ROOT / "bindings/python"))
    import headers

    declared = [d for header in sorted((ROOT / "include/tactus").glob("*.hpp")) for d in headers.read(header)]
    seen = {d.name for d in declared} | {f"{d.name}::{m.name}" for d in declared for m in d.members}
    kinds = {line.split(": ")[0].split(" ", 1)[1].removeprefix("tactus::"): line.split(" ", 1)[0] for line in lines if "::" in line}
    plain = {name for name, kind in kinds.items() if kind in ("type", "enum", "field", "value", "constant", "alias")}
    # A template, a type that is defined outside of its class, and a deprecated value.
    return sorted(n for n in plain - seen if not n.startswith(("Outcome", "Part")) and n != "BodyType::moving")


def check(lines: list[str]) -> int:
    releases = sorted((ROOT / "docs/api").glob("*.txt"))
    page = (ROOT / "docs/guide/migration.md").read_text(encoding="utf-8")
    complaints = []
    now = names_of(lines)
    moves = moves_of(page)
    complaints += [f"docs/guide/migration.md: there is no tactus::{space}::{name}"
                   for name, space in moves.items() if f"{space}::{name}" not in now]
    complaints += [f"include/tactus: a program of {releases[-1].stem} finds no tactus::{name}" for name in lost(sorted(moves))]
    complaints += [f"bindings/python/headers.py: reads no tactus::{name}" for name in unread(lines)]
    for path, short in names_of(releases[-1].read_text(encoding="utf-8").splitlines()).items():
        head = path.split("::")[0]
        if path in now or f"{moves.get(head)}::{path}" in now:
            continue
        if not re.search(rf"`(?:\w+(?:::|\.))*{re.escape(short)}`", page):
            complaints.append(f"docs/guide/migration.md: says nothing of tactus::{path}, which {releases[-1].stem} had")
    print("\n".join([*complaints, f"api: {len(lines)} names, {len(complaints)} complaints"]))
    return 1 if complaints else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Lists the public interface.")
    parser.add_argument("--include", type=Path, default=ROOT / "include", metavar="FOLDER", help="folder of the headers")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="what is gone since that list, and what is new")
    parser.add_argument("--check", action="store_true", help="names of the last release that are gone stand in the migration page")
    arguments = parser.parse_args()
    lines = dump(arguments.include.resolve())
    if arguments.check:
        return check(lines)
    if arguments.compare:
        old = set(arguments.compare.read_text(encoding="utf-8").splitlines())
        lines = [*(f"- {line}" for line in sorted(old - set(lines))), *(f"+ {line}" for line in sorted(set(lines) - old))]
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
