#!/usr/bin/env python3
"""Packs the built package as a wheel, without a network: wheel.py PACKAGE_FOLDER OUT_FOLDER."""

import base64
import hashlib
import re
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    package, out = Path(sys.argv[1]), Path(sys.argv[2])
    version = re.search(r'TACTUS_VERSION "([^"]+)"', (ROOT / "include/tactus/version.hpp").read_text())[1]
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"{python}-{python}-{platform}"
    info = f"tactus-{version}.dist-info"
    files = {str(p.relative_to(package)): p.read_bytes() for p in sorted((package / "tactus").rglob("*")) if p.is_file() and "__pycache__" not in p.parts}
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: tactus\nVersion: {version}\nSummary: How two things touch, and the proof\n"
        f"Requires-Python: >=3.{sys.version_info.minor}\nRequires-Dist: numpy\n").encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tactus\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"tactus-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    print(wheel)
    return 0


if __name__ == "__main__":
    sys.exit(main())
