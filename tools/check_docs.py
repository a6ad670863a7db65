#!/usr/bin/env python3
"""Proves of every page that its C and C++ blocks are lines of a compiled file in examples/, and that its links lead somewhere;
and of every public header that an example includes it, and of every example that it includes nothing else of ours."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

BLOCK = re.compile(r"^```(?:c|cpp)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s#]+)(?:#[^)]*)?\)|<img[^>]*\bsrc=\"([^\"]+)\"")


def normal(code: str) -> str:
    """Code without indentation and empty lines."""
    return "\n".join(line.strip() for line in code.splitlines() if line.strip()) + "\n"


def check_page(page: Path, examples: list[str]) -> list[str]:
    """Complaints about one page."""
    text = page.read_text(encoding="utf-8")
    complaints = []
    for block in BLOCK.finditer(text):
        if not any(normal(block.group(1)) in example for example in examples):
            line = text.count("\n", 0, block.start()) + 1
            complaints.append(f"{page.relative_to(ROOT)}:{line}: block is in no file of examples/")
    for match in LINK.finditer(text):
        target = match.group(1) or match.group(2)
        if "://" not in target and not target.startswith("mailto:") and not (page.parent / target).exists():
            complaints.append(f"{page.relative_to(ROOT)}: {target} does not exist")
    return complaints


def check_examples(examples: list[Path]) -> list[str]:
    """Complaints about what the examples include."""
    public = {f"tactus/{p.name}" for p in (ROOT / "include/tactus").glob("*.h*")}
    shown = set()
    complaints = []
    for example in examples:
        for include in INCLUDE.findall(example.read_text(encoding="utf-8")):
            shown.add(include)
            if include not in public:
                complaints.append(f"{example.relative_to(ROOT)}: {include} is no public header")
    # The umbrella, and what others include for their users.
    return complaints + [f"{header}: no example includes it" for header in sorted(public - shown - {"tactus/tactus.hpp"})]


def main() -> int:
    pages = sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))
    programs = sorted([*(ROOT / "examples").glob("*.cpp"), *(ROOT / "examples/c").glob("*.c")])
    examples = [normal(p.read_text(encoding="utf-8")) for p in programs]
    complaints = check_examples(programs) + [complaint for page in pages for complaint in check_page(page, examples)]
    for complaint in complaints:
        print(complaint)
    print(f"docs: {len(pages)} pages, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
