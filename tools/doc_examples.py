#!/usr/bin/env python3
"""Makes a program of the examples in the docstrings of the public headers.

    tools/doc_examples.py            prints the program
    tools/doc_examples.py FILE       writes it

An example stands between `/// @code{.cpp}` and `/// @endcode`. It sees the whole public face and the namespace `tactus`, and says by `assert` what comes
out. Each runs in a function of its own; a header without one is a complaint.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "tactus"
NO_CALL = {"tactus"}  # includes the others
BLOCK = re.compile(r"^[ ]*/// @code\{\.cpp\}\n(.*?)^[ ]*/// @endcode$", re.MULTILINE | re.DOTALL)

START = """// Made by tools/doc_examples.py of the docstrings in include/tactus.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

{includes}

#undef assert
#define assert(holds) ((holds) ? (void)0 : fail(#holds, __FILE__, __LINE__))

using namespace tactus;

namespace {{

[[noreturn]] void fail(const char* claim, const char* file, int line) {{
  std::fprintf(stderr, "%s:%d: not so: %s\\n", file, line, claim);
  std::exit(1);
}}
"""


def examples(header: Path) -> list[tuple[int, str]]:
    """Line and code of each."""
    text = header.read_text(encoding="utf-8")
    return [(text.count("\n", 0, m.start(1)) + 1, re.sub(r"^[ ]*/// ?", "", m[1], flags=re.MULTILINE)) for m in BLOCK.finditer(text)]


def program() -> tuple[str, list[str]]:
    """The program, and complaints."""
    headers = sorted(HEADERS.glob("*.hpp"))
    includes = "\n".join(f'#include "tactus/{h.name}"' for h in headers)
    parts, calls, complaints = [START.format(includes=includes)], [], []
    for header in headers:
        found = examples(header)
        if not found and header.stem not in NO_CALL:
            complaints.append(f"include/tactus/{header.name}: no example of its main call")
        for number, (line, code) in enumerate(found):
            name = f"{header.stem}_{number}"
            body = "".join(f"  {text}\n" if text else "\n" for text in code.splitlines())
            parts.append(f'\n#line {line} "include/tactus/{header.name}"\nvoid {name}() {{\n{body}}}\n')
            calls.append(f"  {name}();\n")
    parts.append("\n}  // namespace\n\nint main() {\n" + "".join(calls) + f'  std::puts("{len(calls)} examples");\n}}\n')
    return "".join(parts), complaints


def main() -> int:
    if len(sys.argv) > 2 or sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    text, complaints = program()
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    if len(sys.argv) == 2:
        Path(sys.argv[1]).write_text(text, encoding="utf-8")
    else:
        print(text)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
