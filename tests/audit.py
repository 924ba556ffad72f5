"""`make audit`: whether what is installed has a known weakness; says so when that cannot be looked up (row T25)."""

import json
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / ".venv-audit" / "bin" / "pip-audit"
CLEAN, WEAK, UNKNOWN = 0, 1, 2
"""Exit codes."""


def main() -> int:
    """Ask for everything that is installed beside this interpreter, what requirements bring along included."""
    installed = sysconfig.get_path("purelib")
    command = [str(PROGRAM), "--path", installed, "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    told, code = verdict(done.stdout)
    sys.stdout.write(f"{told}\n")
    if not done.stdout.strip():
        sys.stderr.write("".join(f"{line}\n" for line in done.stderr.strip().splitlines()[-1:]))
    return code


def verdict(answer: str) -> tuple[str, int]:
    """What pip-audit found, for a person, and the exit code.

    answer: its JSON. It calls what it could not ask about skipped and ends well all the same: here that is not well.
    """
    try:
        found: Sequence[Mapping[str, Any]] = json.loads(answer)["dependencies"]
    except (ValueError, KeyError):
        return "The list of known weaknesses (pypi.org) cannot be read from here: nothing is known.", UNKNOWN
    weak = [
        f"{package['name']} {package['version']}: {_named(fault)}"
        for package in found
        for fault in package.get("vulns", ())
    ]
    skipped = sorted(package["name"] for package in found if "skip_reason" in package)
    if weak:
        return "\n".join([f"{len(weak)} known weaknesses:", *weak]), WEAK
    if skipped or not found:
        names = ", ".join(skipped[:8]) + (", …" if len(skipped) > 8 else "")
        return (
            f"Nothing is known of {len(skipped)} of {len(found)} packages, so they were not checked: {names}",
            UNKNOWN,
        )
    return f"No known weakness in {len(found)} packages.", CLEAN


def _named(fault: Mapping[str, Any]) -> str:
    fixed = ", ".join(fault.get("fix_versions", ())) or "no release yet"
    return f"{' '.join([fault['id'], *fault.get('aliases', ())])}, mended by {fixed}"


if __name__ == "__main__":
    sys.exit(main())
