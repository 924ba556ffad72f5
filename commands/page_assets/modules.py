"""Modules of Streamlit's page: which of them the first page needs, joined into one file by esbuild."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent
ELEMENTS = (
    *("BidiComponent", "Button", "ButtonGroup", "ChatInput", "Checkbox", "DownloadButton", "Feedback", "Html"),
    *("LinkButton", "MenuButton", "PageLink", "Radio", "Spinner", "TextArea", "TextInput", "Toast"),
)
"""Elements of the chat's page that Streamlit loads when it draws the first of them."""
_IMPORT = re.compile(r"""(?:from|import)["']\./([\w.$-]+\.js)["']""")


def first_page_modules(folder: Path, page: str) -> list[str]:
    """Names of the modules, the one that the page begins with first.

    folder: Streamlit's modules. page: its index page.
    """
    sources = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.js")}
    begins = re.findall(r'<script type="module"[^>]* src="\./static/js/([^"]+)"', page)
    elements = [_only(name for name in sources if name.startswith(f"{element}.")) for element in ELEMENTS]
    found: dict[str, None] = {}
    waiting = [_only(begins), *elements]
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = None
            waiting += _IMPORT.findall(sources[name])
    return list(found)


def join_modules(folder: Path, names: list[str], output: Path) -> dict[str, list[tuple[str, str]]]:
    """Write the joined file; for each module its exports, and what they are called in the joined file."""
    exports: dict[str, list[tuple[str, str]]] = json.loads(
        _run("node", "join_modules.mjs", str(folder), str(output), *names)
    )
    return exports


def install_packages() -> None:
    """Install the bundler and what is bundled, in exactly the versions of the lock file, whose hashes npm checks."""
    _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")


def join_calendar(output: Path) -> None:
    """Write the calendar's module, and its style beside it."""
    _run("node", "join_calendar.mjs", str(output))


def _run(program: str, *arguments: str) -> str:
    if (path := shutil.which(program)) is None:
        raise SystemExit(f"{program} is needed to join the modules. Install Node 20 or newer, then try again.")
    command = [path, *arguments]
    return subprocess.run(command, cwd=FOLDER, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603


def _only(names: Iterable[str]) -> str:
    (name,) = names
    return name
