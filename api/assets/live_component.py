"""Files of the live component at an address that changes with them, and what a page asks for beforehand."""

import hashlib
import importlib.util
import re
from functools import cache
from pathlib import Path

from api.assets.encoded_file import EncodedFile
from api.assets.media_types import media_type

STREAMLIT_ADDRESS = "/_stcore/bidi-components/homeroom-live.chat/"
"""Where Streamlit's page looks for the component's files, `main.js` first."""
ENTRY = "main.js"
_IMPORT = re.compile(r"""\bfrom\s+["']\./([\w.-]+\.js)["']""")


@cache
def folder() -> Path | None:
    """Folder of the component's files; None where its package is not installed."""
    found = importlib.util.find_spec("homeroom_live")
    places = list(found.submodule_search_locations or ()) if found else []
    return Path(places[0]) / "assets" if places else None


@cache
def live_address() -> str:
    """Address below which the files are kept for ever; empty without the component."""
    if (place := folder()) is None:
        return ""
    content = b"".join(path.name.encode() + path.read_bytes() for path in sorted(place.iterdir()) if path.is_file())
    return f"/assets/live-{hashlib.sha256(content).hexdigest()[:16]}"


def live_files() -> dict[str, EncodedFile]:
    """The files by name."""
    place = folder()
    paths = [path for path in place.iterdir() if path.is_file()] if place else []
    return {path.name: EncodedFile(path.read_bytes, media_type=media_type(path.name)) for path in paths}


def entry_file() -> EncodedFile:
    """What Streamlit's page gets as `main.js`: a module that hands on the one that is kept."""
    text = f'export{{default}}from"{live_address()}/{ENTRY}";\n'
    return EncodedFile(text.encode, media_type=media_type(ENTRY))


def preloaded() -> tuple[list[str], list[str]]:
    """Modules that the component begins with, and its styles; by name."""
    place = folder()
    if place is None:
        return [], []
    modules: dict[str, None] = {}
    waiting = [ENTRY]
    while waiting:
        name = waiting.pop(0)
        if name not in modules and (place / name).is_file():
            modules[name] = None
            waiting += _IMPORT.findall((place / name).read_text(encoding="utf-8"))
    return list(modules), sorted(path.name for path in place.glob("*.css"))
