#!/usr/bin/env python3
"""Proves that folders of the library include only lower floors, and the rules on includes that go with it.

    tools/check_layers.py          complaints, and whether the picture of the floors is that of this list
    tools/check_layers.py --draw   draws the picture anew: docs/images/floors.svg
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Floors from the ground up: every folder with sources stands here by its own name. A folder includes itself and lower
# floors only; folders of one floor do not know each other.
ORDER = (
    ("core", "simd"),
    ("math",),
    ("planar/region", "mesh/surface", "mesh/support"),
    ("planar/touch", "planar/depth", "planar/motion", "mesh/hull"),
    ("planar", "bvh"),
    ("shape",),
    ("broad", "narrow/difference"),
    ("narrow/formula", "narrow/proof"),
    ("narrow/search",),
    ("narrow/pair",),
    ("query/plan", "query/way"),
    ("query/mesh",),
    ("query",),
    ("motion", "ccd", "classic"),
    ("fit/plain",),
    ("check", "fit/box", "fit/decomposition", "fit/contour"),
    ("check/planar",),
    ("rigid/body", "rigid/exchange"),
    ("rigid/solver",),
    ("rigid/motion",),
    ("rigid/contact", "rigid/joint"),
    ("rigid/ranks", "rigid/elastic"),
    ("rigid/world",),
    ("rigid/event", "rigid/character"),
    ("soft/mesh", "soft/model"),
    ("soft/contact",),
    ("soft/world",),
    ("robot",),
    ("distributed", "io/file"),
    ("io/format/gltf", "io/format/write"),
    ("io/format",),
    ("io/steps",),
    ("io/robot/xml",),
    ("io/robot/sdf",),
    ("io/json", "io/contour", "io/robot"),
    ("io/mesh",),
    ("io/scene",),
    ("io/many", "io/ranks"),
    ("io/run",),
    ("io/html",),
    ("io",),
)
FLOORS = {folder: floor for floor, folders in enumerate(ORDER) for folder in folders}

# Public headers, include/tactus, by the lowest room that may include them: the one that they are the face of.
PUBLIC = {
    "body": "rigid/body",
    "broad": "broad",
    "ccd": "ccd",
    "character": "rigid/character",
    "check": "check",
    "classic": "classic",
    "core": "core",
    "deform": "soft/mesh",
    "distributed": "distributed",
    "fit": "fit/box",
    "impulse_world": "rigid/event",
    "io": "io/file",
    "math": "math",
    "mesh": "mesh/surface",
    "observer": "math",
    "planar": "planar/region",
    "query": "query/plan",
    "robot": "robot",
    "robot_files": "io/file",
    "shape": "shape",
    "tactus": "soft/world",
    "version": "core",
    "world": "rigid/body",
}
# With the version, the umbrella, the C interface, a floor of its own (`robot`), and the one header that asks a program
# for another library to link (`distributed`): it cannot be a part of one that all programs include. Files of robots are
# apart from those of scenes, which programs for robots do not read (`robot_files`; `io` includes it).
MOST_PUBLIC = 25

# The C interface: headers for C compilers, over the C++ headers. No room includes them.
C_HEADERS = ("tactus.h", "tactus_world.h")
C_INCLUDES = ["<stddef.h>", "<stdint.h>", *(f'"tactus/{name}"' for name in C_HEADERS)]

# Third-party headers, by the folders that may include them (also in apps; nowhere else in the library).
THIRD_PARTY = {
    "tbb/": {"core"},
    "Eigen/": {"math"},
    "nlohmann/": {"io"},
    "fmt/": {"io"},
    "assimp/": {"io"},
    "stb/": {"io"},
    "tinyxml2.h": {"io"},
    "sdf/": {"io"},
    "mpi.h": {"distributed"},
    "zoltan": {"distributed"},
}

# Not in the standard library of the WebAssembly compiler: kept out of everything below the top floor.
NOT_PORTABLE = {"<format>", "<ranges>", "<source_location>", "<memory_resource>", "<stop_token>"}
FIRST_OF_TOP = FLOORS["distributed"]

# What can still be read at once.
MOST_LINES, MOST_SOURCE_LINES, MOST_FILES = 80, 600, 24
LITERAL = re.compile(r'"(\\.|[^"\\])*"|//.*|\'(\\.|[^\'\\])\'')
FUNCTION = re.compile(r"\)\s*(const|noexcept|override|\s)*(:[^;]*)?\{$")
CONTROL = re.compile(r"\s*(if|for|while|switch|else|do|\} else)\b")

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<][^">]+[">])', re.MULTILINE)


def room_of(path: Path) -> str | None:
    """The room of a file of the library: its folder, if that has a floor."""
    room = "/".join(path.parts[1:-1])
    return room if room in FLOORS else None


def top(room: str) -> str:
    return room.split("/")[0]


def check_file(path: Path) -> list[str]:
    """Complaints about one source file of the library."""
    folder = room_of(path.relative_to(ROOT))
    text = path.read_text(encoding="utf-8")
    if folder is None:
        return [f"folder {path.parent.relative_to(ROOT)} has no floor"]
    complaints = []
    if path.suffix == ".hpp" and "#pragma once" not in text:
        complaints.append("header without #pragma once")
    for match in INCLUDE.finditer(text):
        include = match.group(1)
        line = text.count("\n", 0, match.start(1)) + 1
        name = include[1:-1]
        if include[0] == '"':
            complaint = check_own(folder, name)
        elif include in NOT_PORTABLE and FLOORS[folder] < FIRST_OF_TOP:
            complaint = "does not compile to WebAssembly"
        else:
            owners = next((who for prefix, who in THIRD_PARTY.items() if name.startswith(prefix)), {top(folder)})
            complaint = "" if top(folder) in owners else f"only for {', '.join(sorted(owners))}"
        if complaint:
            complaints.append(f"line {line}: {include}: {complaint}")
    return complaints


def check_own(folder: str, name: str) -> str:
    """What is wrong with the include of `name`, a file of this repository, from `folder`; empty when nothing."""
    parts = name.split("/")
    if parts[0] != "tactus":
        return "write the path from the repository root, or tactus/NAME.hpp for a public header"
    if not (ROOT / name).exists() and not (ROOT / "include" / name).exists():
        return "no such file"
    public = len(parts) == 2
    other = PUBLIC.get(parts[1].removesuffix(".hpp")) if public else room_of(Path(name))
    if other == folder or (public and other is not None and top(other) == top(folder)):
        return ""
    if other is None:
        return f"{name} has no floor"
    if FLOORS[other] >= FLOORS[folder]:
        return f"{folder} (floor {FLOORS[folder]}) must not include {other} (floor {FLOORS[other]})"
    return ""


def check_public() -> list[str]:
    """Complaints about the public headers: they include each other and the standard library, downwards only."""
    headers = sorted((ROOT / "include" / "tactus").iterdir())
    complaints = []
    if len(headers) > MOST_PUBLIC:
        complaints.append(f"include/tactus: {len(headers)} headers, at most {MOST_PUBLIC}")
    for path in headers:
        if path.name in C_HEADERS:
            complaints += [f"include/tactus/{path.name}: {include}: C compilers may not have it"
                           for include in INCLUDE.findall(path.read_text(encoding="utf-8")) if include not in C_INCLUDES]
            continue
        home = PUBLIC.get(path.stem) if path.suffix == ".hpp" else None
        if home is None:
            complaints.append(f"include/tactus/{path.name}: is the face of no floor")
            continue
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            name = include[1:-1]
            other = PUBLIC.get(name.removeprefix("tactus/").removesuffix(".hpp"))
            if include[0] == "<" and not re.fullmatch(r"[a-z_]+", name):
                complaints.append(f"include/tactus/{path.name}: {include}: not of the standard library")
            elif include[0] == '"' and (other is None or FLOORS[other] > FLOORS[home]) and path.stem != "tactus":
                complaints.append(f"include/tactus/{path.name}: {include}: not of a lower floor")
    return complaints


def check_c() -> list[str]:
    """Complaints about the sources of the C interface: they see the public headers, each other and the standard library."""
    complaints = []
    for path in sorted((ROOT / "bindings/c").glob("*.?pp")):
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            name = include[1:-1]
            own = name.startswith("bindings/c/") and (ROOT / name).exists()
            public = name.count("/") == 1 and (ROOT / "include" / name).exists()
            if include[0] == "<" and not re.fullmatch(r"[a-z_]+", name) or include[0] == '"' and not own and not public:
                complaints.append(f"{path.relative_to(ROOT)}: {include}: neither public, of bindings/c, nor of the standard library")
    return complaints


def long_functions(text: str) -> list[str]:
    """Complaints about functions of more than MOST_LINES lines, from brace to brace."""
    complaints, open_braces = [], []
    for number, line in enumerate(text.split("\n"), 1):
        code = LITERAL.sub("", line)
        for k, c in enumerate(code):
            if c == "{":
                open_braces.append((number, FUNCTION.search(code[: k + 1]) is not None and CONTROL.match(code) is None))
            elif c == "}" and open_braces:
                first, function = open_braces.pop()
                if function and number - first >= MOST_LINES:
                    complaints.append(f"line {first}: a function of {number - first + 1} lines")
    return complaints


# Calls that one place alone may make, and why.
ONE_PLACE = ((re.compile(r"(\.|->)dump\((?!.*error_handler_t::replace)"), "json_text.cpp", "JSON is written by io::json_dump, which no name of a file can end"),
             (re.compile(r"\bstd::cin\b"), "", "standard input is read by io::LineFile, open_to_read or standard_input"))


def check_places() -> list[str]:
    """Complaints about calls that bypass the one place that makes them safe."""
    complaints = []
    for folder in ("tactus", "apps", "lab", "fuzz"):
        for path in sorted((ROOT / folder).rglob("*.?pp")):
            lines = path.read_text(encoding="utf-8").split("\n")
            complaints += [f"{path.relative_to(ROOT)}:{number}: {why}" for call, home, why in ONE_PLACE if path.name != home
                           for number, line in enumerate(lines, 1) if call.search(line.split("//")[0])]
    return complaints


def check_sizes() -> list[str]:
    """Complaints about what has grown too large to be read: functions, sources, folders."""
    complaints = []
    sources = [p for folder in ("tactus", "apps", "lab", "fuzz", "bindings/c") for p in sorted((ROOT / folder).rglob("*"))]
    for path in sources:
        name = path.relative_to(ROOT)
        if path.is_dir():
            count = sum(1 for p in path.iterdir() if p.is_file())
            if name.parts[0] == "tactus" and count > MOST_FILES:
                complaints.append(f"{name}: {count} files, at most {MOST_FILES}")
        elif path.suffix in {".hpp", ".cpp", ".inc"}:
            text = path.read_text(encoding="utf-8")
            if text.count("\n") > MOST_SOURCE_LINES:
                complaints.append(f"{name}: {text.count(chr(10))} lines, at most {MOST_SOURCE_LINES}")
            complaints += [f"{name}: {c}" for c in long_functions(text)]
    return complaints


NAMESPACE = re.compile(r"^namespace ([\w:]+) \{")
HEADER_TYPE = re.compile(r"^(?:struct|class|union|enum class) (\w+)(?: final)?(?:\s*:[^:].*)? \{")


def check_names() -> list[str]:
    """Complaints about types that two headers define by one name in one namespace: one program cannot hold both."""
    places: dict[tuple[str, str], Path] = {}
    complaints = []
    for header in sorted([*(ROOT / "tactus").rglob("*.hpp"), *(ROOT / "include").rglob("*.hpp")]):
        namespace = ""
        for line in header.read_text(encoding="utf-8").splitlines():
            if opened := NAMESPACE.match(line):
                namespace = opened.group(1)
            elif found := HEADER_TYPE.match(line):
                other = places.setdefault((namespace, found.group(1)), header)
                if other != header:
                    complaints.append(f"{header.relative_to(ROOT)}: {namespace}::{found.group(1)} is also in "
                                      f"{other.relative_to(ROOT)}")
    return complaints


def picture() -> str:
    """The floors as rows of rooms, the ground below."""
    width, height, gap, left = 132, 26, 6, 12
    rows = [[room for room in rooms if (ROOT / "tactus" / room).exists()] for rooms in reversed(ORDER)]
    rows = [row for row in rows if row]
    most = max(map(len, rows))
    total = (left * 2 + most * (width + gap) - gap, left * 2 + len(rows) * (height + gap) - gap)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total[0]} {total[1]}" font-family="sans-serif" font-size="13">',
        f'<rect width="{total[0]}" height="{total[1]}" fill="#ffffff"/>',
    ]
    for i, row in enumerate(rows):
        x, y = left, left + i * (height + gap)
        wide = (total[0] - 2 * left - (len(row) - 1) * gap) / len(row)
        for room in row:
            color = "#dbe9f6" if "/" not in room else "#eef4e4"
            out.append(f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{height}" rx="4" fill="{color}" stroke="#54708c"/>')
            out.append(f'<text x="{x + wide / 2:.1f}" y="{y + 18}" text-anchor="middle" fill="#1d2b3a">{room}</text>')
            x += wide + gap
    return "\n".join([*out, "</svg>", ""])


def main() -> int:
    drawing = ROOT / "docs" / "images" / "floors.svg"
    if sys.argv[1:] == ["--draw"]:
        drawing.write_text(picture(), encoding="utf-8")
        return 0
    files = sorted(p for p in (ROOT / "tactus").rglob("*") if p.suffix in {".hpp", ".cpp", ".inc"})
    complaints = [f"{p.relative_to(ROOT)}: {c}" for p in files for c in check_file(p)]
    complaints += check_public() + check_c() + check_sizes() + check_names() + check_places()
    if not drawing.exists() or drawing.read_text(encoding="utf-8") != picture():
        complaints.append(f"{drawing.relative_to(ROOT)}: not of these floors (tools/check_layers.py --draw)")
    for complaint in complaints:
        print(complaint)
    print(f"layers: {len(files)} files, {len(complaints)} complaints")
    return 1 if complaints or not files else 0


if __name__ == "__main__":
    sys.exit(main())
