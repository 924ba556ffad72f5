"""What `make assets` built: one file of the modules that the first page needs, and subsets of Streamlit's fonts."""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

BUILT = Path(__file__).parent / "built"
FIRST_PAGE = "first_page.js"
SUBSETS = {
    "sans.woff2": "SourceSansVF-Upright",
    "serif.woff2": "SourceSerifVariable-Roman",
    "icons.woff2": "MaterialSymbols-Rounded",
}
"""Built subsets, and how the name of the font begins that each stands in for."""
ICON_FONT = "icons.woff2"
_NAMED_IMPORT = re.compile(r'\bimport(?:\{(?P<names>[^}]*)\}from)?"\./(?P<module>[\w.$-]+\.js)"')
"""How the bundler of Streamlit writes imports of modules."""
_ICON = re.compile(r":material/(\w+):")


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What the built files were made from, and hold.

    modules: for each joined module its exports, and what they are called in `FIRST_PAGE`.
    version: changes with any of the built files.
    """

    page_sha256: str
    icons: frozenset[str]
    modules: dict[str, list[tuple[str, str]]]
    version: str

    def fits(self, page: str) -> bool:
        """Whether they were built from this index page of Streamlit's, whose names change with its modules."""
        return hashlib.sha256(page.encode()).hexdigest() == self.page_sha256

    def has_icons(self, icons: Iterable[str]) -> bool:
        """Whether the icon font has these, named as `:material/NAME:`; emoji are not its business."""
        return self.icons.issuperset(name for icon in icons for name in _ICON.findall(icon))

    def stand_in(self, module: str) -> str:
        """A module that hands on what the joined file has of it: one that is loaded later gets the same objects."""
        pairs = ",".join(f"{alias} as {name}" for name, alias in self.modules[module])
        return f'export{{{pairs}}}from"./{FIRST_PAGE}";\n'

    def redirect_imports(self, source: str) -> str:
        """A module with what it imports of joined ones taken from the joined file: without a request for each."""
        return _NAMED_IMPORT.sub(self._redirect, source)

    def _redirect(self, found: re.Match[str]) -> str:
        if (pairs := self.modules.get(found["module"])) is None:
            return found[0]
        aliases = dict(pairs)
        wanted = (name.split(" as ") for name in filter(None, (found["names"] or "").split(",")))
        names = ",".join(f"{aliases[name]} as {local[0] if local else name}" for name, *local in wanted)
        return f'import{{{names}}}from"./{FIRST_PAGE}"'


@cache
def manifest() -> Manifest:
    text = (BUILT / "manifest.json").read_text(encoding="utf-8")
    told = json.loads(text)
    built = b"".join(path.read_bytes() for path in sorted(BUILT.iterdir()) if path.is_file())
    return Manifest(
        page_sha256=told["page_sha256"],
        icons=frozenset(told["icons"]),
        modules={module: [(name, alias) for name, alias in pairs] for module, pairs in told["modules"].items()},
        version=hashlib.sha256(built).hexdigest()[:16],
    )


def streamlit_static() -> Path:
    """Folder of the installed Streamlit's `js`, `css` and `media`."""
    return Path(str(distribution("streamlit").locate_file("streamlit/static/static")))


def streamlit_font(begin: str) -> Path:
    """The whole font, as Streamlit ships it."""
    (path,) = (streamlit_static() / "media").glob(f"{begin}.*woff2")
    return path
