"""Do the segments of a path's certificate lead along these rows (CSV)?

Each polynomial is computed anew: a straight line from row to row, or the cubic whose slopes at the rows are those of the parabola
through three of them, 0 at both ends. The coordinate `time` is the time of the rows, in their order; one that the rows do not name rests.
"""

import math

from .comparison import Comparison, same
from .reading import Unusable

TIMES = ("time", "t")


def cells(line: str) -> list:
    """Fields between commas, or between blanks where a line has no comma."""
    line = line.split("#")[0]
    return [cell.strip() for cell in line.split(",")] if "," in line else line.split()


def number(cell: str) -> float | None:
    try:
        value = float(cell) if "_" not in cell else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


class Table:
    """Names of the columns, in order, and their values row by row."""

    def __init__(self, name: str, coordinates: list):
        try:
            with open(name, encoding="utf-8-sig") as stream:
                rows = [row for row in map(cells, stream.read().split("\n")) if any(row)]
        except (OSError, UnicodeDecodeError) as error:
            raise Unusable(f"{name}: {error}") from error
        if not rows:
            raise Unusable(f"{name}: holds no row")
        if any(number(cell) is None for cell in rows[0]):
            self.head, rows = rows[0], rows[1:]
        else:
            own = [c for c in coordinates if c != "time"]
            self.head = (["time"] if len(rows[0]) > len(own) else []) + own
        self.head = ["time" if cell in TIMES else cell for cell in self.head]
        if len(set(self.head)) != len(self.head):
            raise Unusable(f"{name}: a column is given twice")
        self.rows = [[number(cell) for cell in row] for row in rows]
        if not self.rows or any(len(row) != len(self.head) or None in row for row in self.rows):
            raise Unusable(f"{name}: holds a row that is not {len(self.head)} numbers")

    def column(self, name: str) -> list | None:
        return [row[self.head.index(name)] for row in self.rows] if name in self.head else None

    def times(self) -> list:
        return self.column("time") or [float(i) for i in range(len(self.rows))]


def slopes(values: list, times: list) -> list:
    found = [0.0] * len(values)
    for i in range(1, len(values) - 1):
        before, after = times[i] - times[i - 1], times[i + 1] - times[i]
        left, right = (values[i] - values[i - 1]) / before, (values[i + 1] - values[i]) / after
        found[i] = (left * after + right * before) / (before + after)
    return found


def polynomials(values: list, times: list, cubic: bool) -> list:
    """Of one coordinate, from row to row; one of rest where there is a single row."""
    if len(values) == 1:
        return [[values[0], 0.0, 0.0, 0.0]]
    if not cubic:
        return [[a, b - a, 0.0, 0.0] for a, b in zip(values, values[1:])]
    rates, found = slopes(values, times), []
    for i, (a, b) in enumerate(zip(values, values[1:])):
        width = times[i + 1] - times[i]
        first, last = rates[i] * width, rates[i + 1] * width
        found.append([a, first, 3 * (b - a) - 2 * first - last, first + last - 2 * (b - a)])
    return found


def follows(told: list, said: list) -> bool:
    """Do two polynomials agree to roundings of the largest coefficient? A straight one has no other terms at all."""
    size = max(1.0, *map(abs, said))
    return same([x / size for x in told], [x / size for x in said]) and (any(said[2:]) or not any(told[2:]))


def compare_rows(certificate, name: str, rest: dict | None = None, interpolation: str = "linear") -> Comparison:
    """With a certificate whose form is checked. `rest`: where coordinates of the robot are that no row names."""
    found, coordinates = Comparison(), certificate["coordinates"]
    table = Table(name, coordinates)
    times, segments = table.times(), certificate["segments"]
    if any(b <= a for a, b in zip(times, times[1:])):
        raise Unusable(f"{name}: the times do not increase")
    if certificate["interpolation"] != interpolation:
        found.faults.append(f"the way between two rows is {certificate['interpolation']}, not {interpolation}")
    if len(times) != len(certificate["times"]) or len(segments) != max(len(times) - 1, 1):
        found.faults.append(f"{len(times)} rows, and {len(segments)} segments")
        return found
    if not same(times, certificate["times"]):
        found.faults.append("other times")
    found.faults += [f"{cell} is no coordinate" for cell in table.head if cell not in coordinates and cell != "time"]
    for k, cell in enumerate(coordinates):
        told = [segment["coordinates"][k] for segment in segments]
        values = times if cell == "time" else table.column(cell)
        if values is None:
            resting = (rest or {}).get(cell)
            if any(any(p[1:]) or p[0] != told[0][0] for p in told):
                found.faults.append(f"{cell}, which no row names, moves")
            elif resting is None:
                (found.open if rest is None else found.notes).append(f"{cell}, which no row names, rests at {told[0][0]}")
            elif not same([resting], [told[0][0]]):
                found.faults.append(f"{cell}, which no row names, rests at {told[0][0]}, not at {resting}")
            continue
        said = polynomials(values, times, interpolation == "cubic" and cell != "time")
        found.faults += [f"row {i}: {cell} goes another way" for i, (p, q) in enumerate(zip(told, said)) if not follows(p, q)]
    return found
