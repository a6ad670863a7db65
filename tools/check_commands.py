#!/usr/bin/env python3
"""Runs the commands that the pages of docs/guide/commands show, and compares what they print.

  tools/check_commands.py PROGRAM           complaints about every difference
  tools/check_commands.py PROGRAM --write   puts what the commands print into the pages

A block ```console holds commands, lines that begin with `$ `, each followed by what it prints, errors too. A page's
commands run in one new folder, in the order of the page. In what a page shows, a line `...` stands for any lines. In
lines that match the pattern of a comment `<!-- numbers vary: PATTERN -->` of the page, times mostly, numbers may differ.
`--write` keeps lines that still fit.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "guide" / "commands"
BLOCK = re.compile(r"(^```console\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)
VARY = re.compile(r"<!-- numbers vary: (.*) -->")
NUMBER = re.compile(r" *-?\d+(\.\d+)?(e[-+]?\d+)?")


def run(command: str, folder: str, program: Path) -> list[str]:
    """The lines that a command prints, its errors among them."""
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "LC_ALL": "C"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120
    )
    return done.stdout.decode(errors="replace").rstrip("\n").split("\n") if done.stdout else []


def fits(shown: str, printed: str, varying: re.Pattern | None) -> bool:
    if varying is not None and varying.search(shown):
        return NUMBER.sub(" N", shown) == NUMBER.sub(" N", printed)
    return shown == printed


def same(shown: list[str], printed: list[str], varying: re.Pattern | None) -> bool:
    """Do the lines of a page stand for those that were printed?"""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(same(shown[1:], printed[k:], varying) for k in range(len(printed) + 1))
    return bool(printed) and fits(shown[0], printed[0], varying) and same(shown[1:], printed[1:], varying)


def check_block(text: str, folder: str, program: Path, place: str, varying, complaints: list[str]) -> str:
    """The block with what its commands print now."""
    lines, k = text.rstrip("\n").split("\n"), 0
    out = []
    while k < len(lines):
        if not lines[k].startswith("$ "):
            complaints.append(f"{place}: a line before the first command: {lines[k]}")
            return text
        command, k = lines[k][2:], k + 1
        shown = []
        while k < len(lines) and not lines[k].startswith("$ "):
            shown.append(lines[k])
            k += 1
        printed = run(command, folder, program)
        out.append("$ " + command)
        if same(shown, printed, varying):
            out += shown
            continue
        complaints.append(f"{place}: $ {command}\n  shown:\n    " + "\n    ".join(shown) + "\n  printed:\n    " + "\n    ".join(printed))
        out += printed
    return "\n".join(out) + "\n"


def main() -> int:
    program, write = Path(sys.argv[1]).resolve(), "--write" in sys.argv
    complaints, commands = [], 0
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        name = str(page.relative_to(ROOT))
        pattern = VARY.search(text)
        varying = re.compile(pattern[1]) if pattern else None
        with tempfile.TemporaryDirectory() as folder:
            new = BLOCK.sub(lambda m: m[1] + check_block(m[2], folder, program, name, varying, complaints) + m[3], text)
        commands += len(re.findall(r"^\$ ", text, re.MULTILINE))
        if write and new != text:
            page.write_text(new, encoding="utf-8")
    # Every subcommand has its page.
    listed = subprocess.run([program, "--help"], capture_output=True, text=True, check=False).stdout
    for name in re.findall(r"^  ([a-z]+) {2,}\S", listed[listed.find("Subcommands:") :], re.MULTILINE):
        if not (PAGES / f"{name}.md").exists():
            complaints.append(f"docs/guide/commands: no page {name}.md")
    for complaint in complaints:
        print(complaint)
    print(f"commands: {commands} run, {len(complaints)} complaints")
    return 1 if complaints and not write else 0


if __name__ == "__main__":
    sys.exit(main())
