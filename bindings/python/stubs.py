#!/usr/bin/env python3
"""Writes what type checkers read (.pyi) from the built module, and the types of fields from the public headers.

    stubs.py PACKAGE_FOLDER HEADER...    writes __init__.pyi and a file for each inner module into PACKAGE_FOLDER/tactus
"""

import keyword
import re
import sys
from pathlib import Path
from typing import Any

import headers

SPACES = ("fit", "planar", "ccd", "soft", "io")
HEAD = '''"""Made by bindings/python/stubs.py."""

import os
from enum import Enum
from typing import Any, Callable, ClassVar, Dict, Generic, Iterator, List, Optional, Sequence, Tuple, TypeVar, Union, overload

import numpy as np
import numpy.typing as npt
'''
COMMON = '''
Array = npt.NDArray[Any]
ArrayLike = Union[npt.ArrayLike, Sequence[Any]]
PoseLike = Any
ShapeLike = Any
MeshLike = Any
PlanarPoseLike = Any
_Read = TypeVar("_Read")
_Write = TypeVar("_Write")


class _Field(Generic[_Read, _Write]):
    """A field: what is read is of one type, more is taken for it."""

    @overload
    def __get__(self, instance: None, owner: Any) -> "_Field[_Read, _Write]": ...
    @overload
    def __get__(self, instance: object, owner: Any) -> _Read: ...
    def __set__(self, instance: Any, value: _Write) -> None: ...
'''
NUMBERS = {"double": "float", "float": "float", "bool": "bool", "int": "int", "std::string": "str", "std::string_view": "str", "const char*": "str", "BodyId": "int",
           "JointId": "int", "std::size_t": "int", "Shape": "Shape", "Pose": "Pose"}
ARRAYS = {"Vec3", "Vec2", "planar::Vec2", "Quat", "Mat3"}
LIKE = {"Shape": "ShapeLike", "Pose": "PoseLike", "Pose2": "PlanarPoseLike", "planar::Pose2": "PlanarPoseLike"}


class Types:
    """Types of C++ as Python writes them."""

    def __init__(self, found: list[headers.Declared]):
        self.known = {d.name for d in found}
        self.enums = {d.name for d in found if d.kind == "enum"}

    def of(self, text: str, scope: str, writing: bool) -> str:
        text = text.removeprefix("const ").rstrip("&* ")
        if text in NUMBERS and not (writing and text in LIKE):
            return NUMBERS[text]
        if re.fullmatch(r"std::u?int\d+_t", text):
            return "int"
        if text in ARRAYS:
            return "ArrayLike" if writing else "Array"
        if optional := re.fullmatch(r"std::optional<(.*)>", text):
            return f"Optional[{self.of(optional[1], scope, writing)}]"
        if listed := re.fullmatch(r"std::(vector|span|array)<(?:const )?([^,]*(?:<.*>)?)(?:, *\w+)?>", text):
            inner = self.of(listed[2], scope, writing)
            numeric = inner in ("int", "float", "Array", "ArrayLike") or "array" in listed[2]
            if numeric:
                return "ArrayLike" if writing else "Array"
            return f"Sequence[{inner}]" if writing else f"List[{inner}]"
        if "[" in text:
            inner = self.of(text.partition("[")[0], scope, writing)
            return ("ArrayLike" if writing else "Array") if inner in ("Array", "ArrayLike") else f"List[{inner}]"
        if text.startswith("std::function"):
            return "Optional[Callable[..., Any]]"
        path = self.resolved(text, scope)
        if path is None:
            return "Any"
        named = path.replace("::", ".")
        if writing and path in self.enums:
            return f"Union[{named}, str]"
        return LIKE.get(text, named) if writing else named

    def resolved(self, text: str, scope: str) -> str | None:
        """The full name of what is called `text` in a scope."""
        while True:
            path = f"{scope}::{text}" if scope else text
            if path in self.known:
                return path
            if not scope:
                return None
            scope = scope.rpartition("::")[0]


