"""Finds a Chromium for browser tests; `python -m tests.chromium` installs one where there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def find() -> str | None:
    """The path of the system's browser, else of Playwright's own, else None."""
    for name in _NAMES:
        if path := shutil.which(name):
            return path
    return _playwrights_own()


def _playwrights_own() -> str | None:
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    found = sorted(folder.glob("chromium-*/chrome-linux*/chrome")) + sorted(
        folder.glob("chromium-*/chrome-mac*/*.app/Contents/MacOS/*")
    )
    return str(found[-1]) if found else None


def install() -> str | None:
    """Debian's package where this process may install packages, else Playwright's download."""
    if not (os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get") and _install_package()):
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    return find()


def _install_package() -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    commands = (["apt-get", "-qq", "update"], ["apt-get", "-qq", "-y", "install", "chromium", "fonts-noto-core"])
    done = [
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode
        for command in commands
    ]
    return done[-1] == 0 and find() is not None


if __name__ == "__main__" and not (find() or install()):
    sys.exit("No Chromium was found and none could be installed. Install chromium or google-chrome, then try again.")
