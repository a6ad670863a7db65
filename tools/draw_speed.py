#!/usr/bin/env python3
"""tools/draw_speed.py   draws docs/images/speed.svg, the chart of the README, from the table of random pairs in
docs/results/speed.md: a dot for each library, hollow where its worst answer is wrong by more than 1e-6."""

import math
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "results" / "speed.md"
CHART = ROOT / "docs" / "images" / "speed.svg"

COLORS = {"Tactus": "#c53030", "Bullet": "#2b6cb0", "FCL": "#2f855a", "libccd": "#805ad5", "ODE": "#b7791f"}
QUESTIONS = ("distance", "depth", "contacts")
EXACT = 1e-6
WIDTH, ROW, TOP, LEFT, GAP = 900, 20, 64, 138, 18
LOW, HIGH = 1.5, 5.6  # powers of ten of nanoseconds


def read_table(text: str) -> dict[tuple[str, str], dict[str, tuple[float, float]]]:
    """Nanoseconds and worst error by pair, question and library."""
    lines = text[text.index("## Random pairs"):].splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("|"))
    names = [cell.strip() for cell in lines[head].split("|")[2:-1]]
    rows = {}
    for line in lines[head + 2:]:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        pair, question = cells[0].split()
        for name, cell in zip(names, cells[1:]):
            match = re.fullmatch(r"(\d+) \(\s*(\S+)\)", cell)
            if name in COLORS and match:
                rows.setdefault((pair, question), {})[name] = (float(match.group(1)), float(match.group(2)))
    return rows


def draw(rows: dict[tuple[str, str], dict[str, tuple[float, float]]]) -> str:
    """The chart, a panel for each question."""
    pairs = list(dict.fromkeys(pair for pair, _ in rows))
    panel = (WIDTH - LEFT - 10 - GAP * (len(QUESTIONS) - 1)) / len(QUESTIONS)
    height = TOP + ROW * len(pairs) + 34
    out = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' font-family='sans-serif' font-size='12'>",
           f"<rect width='{WIDTH}' height='{height}' fill='#fff'/>"]
    x = LEFT
    for name, color in COLORS.items():
        out.append(f"<circle cx='{x}' cy='16' r='5' fill='{color}'/><text x='{x + 10}' y='20' fill='#222'>{name}</text>")
        x += 90
    out.append(f"<circle cx='{x + 6}' cy='16' r='4.2' fill='#fff' stroke='#222' stroke-width='1.6'/>"
               f"<text x='{x + 16}' y='20' fill='#222'>wrong by more than {EXACT:g}</text>")
    bottom = TOP + ROW * len(pairs)
    for i, pair in enumerate(pairs):
        y = TOP + ROW * (i + 0.5)
        out.append(f"<text x='{LEFT - 10}' y='{y + 4:.1f}' text-anchor='end' fill='#222'>{pair}</text>")
    for k, question in enumerate(QUESTIONS):
        left = LEFT + k * (panel + GAP)

        def place(ns: float) -> float:
            return left + panel * (math.log10(ns) - LOW) / (HIGH - LOW)

        out.append(f"<text x='{left + panel / 2:.1f}' y='{TOP - 12}' text-anchor='middle' fill='#222' font-weight='bold'>{question}</text>")
        for power, label in ((2, "100 ns"), (3, "1 us"), (4, "10 us"), (5, "100 us")):
            at = place(10.0 ** power)
            out.append(f"<line x1='{at:.1f}' y1='{TOP}' x2='{at:.1f}' y2='{bottom}' stroke='#ddd'/>"
                       f"<text x='{at:.1f}' y='{bottom + 18}' text-anchor='middle' fill='#222'>{label}</text>")
        for i, pair in enumerate(pairs):
            y = TOP + ROW * (i + 0.5)
            cells = rows.get((pair, question), {})
            out.append(f"<line x1='{left:.1f}' y1='{y:.1f}' x2='{left + panel:.1f}' y2='{y:.1f}' stroke='#f0f0f0'/>")
            for name, (ns, error) in sorted(cells.items(), key=lambda c: c[0] == "Tactus"):
                fill = COLORS[name] if error <= EXACT else "#fff"
                out.append(f"<circle cx='{place(ns):.1f}' cy='{y:.1f}' r='4.2' fill='{fill}' stroke='{COLORS[name]}' stroke-width='1.6'>"
                           f"<title>{name}: {ns:.0f} ns, worst error {error:g}</title></circle>")
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main() -> int:
    if len(sys.argv) > 1:
        print(__doc__)
        return 2
    CHART.write_text(draw(read_table(TABLE.read_text(encoding="utf-8"))), encoding="utf-8")
    print(f"wrote {CHART.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
