"""Files of our Streamlit components at addresses that change with them, and what their pages ask for beforehand."""

import hashlib
import importlib.util
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from api.assets.static_file import EncodedFile, media_type
from services.navigation import CHAT_PAGE, WEEK_PAGE

ENTRY = "main.js"
_IMPORT = re.compile(r"""\bfrom\s+["']\./([\w.-]+\.js)["']""")


@dataclass(frozen=True, kw_only=True)
class ComponentAssets:
    """Assets of one component. package: that holds them. name: the component's, as Streamlit knows it. page: address of
    the page that draws it.
    """

    package: str
    name: str
    page: str

    @property
    def streamlit_address(self) -> str:
        """Where Streamlit's page looks for the files, `main.js` first."""
        return f"/_stcore/bidi-components/{self.name}/"

    @property
    def folder(self) -> Path | None:
        """Folder of the files; None where the package is not installed."""
        found = importlib.util.find_spec(self.package)
        places = list(found.submodule_search_locations or ()) if found else []
        return Path(places[0]) / "assets" if places else None

    @property
    def address(self) -> str:
        """Address below which the files are kept for ever; empty without the package."""
        return _address(self.package, self.folder)

    def files(self) -> dict[str, EncodedFile]:
        """The files by name."""
        paths = [path for path in self.folder.iterdir() if path.is_file()] if self.folder else []
        return {path.name: EncodedFile(path.read_bytes, media_type=media_type(path.name)) for path in paths}

    def entry_file(self) -> EncodedFile:
        """What Streamlit's page gets as `main.js`: a module that hands on the one that is kept."""
        text = f'export{{default}}from"{self.address}/{ENTRY}";\n'
        return EncodedFile(text.encode, media_type=media_type(ENTRY))

    def preloaded(self) -> tuple[list[str], list[str]]:
        """Modules that the component begins with, and its styles; by name."""
        place = self.folder
        if place is None:
            return [], []
        modules: dict[str, None] = {}
        waiting = [ENTRY]
        while waiting:
            name = waiting.pop(0)
            if name not in modules and (place / name).is_file():
                modules[name] = None
                waiting += _IMPORT.findall((place / name).read_text(encoding="utf-8"))
        begun = "".join((place / name).read_text(encoding="utf-8") for name in modules)
        return list(modules), sorted(path.name for path in place.glob("*.css") if f'"{path.name}"' in begun)


@cache
def _address(package: str, place: Path | None) -> str:
    if place is None:
        return ""
    content = b"".join(path.name.encode() + path.read_bytes() for path in sorted(place.iterdir()) if path.is_file())
    return f"/assets/{package.replace('_', '-')}-{hashlib.sha256(content).hexdigest()[:16]}"


LIVE_CHAT = ComponentAssets(package="homeroom_live", name="homeroom-live.chat", page=CHAT_PAGE.path)
WEEK_CALENDAR = ComponentAssets(package="homeroom_calendar", name="homeroom-calendar.week", page=WEEK_PAGE.path)
COMPONENTS = (LIVE_CHAT, WEEK_CALENDAR)