class Writer:
    """Walks through the module and writes one file."""

    def __init__(self, module: Any, space: str, types: Types, fields: dict[str, headers.Declared]):
        self.module, self.space, self.types, self.fields = module, space, types, fields
        self.lines: list[str] = []

    def local(self, text: str) -> str:
        """A type as pybind11 writes it, as it is called in this file."""
        text = re.sub(r"\btactus(?:\._tactus)?\.", "tactus.", text)
        for space in SPACES:
            text = text.replace(f"tactus.{space}.", "" if space == self.space else f"{space}.")
        text = text.replace("tactus.", "")
        for old, new in (("object", "Any"), ("function", "Callable[..., Any]"), ("handle", "Any"), ("capsule", "Any"), ("iterator", "Iterator[Any]"), ("iterable", "Any"),
                         ("sequence", "Sequence[Any]"), ("tuple", "Tuple[Any, ...]"), ("list", "List[Any]"), ("array", "Array")):
            text = re.sub(rf"(?<![\w.]){old}(?![\w\[.])", new, text)
        return text

    def parameter(self, text: str) -> str:
        matched = re.match(r"^(\*{0,2}\w+)(?:: ([^=]+?))?(?: = (.*))?$", text, re.DOTALL)
        if matched is None or not matched[2] or text.startswith("*"):
            return text if text in ("*", "/") else f"{(matched[1] if matched else '*args')}: Any"
        kind = self.local(matched[2]).replace("numpy.ndarray", "ArrayLike")
        kind = re.sub(r"ArrayLike(\[[^\]]*\])?", "ArrayLike", kind)
        kind = kind.replace("os.PathLike", 'Union[str, "os.PathLike[str]"]')
        path = kind.replace(".", "::")
        if path in self.types.enums or f"{self.space}::{path}" in self.types.enums:
            kind = f"Union[{kind}, str]"
        if matched[3] == "None" and not kind.startswith(("Optional", "Any")):
            kind = f"Optional[{kind}]"
        return f"{matched[1]}: {kind}" + (" = ..." if matched[3] is not None else "")

    def signatures(self, value: Any, name: str) -> list[tuple[str, str]]:
        """Parameters and result of each overload."""
        text = value.__doc__ or ""
        found = re.findall(rf"^(?:\d+\. )?{re.escape(name)}\((.*)\) -> (.+)$", text, re.MULTILINE)
        out = []
        for parameters, result in found:
            written = [self.parameter(p) for p in headers.split(parameters) if p]
            kind = re.sub(r"numpy\.ndarray(\[[^\]]*\])?", "Array", self.local(result))
            out.append((", ".join(written), kind))
        return out or [("*args: Any, **kwargs: Any", "Any")]

    def function(self, value: Any, name: str, indent: str, static: bool = False) -> None:
        every = list(dict.fromkeys(self.signatures(value, name)))
        for parameters, result in every:
            if name == "__eq__":
                parameters, result = "self, other: object", "bool"
            if name == "__init__":
                result = "None"
            if len(every) > 1:
                self.lines.append(f"{indent}@overload")
            if static:
                self.lines.append(f"{indent}@staticmethod")
            shown = re.sub(r"^self: [^,]*", "self", parameters)
            if indent and not static and not shown.startswith("self"):
                shown = "self" + (f", {shown}" if shown else "")
            self.lines.append(f"{indent}def {name}({shown}) -> {result}: ...")

    def structure(self, declared: headers.Declared, value: Any, indent: str) -> None:
        """The constructor of fields, and the fields."""
        members = [*self.base_fields(declared), *declared.members]
        own = [m for m in members if m.name in value.__fields__]
        for m in own:
            m.name += "_" * keyword.iskeyword(m.name)
        parameters = "".join(f", {m.name}: {self.types_local(m, declared, True)} = ..." for m in own)
        self.lines.append(f"{indent}__fields__: ClassVar[Tuple[str, ...]]")
        self.lines.append(f"{indent}def __init__(self{parameters}) -> None: ...")
        for m in own:
            self.lines.append(f"{indent}{m.name}: _Field[{self.types_local(m, declared, False)}, {self.types_local(m, declared, True)}]")

    def base_fields(self, declared: headers.Declared) -> list[headers.Declared]:
        if not declared.base:
            return []
        base = self.types.resolved(declared.base, declared.name.rpartition("::")[0])
        return self.fields[base].members if base in self.fields else []

    def types_local(self, member: headers.Declared, declared: headers.Declared, writing: bool) -> str:
        kind = self.types.of(member.type, declared.name, writing)
        if member.type.endswith("*"):
            kind = f"Optional[{kind}]"
        return re.sub(rf"\b{self.space}\.", "", kind) if self.space else kind

    def type(self, value: type, name: str, path: str, indent: str) -> None:
        base = [self.local(f"{b.__module__}.{b.__qualname__}") for b in value.__bases__ if b.__module__.startswith("tactus")]
        if issubclass(value, (ValueError, OSError)):
            base = [value.__bases__[0].__name__]
        enum = hasattr(value, "__members__")
        self.lines.append(f"{indent}class {name}" + (f"({', '.join(base)})" if base else "") + ":")
        start = len(self.lines)
        inner = indent + "    "
        if enum:
            self.lines.append(f"{inner}__members__: ClassVar[Dict[str, {path}]]")
            self.lines.extend(f"{inner}{member}: ClassVar[{path}]" for member in value.__members__)
            self.lines += [f"{inner}{own}" for own in ("name: str", "value: int") if own.partition(":")[0] not in value.__members__]
            self.lines += [f"{inner}def __init__(self, value: Union[int, str]) -> None: ...", f"{inner}def __int__(self) -> int: ..."]
        elif hasattr(value, "__fields__"):
            self.structure(self.fields[(f"{self.space}::" if self.space else "") + path.replace(".", "::")], value, inner)
        if issubclass(value, ValueError):
            self.lines += [f"{inner}field: str", f"{inner}reason: str", f'{inner}def __init__(self, field: str = "", reason: str = "") -> None: ...',
                           f"{inner}def within(self, prefix: str) -> InvalidInput: ..."]
        skipped = {"__init__"} if enum or hasattr(value, "__fields__") else set()
        shown = {"__init__", "__len__", "__getitem__", "__setitem__", "__contains__", "__float__", "__bool__", "__mul__", "__matmul__", "__iter__", "__next__", "__eq__", "__int__", "_repr_svg_", "_repr_html_"} - skipped
        done = {line.strip().split(":")[0] for line in self.lines[start:]}
        for key, member in vars(value).items():
            if enum or key in done or issubclass(value, ValueError) or (key.startswith("_") and key not in shown):
                continue
            if isinstance(member, type):
                self.type(member, key, f"{path}.{key}", inner)
            elif isinstance(member, property):
                self.lines += [f"{inner}@property", f"{inner}def {key}(self) -> {self.result_of(member)}: ..."]
            elif isinstance(member, staticmethod):
                self.function(member.__func__, key, inner, static=True)
            elif key.startswith("_repr_"):
                self.lines.append(f"{inner}def {key}(self) -> str: ...")
            elif callable(member):
                self.function(member, key, inner)
            elif not hasattr(member, "__set__"):
                self.lines.append(f"{inner}{key}: ClassVar[{builtin_type(member)}]")
        if len(self.lines) == start:
            self.lines.append(f"{inner}...")

    def result_of(self, member: property) -> str:
        matched = re.search(r"-> (.+)$", (member.fget.__doc__ or "").splitlines()[0] if member.fget and member.fget.__doc__ else "")
        return re.sub(r"numpy\.ndarray(\[[^\]]*\])?", "Array", self.local(matched[1])) if matched else "Any"

    def write(self) -> str:
        members = {k: v for k, v in vars(self.module).items() if not k.startswith("_")}
        for name, value in members.items():
            if isinstance(value, type):
                self.type(value, name, name, "")
        for name, value in members.items():
            if not isinstance(value, type) and callable(value):
                self.function(value, name, "")
            elif not isinstance(value, type) and not hasattr(value, "__spec__"):
                self.lines.append(f"{name}: {builtin_type(value)}")
        return "\n".join(self.lines) + "\n"


