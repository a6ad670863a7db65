#!/usr/bin/env python3
"""Writes the docstrings of the public headers where the Python module finds them.

    docstrings.py OUT HEADER...    writes OUT, a C++ header with `doc(name)`

Names are as a C++ program writes them within `tactus`: `distance`, `World::step`, `fit::decompose`. Of overloads the first one that is documented
serves. `///` lines become text; code blocks are left out, since they are C++.
"""

import re
import sys
from pathlib import Path

DECLARED = re.compile(r"(?:class|struct|enum class)\s+(?:\[\[[^\]]*\]\]\s*)?(\w+)|([A-Za-z_]\w*)\s*\(")
SCOPE = re.compile(r"^(namespace|class|struct|enum class)\s+([\w:]+)?[^;]*\{$")


def documented(header: Path) -> dict[str, str]:
    """Text by name."""
    found: dict[str, str] = {}
    scopes: list[str] = []
    text: list[str] = []
    code = False
    for line in header.read_text(encoding="utf-8").splitlines():
        bare = line.strip()
        if bare.startswith("///") and not bare.startswith("///<"):
            words = bare[3:].strip()
            code = (code or words.startswith("@code")) and words != "@endcode"
            if not code and words != "@endcode":
                text.append(words)
            continue
        if bare.startswith(("template", "requires", "[[", "//")):
            continue
        name = DECLARED.search(bare)
        if text and name:
            path = [s for s in scopes if s not in ("", "tactus")] + [name[1] or name[2]]
            found.setdefault("::".join(path), "\n".join(text).strip())
        text = []
        opened = SCOPE.match(bare)
        for brace in re.sub(r'"[^"]*"|//.*', "", bare):
            if brace == "{":
                scopes.append((opened[2] or "").removeprefix("tactus::") if opened else "")
                opened = None
            elif brace == "}" and scopes:
                scopes.pop()
    return found


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    names: dict[str, str] = {}
    for header in sys.argv[2:]:
        for name, text in documented(Path(header)).items():
            names.setdefault(name, text)
    rows = "".join(f'    {{"{name}", R"doc({text})doc"}},\n' for name, text in sorted(names.items()))
    Path(sys.argv[1]).write_text(
        "// Made by bindings/python/docstrings.py of the public headers.\n#pragma once\n\n#include <algorithm>\n#include <iterator>\n"
        "#include <stdexcept>\n#include <string>\n#include <string_view>\n\nnamespace tactus::python {\n\n"
        "struct Docstring {\n  std::string_view name;\n  const char* text;\n};\n"
        f"inline constexpr Docstring kDocstrings[] = {{\n{rows}}};\n\n"
        "/// The docstring of a name of the public headers; null where it has none.\n"
        "inline const char* find_doc(std::string_view name) {\n"
        "  const auto* const end = std::end(kDocstrings);\n"
        "  const auto* const at = std::lower_bound(std::begin(kDocstrings), end, name, [](const Docstring& d, std::string_view n) { return d.name < n; });\n"
        "  return at != end && at->name == name ? at->text : nullptr;\n}\n"
        "/// There must be one.\n"
        "inline const char* doc(std::string_view name) {\n"
        "  const char* const text = find_doc(name);\n"
        "  if (text == nullptr) throw std::logic_error(\"no docstring of \" + std::string(name));\n"
        "  return text;\n}\n\n}  // namespace tactus::python\n",
        encoding="utf-8",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
