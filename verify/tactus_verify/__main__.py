"""An exact second opinion: re-proves the output of `tactus query --certificate` without any code of the library.

    tactus-verify QUERIES.jsonl ANSWERS.jsonl [--json]
    tactus-verify path CERTIFICATE.json [ROBOT [PATH]] [--srdf FILE] [--visual] [--interpolation cubic] [--json]
    tactus-verify --campaign N --seed S --tactus build/release/tactus
    tactus-verify --forge N --seed S --tactus build/release/tactus

Every claim of an answer is proved, unproved or refuted, to 64 * 2^-53 * (size + offset); docs/guide/verify.md says how.
Exit codes: 0 all claims proved, 1 not all, 2 unusable input.
"""

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path

from .campaign import Campaign
from .claims import PROVED, REFUTED, UNPROVED, class_of, judge_line, verdict_of
from .forge import Forgery
from .form import KINDS
from .path import PathQuestion, run_path
from .reading import Reader, Unusable, parse_lines


def verify(queries, answers, folder) -> list:
    """(query, answer, claims) of each line, matched by their order."""
    if len(queries) != len(answers):
        raise Unusable(f"{len(queries)} queries have {len(answers)} answers: they are matched line by line")
    reader = Reader(folder)
    return [(q, a, judge_line(q, a, reader)) for q, a in zip(queries, answers)]


def id_of(answer):
    return answer.get("id") if isinstance(answer, dict) else None


def kind_of(answer) -> str:
    certificate = answer.get("certificate") if isinstance(answer, dict) else None
    kind = certificate.get("kind", "-") if isinstance(certificate, dict) else "-"
    return kind if isinstance(kind, str) and kind in KINDS else "-"


def report(rows, as_json) -> None:
    table = Counter()
    for query, answer, claims in rows:
        table[class_of(query), kind_of(answer), verdict_of(claims)] += 1
        if not as_json:
            print(json.dumps(id_of(answer)), verdict_of(claims), *(f"{ascii(name)[1:-1]}:{found}" for name, found in claims.items()))
    keys = sorted({key[:2] for key in table})
    counts = {key: [table[(*key, v)] for v in (PROVED, UNPROVED, REFUTED)] for key in keys}
    if as_json:
        lines = [{"id": id_of(a), "verdict": verdict_of(c), "claims": c} for _, a, c in rows]
        table = [{"class": k[0], "kind": k[1], "proved": n[0], "unproved": n[1], "refuted": n[2]} for k, n in counts.items()]
        print(json.dumps({"answers": lines, "table": table}))
        return
    print(f"\n{'class':40} {'kind':12} {'proved':>8} {'unproved':>8} {'refuted':>8}")
    for (name, kind), numbers in counts.items():
        print(f"{name:40} {kind:12}" + "".join(f" {n:8}" for n in numbers))


def main() -> int:
    parser = argparse.ArgumentParser(prog="tactus-verify", description="Re-proves the output of `tactus query --certificate`.")
    parser.add_argument("files", nargs="*", metavar="QUERIES ANSWERS | path CERTIFICATE [ROBOT [PATH]]")
    parser.add_argument("--json", action="store_true", help="claims and table as JSON")
    parser.add_argument("--srdf", metavar="FILE", help="path: pairs of links that it (SRDF, or MJCF) disables need not be asked")
    parser.add_argument("--visual", action="store_true", help="path: the bodies are those of the robot's visual shapes")
    parser.add_argument("--interpolation", choices=("linear", "cubic"), default="linear", help="path: the way between two rows")
    parser.add_argument("--campaign", type=int, metavar="N", help="prove N random answers, and reject N lies made from them")
    parser.add_argument("--forge", type=int, metavar="N", help="refuse N answers of which one field has another JSON form")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tactus", default="build/release/tactus", help="the program that answers")
    arguments = parser.parse_args()
    try:
        for count in (arguments.campaign, arguments.forge):
            if count is not None and count < 1:
                raise Unusable("--campaign, --forge: must be at least 1")
        if arguments.files[:1] == ["path"] and 2 <= len(arguments.files) <= 4:
            asked = PathQuestion(arguments.srdf, "visual" if arguments.visual else "collision", arguments.interpolation)
            return run_path(arguments.files[1:], asked, arguments.json)
        if arguments.campaign is not None:
            return Campaign(arguments.campaign, arguments.seed, arguments.tactus).run(arguments.json)
        if arguments.forge is not None:
            return Forgery(arguments.forge, Campaign(arguments.forge, arguments.seed, arguments.tactus)).run(arguments.json)
        if len(arguments.files) != 2:
            raise Unusable("needs a query file and the file of its answers")
        queries, answers = (parse_lines(name) for name in arguments.files)
        rows = verify(queries, answers, Path(arguments.files[0]).parent)
    except Unusable as error:
        print(f"tactus-verify: {error}", file=sys.stderr)
        return 2
    report(rows, arguments.json)
    return 0 if all(verdict_of(claims) == PROVED for *_, claims in rows) else 1


def run() -> int:
    try:
        return main()
    except BrokenPipeError:  # who reads it has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(run())
