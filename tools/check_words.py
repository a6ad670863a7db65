#!/usr/bin/env python3
"""Holds sources and pages to the words of docs/vocabulary.toml, and makes the glossary of them.

    tools/check_words.py [FOLDER...]   complaints; of the sources in the folders alone, if any are named
    tools/check_words.py --glossary    writes docs/guide/glossary.md

Complaints are about
  comments that begin with a word that leaves out its noun ("Of a line 1/2" of what?),
  private names where the field has one,
  files that a comment or a page names and that do not exist,
  a constant of a header whose name has another value elsewhere: names of one file alone are its own,
  a glossary that is not what the vocabulary says.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = ROOT / "docs/guide/glossary.md"
SOURCES = ("include", "tactus", "apps", "lab", "fuzz", "bindings", "examples", "bench", "tests", "player", "playground")
# What opens a comment of one line or of several.
COMMENT = re.compile(r'^((?:[^"/]|"(?:\\.|[^"\\])*"|/(?!/))*)///?<?!?\s*(.*)$')
FILE = re.compile(r"(?<![\w/.*<-])((?:include|tactus|apps|lab|fuzz|bindings|examples|bench|tests|tools|player|playground|scenes|docs|verify)"
                  r"/[\w./-]+\.(?:hpp|cpp|inc|h|c|py|mjs|md|toml|json|jsonl))\b")


def glossary(vocabulary: dict) -> str:
    out = [vocabulary["intro"].strip(), ""]
    for section in vocabulary["section"]:
        out += [f"## {section['name']}", "| word | meaning |", "|---|---|"]
        out += [f"| {word} | {meaning} |" for word, meaning in section["words"]] + [""]
    return "\n".join(out)


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Number and first words of each comment; lines of a block of comments belong to its first."""
    in_block = False
    for number, line in enumerate(text.split("\n"), 1):
        found = COMMENT.match(line)
        alone = found is not None and not found.group(1).strip()
        if found and not (alone and in_block):
            yield number, found.group(2)
        in_block = alone


def check_source(path: Path, vocabulary: dict) -> list[str]:
    text = path.read_text(encoding="utf-8")
    start = re.compile(rf"({'|'.join(map(re.escape, vocabulary['comments']['starts']))})\b")
    complaints = [f"line {number}: a comment begins with '{found.group(1)}': name what it is about"
                  for number, words in comments(text) if (found := start.match(words))]
    for entry in vocabulary["instead"]:
        if not str(path.relative_to(ROOT)).startswith(tuple(entry["where"])):
            continue
        for found in re.finditer(rf"\b(?:{entry['name']})\b", text):
            line = text.count("\n", 0, found.start()) + 1
            complaints.append(f"line {line}: {found.group(0)}: say {entry['say']}")
    return complaints


# A constant outside of functions and classes, and further ones of its line.
CONSTANT = re.compile(r"^(?:inline )?constexpr [\w:<>, ]+? (k[A-Z]\w*)(?:\[\])? ?(?:= ?([^;]*)|\{([^;]*)\});", re.MULTILINE)
FURTHER = re.compile(r", (k[A-Z]\w*) = ([^,;]*)")


def shared_names(paths: list[Path]) -> list[str]:
    """Constants of headers whose names stand for something else in another file of the library."""
    values: dict[str, dict[str, list[Path]]] = {}
    for path in paths:
        for found in CONSTANT.finditer(path.read_text(encoding="utf-8")):
            value = found[2] or found[3] or ""
            further = FURTHER.findall(value)
            for name, meant in [(found[1], FURTHER.sub("", value) if further else value), *further]:
                values.setdefault(name, {}).setdefault(" ".join(meant.split()), []).append(path)
    return [f"{name}: a header's constant with several values, in {', '.join(str(p.relative_to(ROOT)) for ps in of.values() for p in ps)}"
            for name, of in sorted(values.items()) if len(of) > 1 and any(p.suffix in {".hpp", ".inc"} for ps in of.values() for p in ps)]


def named_files(path: Path) -> list[str]:
    """Files that are named and do not exist."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".md":
        text = "\n".join(words for line in text.split("\n") if (found := COMMENT.match(line)) for words in [found.group(2)])
    missing = sorted({name for name in FILE.findall(text) if not (ROOT / name).exists() and not (ROOT / "include" / name).exists()})
    return [f"names {name}, which does not exist" for name in missing]


def main() -> int:
    with open(ROOT / "docs/vocabulary.toml", "rb") as file:
        vocabulary = tomllib.load(file)
    if sys.argv[1:] == ["--glossary"]:
        GLOSSARY.write_text(glossary(vocabulary), encoding="utf-8")
        return 0
    folders = sys.argv[1:] or [*SOURCES, "docs"]
    files = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    complaints, count = [], 0
    for path in (ROOT / name for name in files if name):
        if path.suffix not in {".hpp", ".cpp", ".inc", ".h", ".c", ".mjs", ".js", ".md"} or not path.is_file():
            continue
        count += 1
        found = named_files(path) if path.name != "CHANGELOG.md" else []
        if path.suffix != ".md":
            found += check_source(path, vocabulary)
        complaints += [f"{path.relative_to(ROOT)}: {c}" for c in found]
    complaints += shared_names([path for name in files if name.startswith(("include/", "tactus/")) and name.endswith((".hpp", ".cpp", ".inc"))
                                for path in [ROOT / name] if path.is_file()])
    if not sys.argv[1:] and GLOSSARY.read_text(encoding="utf-8") != glossary(vocabulary):
        complaints.append("docs/guide/glossary.md: not of docs/vocabulary.toml (tools/check_words.py --glossary)")
    print("\n".join([*complaints, f"words: {count} files, {len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
