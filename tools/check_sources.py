#!/usr/bin/env python3
"""Proves that every paper named behind `Source:` in a comment stands in docs/papers.bib, and every page in docs/."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("tactus", "apps", "fuzz", "lab", "tests", "bench", "examples", "docs", "player")
SUFFIXES = {".hpp", ".cpp", ".mjs", ".js", ".ts"}

ENTRY = re.compile(r"^@\w+\{([^,\s]+),", re.MULTILINE)
SOURCE = re.compile(r"Source:((?:.*)(?:\n\s*//[/!]? (?!\w+:).+)*)")
KEY = re.compile(r"\b[a-z]+(?:18|19|20)\d\d[a-z]*\b")
PAGE = re.compile(r"\bdocs/[\w./-]+\.md\b")


def check_file(path: Path, known: set[str]) -> list[str]:
    """Complaints about the `Source:` notes of one file."""
    text = path.read_text(encoding="utf-8")
    complaints = []
    for note in SOURCE.finditer(text):
        where = f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, note.start()) + 1}"
        keys = set(KEY.findall(note.group(1)))
        pages = PAGE.findall(note.group(1))
        complaints += [f"{where}: {key} is not in docs/papers.bib" for key in sorted(keys - known)]
        complaints += [f"{where}: {page} does not exist" for page in pages if not (ROOT / page).exists()]
        if not keys and not pages:
            complaints.append(f"{where}: names neither a key of docs/papers.bib nor a page of docs/")
    return complaints


def main() -> int:
    keys = ENTRY.findall((ROOT / "docs/papers.bib").read_text(encoding="utf-8"))
    complaints = [f"docs/papers.bib: {key} twice" for key in sorted(set(keys)) if keys.count(key) > 1]
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES and "node_modules" not in path.parts:
                complaints += check_file(path, set(keys))
    for complaint in complaints:
        print(complaint)
    print(f"sources: {len(keys)} papers, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
