"""Names that C++ sources of this project declare for themselves alone, read from the text: for tools that put several
sources into one (tools/tidy, tools/unity)."""

import re
from pathlib import Path

# A name that a line without indentation declares: behind a keyword, or before `(`, `=`, `{`, `[` or `;`.
TYPE = re.compile(r"^(?:(?:struct|class|union|enum class|enum)\s+(\w+)|using\s+(\w+) =)")
OTHER_NAME = re.compile(r"^(?:template.*>\s*)?[A-Za-z_][\w:<>,&*\s]*?[\s&*](?:\w+::)*(\w+)\s*[({=\[;]")
# Constants stand several on a line.
CONSTANT = re.compile(r"\b(k[A-Z]\w*)(?:\[\w*\])*\s*=")
TEST = re.compile(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)")


def type_of(line: str) -> set[str]:
    """The type that a line without indentation declares."""
    match = TYPE.match(line)
    return {match.group(1) or match.group(2)} if match else set()


def declared(line: str) -> set[str]:
    """The name that a line without indentation declares."""
    match = OTHER_NAME.match(line)
    return type_of(line) or ({match.group(1)} if match and not line.startswith("using ") else set())


def local_names(lines: list[str]) -> set[str]:
    """Names that a file declares for itself alone: in unnamed namespaces, or static; and its tests."""
    names = set()
    unnamed = False
    for line in lines:
        test = TEST.match(line)
        if line in ("namespace {", "}  // namespace"):
            unnamed = line == "namespace {"
        elif test:
            names.add(f"{test.group(1)}.{test.group(2)}")
        elif unnamed or line.startswith("static "):
            names |= declared(line)
            if line.startswith("const"):
                names |= set(CONSTANT.findall(line))
    return names


def public_names(folders: list[Path]) -> set[str]:
    """Types and constants that the headers of the folders declare."""
    lines = (line for folder in folders for header in folder.rglob("*.hpp")
             for line in header.read_text(encoding="utf-8").splitlines())
    return {name for line in lines for name in
            type_of(line) | set(CONSTANT.findall(line) if line.startswith(("inline const", "const")) else ())}
