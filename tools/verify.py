#!/usr/bin/env python3
"""Starts tactus-verify from the source tree: docs/guide/verify.md."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "verify"))
from tactus_verify.__main__ import run  # noqa: E402

sys.exit(run())
