#!/usr/bin/env python3
"""Proves of every page that its C++ blocks are lines of a compiled file in examples/, and that its links lead somewhere."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

BLOCK = re.compile(r"^```cpp\n(.*?)^```", re.MULTILINE | re.DOTALL)
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
            complaints.append(f"{page.relative_to(ROOT)}:{line}: C++ block is in no file of examples/")
    for match in LINK.finditer(text):
        target = match.group(1) or match.group(2)
        if "://" not in target and not target.startswith("mailto:") and not (page.parent / target).exists():
            complaints.append(f"{page.relative_to(ROOT)}: {target} does not exist")
    return complaints


def main() -> int:
    pages = sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))
    examples = [normal(p.read_text(encoding="utf-8")) for p in sorted((ROOT / "examples").glob("*.cpp"))]
    complaints = [complaint for page in pages for complaint in check_page(page, examples)]
    for complaint in complaints:
        print(complaint)
    print(f"docs: {len(pages)} pages, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
