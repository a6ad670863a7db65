"""How what a certificate says is held against what a file says."""

from dataclasses import dataclass, field

# Numbers of both files agree to this part of their size, or of one.
SAME = 1e-12


def same(x, y) -> bool:
    return len(x) == len(y) and all(abs(a - b) <= SAME * max(1.0, abs(a), abs(b)) for a, b in zip(x, y))


@dataclass
class Comparison:
    """`faults`: what differs. `open`: what of the file is not compared, so that nothing is proved of it. `notes`: what the certificate
    holds beside it. `rest`: where the coordinates of a robot are that the rows of a path do not name."""

    faults: list = field(default_factory=list)
    open: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    rest: dict | None = None

    def told(self) -> tuple:
        return self.faults, self.open, self.notes
