#!/usr/bin/env python3
"""Proves that folders of the library include only lower floors, and the rules on includes that go with it."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Folder -> floor. A folder includes itself and lower floors only; folders of one floor do not know each other.
FLOORS = {
    "core": 0,
    "math": 1,
    "mesh": 2,
    "bvh": 3,
    "shape": 4,
    "narrow": 5,
    "broad": 5,
    "query": 6,
    "ccd": 6,
    "check": 7,
    "fit": 7,
    "planar": 7,
    "dynamics": 8,
    "deform": 8,
    "distributed": 9,
    "io": 9,
}

# Third-party headers, by the folders that may include them (also in apps; nowhere else in the library).
THIRD_PARTY = {
    "tbb/": {"core"},
    "Eigen/": {"math"},
    "nlohmann/": {"io"},
    "fmt/": {"io"},
    "assimp/": {"io"},
    "mpi.h": {"distributed"},
    "zoltan": {"distributed"},
}

# Not in the standard library of the WebAssembly compiler: kept out of everything below the top floor.
NOT_PORTABLE = {"<format>", "<ranges>", "<source_location>", "<memory_resource>", "<stop_token>"}
TOP_FLOOR = max(FLOORS.values())

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<][^">]+[">])', re.MULTILINE)


def check_file(path: Path) -> list[str]:
    """Complaints about one source file of the library."""
    folder = path.relative_to(ROOT / "tactus").parts[0]
    text = path.read_text(encoding="utf-8")
    if folder not in FLOORS:
        return [f"folder tactus/{folder} has no floor"]
    complaints = []
    if path.suffix == ".hpp" and "#pragma once" not in text:
        complaints.append("header without #pragma once")
    for match in INCLUDE.finditer(text):
        include = match.group(1)
        line = text.count("\n", 0, match.start(1)) + 1
        name = include[1:-1]
        if include[0] == '"':
            complaint = check_own(folder, name)
        elif include in NOT_PORTABLE and FLOORS[folder] < TOP_FLOOR:
            complaint = "does not compile to WebAssembly"
        else:
            owners = next((who for prefix, who in THIRD_PARTY.items() if name.startswith(prefix)), {folder})
            complaint = "" if folder in owners else f"only for {', '.join(sorted(owners))}"
        if complaint:
            complaints.append(f"line {line}: {include}: {complaint}")
    return complaints


def check_own(folder: str, name: str) -> str:
    """What is wrong with the include of `name`, a file of this repository, from `folder`; empty when nothing."""
    parts = name.split("/")
    if parts[0] != "tactus" or len(parts) < 3:
        return "write the path from the repository root"
    if not (ROOT / name).exists():
        return "" if name.endswith(".inc") else "no such file"
    other = parts[1]
    if other == folder:
        return ""
    if other not in FLOORS:
        return f"folder {other} has no floor"
    if FLOORS[other] >= FLOORS[folder]:
        return f"{folder} (floor {FLOORS[folder]}) must not include {other} (floor {FLOORS[other]})"
    return ""


def main() -> int:
    files = sorted(p for p in (ROOT / "tactus").rglob("*") if p.suffix in {".hpp", ".cpp"})
    complaints = [f"{p.relative_to(ROOT)}: {c}" for p in files for c in check_file(p)]
    for complaint in complaints:
        print(complaint)
    print(f"layers: {len(files)} files, {len(complaints)} complaints")
    return 1 if complaints or not files else 0


if __name__ == "__main__":
    sys.exit(main())
