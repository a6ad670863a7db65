#!/usr/bin/env python3
"""Proves of a built site that every link and picture leads to a file of it, every `#name` to an element of that page, and that no page loads
anything from a network.

    tools/check_site.py FOLDER

The pages of Doxygen and of the playground are only looked at where other pages lead to them: their own tools make their links.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}
GENERATED = ("reference/cpp", "play")


class Page(HTMLParser):
    """What a page links to, what it loads, and the names of its elements."""

    def __init__(self, text: str):
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.names = {""}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.names.add(value)
            if value and ((tag, name) in LOADS or (tag, name) == ("a", "href")):
                self.links.add(value)
                if (tag, name) in LOADS and dict(attrs).get("rel") != "canonical":
                    self.loads.add(value)


def complaints_of(folder: Path) -> tuple[int, list[str]]:
    pages: dict[Path, Page] = {}

    def page_at(path: Path) -> Page:
        if path not in pages:
            pages[path] = Page(path.read_text(encoding="utf-8"))
        return pages[path]

    complaints, links = [], 0
    for path in sorted(folder.rglob("*.html")):
        name = path.relative_to(folder)
        if name.as_posix().startswith(GENERATED) or name.name == "404.html":
            continue
        page = page_at(path)
        complaints += [f"{name}: loads {url} from a network" for url in sorted(page.loads) if urlsplit(url).netloc]
        for url in sorted(page.links):
            parts = urlsplit(url)
            if parts.scheme in ("http", "https", "mailto", "data"):
                continue
            links += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                complaints.append(f"{name}: {url} leads to nothing")
            elif target.suffix == ".html" and unquote(parts.fragment) not in page_at(target).names:
                complaints.append(f"{name}: {url}: the page has no such place")
    return links, complaints


def main() -> int:
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "index.html").exists():
        print(__doc__)
        return 2
    links, complaints = complaints_of(Path(sys.argv[1]).resolve())
    for complaint in complaints:
        print(complaint)
    print(f"site: {links} links, {len(complaints)} complaints")
    return 1 if complaints or links < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
