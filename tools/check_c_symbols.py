#!/usr/bin/env python3
"""Proves that the library of the C interface defines the functions of include/tactus/*.h: a shared one exports these and
nothing else, a static one has no other by a name that begins with tactus_.

    tools/check_c_symbols.py LIBRARY
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DECLARATION = re.compile(r"^TACTUS_API [^;(]*?\b(\w+)\(", re.MULTILINE)


def symbols(library: Path) -> set[str]:
    """Names that the library defines for others."""
    shared = ".so" in library.name
    out = subprocess.run(["nm", "--defined-only", "--extern-only", *(["--dynamic"] if shared else []), str(library)],
                         capture_output=True, text=True, check=True).stdout
    names = {words[2] for line in out.splitlines() if len(words := line.split()) == 3}
    return names if shared else {name for name in names if name.startswith("tactus_")}


def main() -> int:
    declared = {name for header in (ROOT / "include/tactus").glob("*.h") for name in DECLARATION.findall(header.read_text(encoding="utf-8"))}
    defined = symbols(Path(sys.argv[1]))
    complaints = [f"{name}: declared, and not defined" for name in sorted(declared - defined)]
    complaints += [f"{name}: defined, and not declared" for name in sorted(defined - declared)]
    print("\n".join([*complaints, f"C symbols: {len(declared)} functions, {len(complaints)} complaints"]))
    return 1 if complaints or not declared else 0


if __name__ == "__main__":
    sys.exit(main())
