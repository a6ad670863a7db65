#!/usr/bin/env python3
"""The pages of docs/results beside the experiments that write them.

  tools/check_results.py           complaints about pages that do not say machine, date and commit
  tools/check_results.py PROGRAM   runs the small form of every experiment, and compares the titles, columns, rows and bars
                                   that it prints with those of its page

Figures may differ, columns may not: a page whose experiment has another table, row name or bar is stale.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "results"
HEAD = re.compile(r"on 20\d\d-\d\d-\d\d, .*, commit [0-9a-f]{7,40}(-dirty)?\b")
# Tables that are made of other files.
WITHOUT_HEAD = {"sources.md"}
# Arguments of the small form.
SMALL = {
    "blackbox": "",
    "detection-distance": "",
    "stopping": "--pairs 30",
    "table10": "--pairs 20",
    "bruteforce": "--pairs 60",
    "bruteforce-world": "--steps 20",
    "pile": "--bodies 12",
    "methods": "--pairs 2",
    "lennerz": "--pairs 1",
    "mesh-bruteforce": "--pairs 10",
    "impact": "--pairs 50",
    "cast-tolerance": "--pairs 20",
    "flicker": "--stacks 20",
    "ccd": "--pairs 4096",
    "planar": "--pairs 20",
    "planar-oracle": "--pairs 8",
    "tracing": "--pairs 1",
    "knoblauch": "--steps 3",
    "physics": "--pairs 1",
    "gas": "--pairs 200",
    "grains": "--pairs 40",
    "ranks": "--bodies 40",
    "path-sampling": "--pairs 30",
    "hull": "--pairs 2000",
    "boxes": "--pairs 2000",
    "decomposition": "",
}
# The rows of these depend on the meshes or the number of pairs that are given.
FREE_ROWS = {"boxes", "decomposition", "hull", "stopping"}


def normal(text: str) -> str:
    """Without repeated spaces, and without the number of cases that a name may begin with."""
    return re.sub(r"^\d+ (?=[a-z])", "N ", " ".join(text.split()))


def names_of(page: Path) -> list[str]:
    return [normal(line) for line in page.read_text(encoding="utf-8").splitlines()]


def compare(name: str, report: dict, page: Path) -> list[str]:
    lines, complaints = names_of(page), []
    shown = set(lines)
    for table in report["tables"]:
        if table["title"] and normal(table["title"]) not in shown:
            complaints.append(f"has no table `{table['title']}`")
        if normal(" ".join(table["head"])) not in shown:
            complaints.append(f"has no columns `{', '.join(table['head'])}`")
        for row in table["rows"] if name not in FREE_ROWS else []:
            first = normal(str(row[0]))
            if isinstance(row[0], str) and first and not any(line.startswith(first) for line in lines):
                complaints.append(f"has no row `{first}`")
    for bar in report["bars"]:
        if not any(line.startswith(normal(bar["name"]) + ":") for line in lines):
            complaints.append(f"has no bar `{bar['name']}`")
    known = [normal(bar["name"]) + ":" for bar in report["bars"]]
    for line in lines:
        if re.search(r", bound [-0-9.e+]+: (pass|FAIL)$", line) and not any(line.startswith(bar) for bar in known):
            complaints.append(f"shows a bar that there is no more: {line}")
    return complaints


def check_experiment(name: str, program: Path) -> list[str]:
    page = PAGES / f"{name}.md"
    if not page.exists():
        return [f"{name}: has no page"]
    with tempfile.TemporaryDirectory() as folder:
        command = [str(program), "lab", name, "--json", "--threads", "1", *SMALL[name].split()]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, "LC_ALL": "C"})
    # The verdict of a small form is the experiments' own tests' business.
    if done.returncode not in (0, 1) or not done.stdout.startswith("{"):
        return [f"{name}: `{' '.join(command[1:])}` exits with {done.returncode}: {done.stderr[-300:]}"]
    return [f"docs/results/{page.name}: {complaint}" for complaint in compare(name, json.loads(done.stdout), page)]


def main() -> int:
    if len(sys.argv) > 1:
        program = Path(sys.argv[1]).resolve()
        listed = subprocess.run([program, "lab"], capture_output=True, text=True, check=True).stdout
        names = [line.split()[0] for line in listed.splitlines() if line.strip()]
        complaints = [f"{name}: no small form is known" for name in names if name not in SMALL]
        with ThreadPoolExecutor(2) as pool:
            for found in pool.map(lambda name: check_experiment(name, program), [n for n in names if n in SMALL]):
                complaints += found
    else:
        pages = [page for page in sorted(PAGES.glob("*.md")) if page.name not in WITHOUT_HEAD]
        complaints = [
            f"docs/results/{page.name}: does not say on which machine, when and from which commit it was made"
            for page in pages
            if not HEAD.search("\n".join(page.read_text(encoding="utf-8").splitlines()[:8]))
        ]
        names = pages
    for complaint in complaints:
        print(complaint)
    print(f"results: {len(names)} pages, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
