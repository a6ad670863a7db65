#!/usr/bin/env python3
"""The table of all rows that the sources ask for: docs/results/sources.tsv, and the page that is made of it.

  tools/check_rows.py            complaints about the table: rows, states, files and pages it names, the page itself
  tools/check_rows.py --write    writes docs/results/sources.md
  tools/check_rows.py PROGRAM    runs every command and every query line that the table names

Columns: nr, source, place, asks, state (done, partly, missing), here, figures. `here` holds parts between ` ; `:
`$ tactus ...`, or `$ ...; tactus ...`, a command that must exit with 0 or end with a verdict, `q:ID` a line of docs/results/sources.jsonl (`tactus query --check`),
`p:ID` one of docs/results/sources-planar.jsonl (`tactus planar query --check`), else a file or folder.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "results"
TABLE, PAGE = FOLDER / "sources.tsv", FOLDER / "sources.md"
LINES = {"q": FOLDER / "sources.jsonl", "p": FOLDER / "sources-planar.jsonl"}
ASKERS = {"q": "query", "p": "planar query"}
HEAD = ["nr", "source", "place", "asks", "state", "here", "figures"]
ROWS = 339
STATES = {"done": "done", "partly": "partly", "missing": "no"}
SOURCES = {
    "L": "leemann2017: convex bodies",
    "V": "advancedgamesphysics: contours in the plane",
    "H": "huotari2011: volumes, convex tests, motion",
    "K": "knoblauch2005: continuous, deformable",
    "I": "lennerz2002: impulses and hierarchies",
}
LACKING = re.compile(r"\b[Nn]ot yet: |\bworth nothing: ")
NOT_YET = re.compile(r"^(not yet|worth nothing)\b")


def read_rows() -> list[dict]:
    head, *lines = TABLE.read_text(encoding="utf-8").rstrip("\n").split("\n")
    assert head.split("\t") == HEAD, f"{TABLE.name}: the head is not {HEAD}"
    return [dict(zip(HEAD, line.split("\t"), strict=True)) for line in lines]


def parts_of(row: dict) -> list[str]:
    return [part for part in row["here"].split(" ; ") if part]


def kind_of(part: str) -> str:
    """`$`, `q`, `p` or, of a file, an empty text."""
    return part[0] if part[:2] in ("$ ", "q:", "p:") else ""


def shown(part: str) -> str:
    kind = kind_of(part)
    if kind == "$":
        return f"`{part[2:]}`"
    if kind:
        return f"line `{part[2:]}` of [{LINES[kind].name}]({LINES[kind].name})"
    return f"[{part}]({os.path.relpath(ROOT / part, FOLDER)})"


def page_of(rows: list[dict]) -> str:
    def count(source: str | None, state: str) -> int:
        return sum(row["state"] == state and source in (None, row["source"]) for row in rows)

    text = (
        "# The sources, row by row\n\n"
        "Every requirement, figure and demonstration of the five sources, one row each: what it asks, whether it is here, the command or file that shows it, and "
        "our figure beside the source's or the reason why there is none.\n"
        "Made by `tools/check_rows.py --write` from [sources.tsv](sources.tsv); the tests run every command and query line that is named.\n\n"
        "| source | rows | done | partly | no |\n|---|---|---|---|---|\n"
    )
    for source, name in [*SOURCES.items(), (None, "all")]:
        counts = [count(source, state) for state in STATES]
        text += f"| {name} | {sum(counts)} | {' | '.join(map(str, counts))} |\n"
    for source, name in SOURCES.items():
        text += f"\n## {name}\n\n| | place | asks | | here | figures, or why not |\n|---|---|---|---|---|---|\n"
        for row in rows:
            if row["source"] == source:
                here = "; ".join(shown(part) for part in parts_of(row))
                cells = [row["nr"], row["place"], row["asks"], STATES[row["state"]], here, row["figures"]]
                text += f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"
    return text


def ids_of(kind: str) -> list[str]:
    return [json.loads(line)["id"] for line in LINES[kind].read_text(encoding="utf-8").splitlines() if line.strip()]


def complaints_of(rows: list[dict]) -> list[str]:
    complaints = []
    if [row["nr"] for row in rows] != [str(k + 1) for k in range(ROWS)]:
        complaints.append(f"the rows are not 1 to {ROWS}, each once")
    ids = {kind: ids_of(kind) for kind in LINES}
    used = {kind: set() for kind in LINES}
    for row in rows:
        where = f"row {row['nr']}"
        if row["state"] not in STATES or row["source"] not in SOURCES:
            complaints.append(f"{where}: no such state or source")
        if not row["asks"] or not row["place"]:
            complaints.append(f"{where}: an empty cell")
        if row["state"] == "done" and not row["here"]:
            complaints.append(f"{where}: done, but nothing shows it")
        if row["state"] == "partly" and not LACKING.search(row["figures"]):
            complaints.append(f"{where}: partly, but it says of nothing that it is `not yet` there or `worth nothing: ...`")
        if row["state"] == "missing" and not NOT_YET.match(row["figures"]):
            complaints.append(f"{where}: missing, but it says neither `not yet` nor `worth nothing`")
        for part in parts_of(row):
            kind = kind_of(part)
            if kind in LINES:
                used[kind].add(part[2:])
                if part[2:] not in ids[kind]:
                    complaints.append(f"{where}: {LINES[kind].name} has no line {part[2:]}")
            elif kind == "$" and not re.search(r"(^\$|;) tactus ", part):
                complaints.append(f"{where}: {part} is no command of the program")
            elif not kind and not (ROOT / part).exists():
                complaints.append(f"{where}: {part} does not exist")
    for kind, names in ids.items():
        complaints += [f"{LINES[kind].name}: {name} twice" for name in sorted(set(names)) if names.count(name) > 1]
        complaints += [f"{LINES[kind].name}: no row names {name}" for name in sorted(set(names) - used[kind])]
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page_of(rows):
        complaints.append(f"{PAGE.name} is not what {TABLE.name} makes: tools/check_rows.py --write")
    return complaints


def run_all(rows: list[dict], program: Path) -> list[str]:
    """Complaints about commands that fail, and lines that are answered wrongly."""
    commands = {part[2:]: row["nr"] for row in reversed(rows) for part in parts_of(row) if kind_of(part) == "$"}
    for kind, asker in ASKERS.items():
        commands[f"tactus {asker} --check {LINES[kind].relative_to(ROOT)}"] = f"of {LINES[kind].name}"
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "LC_ALL": "C"}
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("scenes", "docs"):
            (Path(folder) / name).symlink_to(ROOT / name)
        for command, nr in sorted(commands.items()):
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, timeout=900, check=False)
            # The verdict of a small form hangs on its size and on the machine; the experiments' own tests see to it.
            verdict = command.startswith("tactus lab ") and b"\nverdict: " in done.stdout
            if done.returncode != 0 and not (done.returncode == 1 and verdict):
                tail = (done.stdout + done.stderr).decode(errors="replace")[-800:]
                complaints.append(f"row {nr}: `{command}` exits with {done.returncode}\n{tail}")
    print(f"rows: {len(commands)} commands run")
    return complaints


def main() -> int:
    rows = read_rows()
    if "--write" in sys.argv:
        PAGE.write_text(page_of(rows), encoding="utf-8")
        return 0
    complaints = run_all(rows, Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else complaints_of(rows)
    for complaint in complaints:
        print(complaint)
    print(f"rows: {len(rows)} rows, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
