"""Reads the public headers: what they declare, with their docstrings. Made for the style that clang-format and clang-tidy keep in this project."""

import re
from dataclasses import dataclass, field
from pathlib import Path

TOKEN = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|///<[^\n]*|///[^\n]*|//[^\n]*|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[{};]|[^{};/"\'#]+|.', re.MULTILINE)
OPENS = re.compile(r"^(?:inline\s+)?(namespace|class|struct|enum class|enum)\s+(?:\[\[[^\]]*\]\]\s*)?([\w:]*)[^=(]*$")
FIELD = re.compile(r"^((?:const\s+)?[\w:]+(?:<.*>)?(?:\s*[*&]+)?(?:\s+\w+::\*)?)\s*\b(\w+)((?:\[\w+\])?)$")
NAMES = re.compile(r"([A-Za-z_]\w*)\s*\(")


@dataclass
class Declared:
    """A type, function, field or value: its name within `tactus`, as a program writes it."""

    kind: str  # "struct", "class", "enum", "function", "field", "value", "alias", "constant"
    name: str
    doc: str = ""
    type: str = ""  # of a field
    base: str = ""  # of a struct
    members: list["Declared"] = field(default_factory=list)  # fields of a struct, values of an enumeration


def split(text: str) -> list[str]:
    """At commas that stand in no bracket."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "<([{") - (c in ">)]}")
        if c == "," and depth == 0:
            parts.append(text[last:i])
            last = i + 1
    return [p.strip() for p in [*parts, text[last:]]]


def bare(statement: str) -> str:
    """Without what stands in angle brackets."""
    while "<" in statement and (shorter := re.sub(r"<[^<>]*>", "", statement)) != statement:
        statement = shorter
    return statement


def is_function(statement: str) -> bool:
    """Whether a brace behind it begins a body, and no value."""
    flat = re.sub(r"operator\W+?(?=\()", "operator", bare(statement))
    if flat.count("(") > flat.count(")"):
        return False
    while (shorter := re.sub(r"\([^()]*\)", "", flat)) != flat:
        flat = shorter
    return flat != re.sub(r"operator\W+?(?=\()", "operator", bare(statement)) and "=" not in flat


class Reader:
    """Walks once through a header."""

    def __init__(self, header: Path):
        self.tokens = TOKEN.findall(header.read_text(encoding="utf-8"))
        self.at = 0
        self.found: list[Declared] = []
        self.scopes: list[tuple[str, Declared | None, bool]] = []  # name, type, public
        self.doc: list[str] = []
        self.code = False
        self.last: list[Declared] = []  # that a comment behind may speak of

    def path(self, name: str) -> str:
        """The name within tactus."""
        return "::".join([s for s, _, _ in self.scopes if s not in ("", "tactus")] + [name])

    def add(self, kind: str, name: str, **more: str) -> Declared:
        found = Declared(kind, self.path(name), "\n".join(self.doc).strip(), **more)
        owner = self.scopes[-1][1] if self.scopes else None
        if kind in ("field", "value") and owner is not None:
            found.name = name
            owner.members.append(found)
        else:
            self.found.append(found)
        self.last.append(found)
        return found

    def comment(self, token: str) -> None:
        if token.startswith("///<"):
            for declared in self.last:
                declared.doc = f"{declared.doc}\n{token[4:].strip()}".strip()
        elif token.startswith("///"):
            words = token[3:].strip()
            self.code = (self.code or words.startswith("@code")) and words != "@endcode"
            if not self.code and words != "@endcode":
                self.doc.append(words)

    def skip_block(self) -> None:
        """To behind the brace that closes the one before."""
        depth = 1
        while depth:
            depth += (self.tokens[self.at] == "{") - (self.tokens[self.at] == "}")
            self.at += 1

    def hidden(self) -> bool:
        return any(not public for _, _, public in self.scopes) or any(s == "detail" or s.startswith("detail::") for s, _, _ in self.scopes)

    def open(self, statement: str) -> bool:
        """A namespace or type that begins; false where the brace is of something else."""
        opened = OPENS.match(statement)
        if opened is None:
            return False
        kind, name = opened[1].split()[0], opened[2].removeprefix("tactus::")
        owner = None
        if kind in ("class", "struct", "enum") and not self.hidden():
            base = re.search(r":\s*(?:public\s+)?(\w+)", statement[opened.end(2):]) if kind != "enum" else None
            owner = self.add(kind, name, base=base[1] if base else "")
            self.found.append(owner) if owner not in self.found else None
        self.last, self.doc = [], []
        self.scopes.append((name, owner, kind != "class"))
        return True

    def values(self, text: str) -> None:
        for entry in split(text):
            word = re.match(r"\w+", entry)
            if word and "deprecated" not in entry:
                self.add("value", word[0])
                self.doc = []

    def statement(self, text: str) -> None:
        text = " ".join(text.split())
        self.last = []
        if not text or self.hidden() or "deprecated" in text or text.startswith(("friend", "static_assert", "template", "using namespace")):
            self.doc = []
            return
        plain = bare(text)
        owner = self.scopes[-1][1] if self.scopes else None
        if alias := re.match(r"using (\w+) =", text):
            self.add("alias", alias[1])
        elif re.match(r"(?:inline |static )*constexpr [\w:\s]+?\w+(?:\[\w*\])? =", plain):
            for one in split(plain):
                self.add("constant", re.search(r"(\w+)(?:\[\w*\])? =", one)[1])
        elif constant := re.match(r"extern const [\w:]+ (\w+)$", plain):
            self.add("constant", constant[1])
        elif called := NAMES.search(plain.split("=")[0]):
            if "operator" not in plain and f"detail::{called[1]}" not in plain:
                self.add("function", called[1])
        elif owner is not None and owner.kind == "struct" and not text.startswith(("using", "struct", "class", "enum", "static")):
            self.fields(text)
        self.doc = []

    def fields(self, text: str) -> None:
        type_name = ""
        for part in split(text):
            head = re.split(r"\s*=|\s*\{", part)[0].strip()
            if type_name:
                self.add("field", re.sub(r"^[&*\s]+", "", head), type=type_name)
            elif matched := FIELD.match(head):
                type_name = matched[1].strip()
                self.add("field", matched[2], type=type_name + matched[3])

    def read(self) -> list[Declared]:
        buffer = ""
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.lstrip().startswith("#"):
                if "TACTUS_WITHOUT_DEPRECATED" in token:
                    while not self.tokens[self.at].lstrip().startswith("#endif"):
                        self.at += 1
                continue
            if token.startswith("//"):
                if buffer.strip() and self.scopes and self.scopes[-1][1] and self.scopes[-1][1].kind == "enum":
                    *done, buffer = split(buffer)
                    self.last = []
                    self.values(", ".join(done if not buffer or token[:4] != "///<" else [*done, buffer]))
                    buffer = buffer if token[:4] != "///<" and buffer else ""
                self.comment(token)
                continue
            if token == "{":
                statement = " ".join(buffer.split())
                if self.open(statement):
                    buffer = ""
                    continue
                self.skip_block()
                if is_function(statement):
                    self.statement(statement)
                    buffer = ""
                else:
                    buffer += " {}"
            elif token == "}":
                if self.scopes:
                    _, owner, _ = self.scopes.pop()
                    if owner is not None and owner.kind == "enum":
                        self.scopes.append(("", owner, True))
                        self.values(buffer)
                        self.scopes.pop()
                buffer = ""
            elif token == ";":
                self.statement(buffer)
                buffer = ""
            else:
                if re.search(r"\b(private|protected)\s*:", token) and self.scopes:
                    self.scopes[-1] = (*self.scopes[-1][:2], False)
                    token = re.sub(r".*\b(private|protected)\s*:", "", token, flags=re.DOTALL)
                if re.search(r"\bpublic\s*:", token) and self.scopes:
                    self.scopes[-1] = (*self.scopes[-1][:2], True)
                    token = re.sub(r".*\bpublic\s*:", "", token, flags=re.DOTALL)
                if token.strip() and not buffer.strip():
                    self.last = []
                buffer += token
        return self.found


def read(header: Path) -> list[Declared]:
    """All that a header declares in `tactus`, in its order."""
    return Reader(header).read()
