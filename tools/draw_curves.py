#!/usr/bin/env python3
"""tools/draw_curves.py   draws docs/results/pile-curves.svg, time over overlap of settled piles, from the table in
docs/results/pile-curves.md: a panel for each pile, a line for each engine, the defaults of Tactus as a ring."""

import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "results" / "pile-curves.md"
CHART = ROOT / "docs" / "results" / "pile-curves.svg"

COLORS = {"Tactus": "#c53030", "Bullet": "#2b6cb0", "Jolt, quoted": "#2f855a"}
PANEL, GAP, LEFT, TOP, HEIGHT = 260, 50, 60, 66, 260
OVERLAP, TIME = (-5.0, -1.0), (0.0, 2.0)  # powers of ten: sizes, and microseconds per step and body


def read_table(text: str) -> dict[str, dict[str, list[tuple[str, float, float]]]]:
    """Setting, microseconds and overlap by pile and engine."""
    piles = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 6 and cells[1] in COLORS:
            pile, engine, setting, us, overlap, _ = cells
            piles.setdefault(pile, {}).setdefault(engine, []).append((setting, float(us), float(overlap)))
    return piles


def draw(piles: dict[str, dict[str, list[tuple[str, float, float]]]]) -> str:
    width = LEFT + len(piles) * (PANEL + GAP)
    bottom = TOP + HEIGHT
    out = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {bottom + 52}' font-family='sans-serif' font-size='12'>",
           f"<rect width='{width}' height='{bottom + 52}' fill='#fff'/>"]
    x = LEFT
    for name, color in COLORS.items():
        out.append(f"<circle cx='{x}' cy='16' r='5' fill='{color}'/><text x='{x + 10}' y='20' fill='#222'>{name}</text>")
        x += 120
    out.append(f"<circle cx='{x}' cy='16' r='7' fill='none' stroke='{COLORS['Tactus']}' stroke-width='1.6'/>"
               f"<text x='{x + 14}' y='20' fill='#222'>defaults of Tactus</text>")
    for k, (pile, engines) in enumerate(piles.items()):
        left = LEFT + k * (PANEL + GAP)

        def place(overlap: float, us: float) -> tuple[float, float]:
            along = (math.log10(max(overlap, 1e-5)) - OVERLAP[0]) / (OVERLAP[1] - OVERLAP[0])
            up = (math.log10(us) - TIME[0]) / (TIME[1] - TIME[0])
            return left + PANEL * along, bottom - HEIGHT * up

        out.append(f"<text x='{left + PANEL / 2}' y='{TOP - 12}' text-anchor='middle' fill='#222' font-weight='bold'>{pile}</text>")
        for power in range(int(OVERLAP[0]), int(OVERLAP[1]) + 1):
            at = place(10.0 ** power, 1.0)[0]
            out.append(f"<line x1='{at:.1f}' y1='{TOP}' x2='{at:.1f}' y2='{bottom}' stroke='#e5e5e5'/>"
                       f"<text x='{at:.1f}' y='{bottom + 18}' text-anchor='middle' fill='#222'>1e{power}</text>")
        for us in (1, 2, 5, 10, 20, 50, 100):
            at = place(1.0, us)[1]
            out.append(f"<line x1='{left}' y1='{at:.1f}' x2='{left + PANEL}' y2='{at:.1f}' stroke='#e5e5e5'/>"
                       f"<text x='{left - 6}' y='{at + 4:.1f}' text-anchor='end' fill='#222'>{us}</text>")
        out.append(f"<text x='{left + PANEL / 2}' y='{bottom + 38}' text-anchor='middle' fill='#222'>mean overlap, sizes</text>")
        for engine, settings in engines.items():
            # One line where one knob is turned; settings of two knobs stay dots.
            line = sorted((overlap, us) for setting, us, overlap in settings if setting != "defaults" and "iterations," not in setting)
            points = " ".join("{:.1f},{:.1f}".format(*place(overlap, us)) for overlap, us in line)
            out.append(f"<polyline points='{points}' fill='none' stroke='{COLORS[engine]}' stroke-width='1.4'/>")
            for setting, us, overlap in settings:
                cx, cy = place(overlap, us)
                ring = setting == "defaults"
                out.append(f"<circle cx='{cx:.1f}' cy='{cy:.1f}' r='{7 if ring else 4}' fill='{'none' if ring else COLORS[engine]}'"
                           f" stroke='{COLORS[engine]}' stroke-width='1.6'><title>{engine}, {setting}: {us:g} us, overlap {overlap:g}</title></circle>")
    middle = (TOP + bottom) / 2
    out.append(f"<text x='16' y='{middle}' text-anchor='middle' fill='#222' transform='rotate(-90 16 {middle})'>us per step and body</text>")
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
