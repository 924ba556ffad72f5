"""`make assets`: joins the modules of Streamlit's first page and cuts its fonts, into api/assets/built; and joins the
calendar of the week, into its component.
"""

import hashlib
import json
import tempfile
from importlib.metadata import distribution
from pathlib import Path

import brotli

from commands.page_assets.fonts import icon_subset, icons_in, latin_subset
from commands.page_assets.modules import first_page_modules, install_packages, join_calendar, join_modules
from services.settings import ROOT

BUILT = ROOT / "api" / "assets" / "built"
CALENDAR = ROOT / "components" / "homeroom_calendar" / "homeroom_calendar" / "assets" / "fullcalendar.js"
_OURS = ("ui/**/*.py", "pages/**/*.py", "services/**/*.py")


def main() -> None:
    install_packages()
    join_calendar(CALENDAR)
    static = Path(str(distribution("streamlit").locate_file("streamlit/static")))
    page = (static / "index.html").read_text(encoding="utf-8")
    scripts, media = static / "static" / "js", static / "static" / "media"
    with tempfile.TemporaryDirectory() as folder:
        joined = Path(folder) / "first_page.js"
        exports = join_modules(scripts, first_page_modules(scripts, page), joined)
        (BUILT / "first_page.js.br").write_bytes(brotli.compress(joined.read_bytes(), quality=11))
    ours = [path.read_text(encoding="utf-8") for pattern in _OURS for path in sorted(ROOT.glob(pattern))]
    theirs = [path.read_text(encoding="utf-8") for path in scripts.glob("*.js")]
    symbols, icons = icon_subset(_font(media, "MaterialSymbols-Rounded"), icons_in(ours + theirs))
    (BUILT / "icons.woff2").write_bytes(symbols)
    (BUILT / "sans.woff2").write_bytes(latin_subset(_font(media, "SourceSansVF-Upright"), "Homeroom Sans"))
    serif = latin_subset(_font(media, "SourceSerifVariable-Roman"), "Homeroom Serif", {"wght": (400, 700)})
    (BUILT / "serif.woff2").write_bytes(serif)
    manifest = {
        "streamlit": distribution("streamlit").version,
        "page_sha256": hashlib.sha256(page.encode()).hexdigest(),
        "icons": icons,
        "modules": exports,
    }
    (BUILT / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def _font(media: Path, name: str) -> Path:
    (path,) = media.glob(f"{name}.*woff2")
    return path


if __name__ == "__main__":
    main()