def builtin_type(value: Any) -> str:
    return type(value).__name__ if type(value).__module__ == "builtins" and type(value) is not tuple else "Any"


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    import tactus
    from tactus import _tactus

    found = [d for h in sys.argv[2:] for d in headers.read(Path(h))]
    types = Types(found)
    fields = {d.name: d for d in found if d.kind == "struct"}
    inner = Writer(_tactus, "", types, fields).write()
    imports = "".join(f"from . import {space} as {space}\n" for space in SPACES)
    (folder / "tactus/_tactus.pyi").write_text(HEAD + imports + COMMON + "\n" + inner, encoding="utf-8")
    names = sorted(n for n in vars(_tactus) if not n.startswith("_") and n not in SPACES)
    reexported = "from ._tactus import (\n" + "".join(f"    {n} as {n},\n" for n in names) + ")\n"
    (folder / "tactus/__init__.pyi").write_text(
        f'"""Made by bindings/python/stubs.py."""\n\n{reexported}{imports}from .batch import distance_batch as distance_batch\nfrom .session import Session as Session\nfrom .tables import columns as columns\n\n__version__: str\n',
        encoding="utf-8")
    for space in SPACES:
        text = Writer(getattr(tactus, space), space, types, fields).write()
        others = "".join(f"from . import {other} as {other}\n" for other in SPACES if other != space)
        own = set(re.findall(r"^(?:class|def) (\w+)", text, re.MULTILINE))
        top = "from ._tactus import Array, ArrayLike, PoseLike, ShapeLike, MeshLike, PlanarPoseLike, _Field\n"
        top += "from ._tactus import (" + ", ".join(n for n in names if n not in own and isinstance(getattr(_tactus, n), type)) + ")\n"
        if space == "planar":
            top += 'PlanarShape = Union["Circle", "Contour", "Region"]\n'
        (folder / f"tactus/{space}.pyi").write_text(HEAD + others + top + "\n" + text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
