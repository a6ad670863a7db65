#!/usr/bin/env python3
"""Writes what the Python module takes from the public headers as they are: docstrings, plain structures, enumerations.

    generate.py FOLDER HEADER...    writes docstrings.hpp and values_*.cpp into FOLDER

Names are as a C++ program writes them within `tactus`: `distance`, `World::step`, `fit::decompose`. Of overloads the first one that is documented
serves. Code blocks are left out of the text, since they are C++.
"""

import sys
from pathlib import Path

import headers

# Types that are numpy arrays in Python.
ARRAYS = {"Vec3", "Quat", "Mat3", "planar::Vec2"}
# Structures with fields that refer to others: written by hand.
BY_HAND = {"BatchOptions", "FoundContact", "Mat3", "io::RobotReadOptions"}
# Fields that Python has in another way, or not at all (bindings/python/tests/names.toml says why).
LEFT_OUT = {"fit::DecomposeOptions::cancel", "ccd::SurfaceCcdOptions::cancel", "io::MeshReadOptions::warnings", "PathOptions::claims",
            "io::SummaryColumn::value", "io::DeformableColumn::value"}
DOCSTRINGS = """// Made by bindings/python/generate.py of the public headers.
#include "docstrings.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

namespace tactus::python {
namespace {

struct Docstring {
  std::string_view name;
  const char* text;
};
constexpr Docstring kDocstrings[] = {
ROWS};

}  // namespace

const char* find_doc(std::string_view name) {
  const auto* const end = std::end(kDocstrings);
  const auto* const at = std::lower_bound(std::begin(kDocstrings), end, name, [](const Docstring& d, std::string_view n) { return d.name < n; });
  return at != end && at->name == name ? at->text : nullptr;
}

const char* doc(std::string_view name) {
  const char* const text = find_doc(name);
  if (text == nullptr) throw std::logic_error("no docstring of " + std::string(name));
  return text;
}

}  // namespace tactus::python
"""


def quoted(text: str) -> str:
    return f'R"doc({text})doc"'


def scope_of(name: str, types: set[str]) -> str:
    """The Python object that holds a name: a module, or the type that it is nested in."""
    outer = name.rpartition("::")[0]
    if outer in types:
        return f"py::type::of<tactus::{outer}>()"
    return f'm.attr("{outer}")' if outer else "m"


def structure(found: headers.Declared, types: set[str]) -> tuple[str, str]:
    """The table of fields, and the call that makes the class."""
    short = found.name.rpartition("::")[2]
    fields = [m for m in found.members if f"{found.name}::{m.name}" not in LEFT_OUT and not m.type.endswith("&")]
    rows = "".join(f"      TACTUS_FIELD(tactus::{found.name}, {m.name}, {quoted(m.doc)}),\n" for m in fields)
    table = f"template <>\nstruct Fields<tactus::{found.name}> {{\n  static constexpr Field list[] = {{\n{rows}  }};\n}};\n" if fields else ""
    base = f", tactus::{found.base}" if found.base else ""
    if found.base and "::" in found.name:
        base = f", tactus::{found.name.rpartition('::')[0]}::{found.base}"
    call = f'  add_value<tactus::{found.name}{base}>({scope_of(found.name, types)}, "{short}", {quoted(found.doc)});\n'
    return table, call


def enumeration(found: headers.Declared, types: set[str]) -> str:
    short = found.name.rpartition("::")[2]
    rows = "".join(f'      {{"{v.name}", tactus::{found.name}::{v.name}, {quoted(v.doc)}}},\n' for v in found.members)
    return f'  add_enum<tactus::{found.name}>({scope_of(found.name, types)}, "{short}", {quoted(found.doc)}, {{\n{rows}  }});\n'


def values(part: str, found: list[headers.Declared], types: set[str], include: str) -> str:
    """A source that adds the structures and enumerations of some headers."""
    tables, enums, calls = "", "", ""
    for one in found:
        if one.kind == "enum" and one.name.rpartition("::")[0] not in types:
            enums += enumeration(one, types)
        elif one.kind == "enum":
            calls += enumeration(one, types)
        elif one.kind == "struct" and one.name not in ARRAYS | BY_HAND:
            table, call = structure(one, types)
            tables += table
            calls += call
    return (f'// Made by bindings/python/generate.py of the public headers.\n#include "fields.hpp"\n{include}\n'
            f"namespace tactus::python {{\n{tables}\nvoid add_{part}_values(py::module_& m) {{\n{enums}{calls}}}\n\n}}  // namespace tactus::python\n")


def write(file: Path, text: str) -> None:
    """Only where it changes, so that nothing is compiled anew in vain."""
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def in_order(files: list[Path]) -> list[Path]:
    """Headers after those that they include: a structure comes after its base."""
    placed: list[Path] = []
    def place(file: Path) -> None:
        if file in placed:
            return
        for other in files:
            if other != file and f'#include "tactus/{other.name}"' in file.read_text(encoding="utf-8"):
                place(other)
        placed.append(file)
    for file in files:
        place(file)
    return placed


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    folder = Path(sys.argv[1])
    declared = {header.stem: headers.read(header) for header in in_order([Path(name) for name in sys.argv[2:]])}
    every = [d for found in declared.values() for d in found]
    types = {d.name for d in every if d.kind in ("struct", "class")}
    texts: dict[str, str] = {}
    for one in every:
        if one.doc:
            texts.setdefault(one.name, one.doc)
    rows = "".join(f'    {{"{name}", {quoted(text)}}},\n' for name, text in sorted(texts.items()))
    write(folder / "docstrings.cpp", DOCSTRINGS.replace("ROWS", rows))
    parts = {"planar": ["planar", "ccd", "fit", "classic"], "deform": ["deform"], "io": ["robot_files", "io"]}
    placed = {stem for stems in parts.values() for stem in stems}
    parts["core"] = [stem for stem in declared if stem not in placed]
    for part, stems in parts.items():
        include = {"io": '#include "tactus/io.hpp"\n', "planar": '#include "tactus/classic.hpp"\n'}.get(part, "")
        write(folder / f"values_{part}.cpp", values(part, [d for stem in stems for d in declared[stem]], types, include))
    return 0


if __name__ == "__main__":
    sys.exit(main())
