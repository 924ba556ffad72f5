"""The environment of the MongoDB-wire server; `python -m tests.mongo_environment` installs what is missing.

Needs the standard library only: `make test` runs it while the tests' own packages are being installed.
"""

import fcntl
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv-mongo"
REQUIREMENTS = ROOT / "requirements-mongo.txt"


def installed() -> Path:
    """The server's program; the first of several test runs installs it, the others wait."""
    program = ENVIRONMENT / "bin" / "secantusd-py"
    mark = ENVIRONMENT / "installed.txt"
    wanted = REQUIREMENTS.read_text()
    cache = ROOT / ".cache"
    cache.mkdir(exist_ok=True)
    with (cache / "venv-mongo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (program.exists() and mark.exists() and mark.read_text() == wanted):
            _install()
            mark.write_text(wanted)
    return program


def _install() -> None:
    # Without a pip of its own, which would take as long as the rest.
    subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(ENVIRONMENT)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(ENVIRONMENT / "bin" / "python")]
    options = ["--quiet", "--no-input", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", *options, "-r", str(REQUIREMENTS)], check=True)


if __name__ == "__main__":
    installed()
