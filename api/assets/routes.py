"""Routes of the pages' scripts, styles and fonts: Streamlit's own below an address of ours, compressed and kept."""

from collections.abc import Iterable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from api.assets.component_assets import COMPONENTS
from api.assets.manifest import BUILT, FIRST_PAGE, ICON_FONT, SUBSETS, Manifest, streamlit_font, streamlit_static
from api.assets.static_file import FOREVER, EncodedFile, joined_file, media_type
from api.method_route import MethodRoute

WHOLE = "whole."
"""Begin of the names of whole fonts, of which a subset has the name."""


def base_address(manifest: Manifest) -> str:
    """Address below which everything is kept for ever: it changes with what is built."""
    return f"/assets/{manifest.version}"


def asset_routes(manifest: Manifest, icons: Iterable[str] = ()) -> list[Route]:
    """icons: those that extensions name, which the built subset may not have."""
    base = base_address(manifest)
    files = {f"{base}/{name}": file for name, file in streamlit_files().items()}
    files |= {f"{base}/{name}": file for name, file in _built(manifest, has_icons=manifest.has_icons(icons)).items()}
    for component in COMPONENTS:
        files |= {f"{component.address}/{name}": file for name, file in component.files().items()}

    async def answer(request: Request) -> Response:
        if (file := files.get(request.url.path)) is None:
            return PlainTextResponse("Not Found", status_code=404, headers={"cache-control": "no-store"})
        return await file.respond(request, cache=FOREVER)

    return [MethodRoute("/assets/{path:path}", answer)]


def streamlit_files() -> dict[str, EncodedFile]:
    """Streamlit's files by `folder/name`; none is read before it is asked for."""
    folders = (streamlit_static() / folder for folder in ("js", "css", "media"))
    return {f"{folder.name}/{path.name}": _file(path) for folder in folders for path in folder.iterdir()}


def _built(manifest: Manifest, *, has_icons: bool) -> dict[str, EncodedFile]:
    """What stands in for Streamlit's files, and the whole fonts beside their subsets."""
    scripts = (streamlit_static() / "js").glob("*.js")
    modules = {f"js/{path.name}": _redirected(manifest, path) for path in scripts}
    modules |= {f"js/{name}": _stand_in(manifest, name) for name in manifest.modules}
    joined = joined_file((BUILT / f"{FIRST_PAGE}.br").read_bytes(), media_type=media_type(FIRST_PAGE))
    fonts = {subset: streamlit_font(begin) for subset, begin in SUBSETS.items()}
    wholes = {f"media/{WHOLE}{font.name}": _file(font) for font in fonts.values()}
    kept = {f"media/{font.name}": _file(BUILT / subset) for subset, font in fonts.items() if subset != ICON_FONT}
    icons = {f"media/{fonts[ICON_FONT].name}": _file(BUILT / ICON_FONT)} if has_icons else {}
    return {**modules, f"js/{FIRST_PAGE}": joined, **wholes, **kept, **icons}


def _stand_in(manifest: Manifest, name: str) -> EncodedFile:
    return EncodedFile(manifest.stand_in(name).encode, media_type=media_type(name))


def _redirected(manifest: Manifest, path: Path) -> EncodedFile:
    def read() -> bytes:
        return manifest.redirect_imports(path.read_text(encoding="utf-8")).encode()

    return EncodedFile(read, media_type=media_type(path.name))


def _file(path: Path) -> EncodedFile:
    return EncodedFile(path.read_bytes, media_type=media_type(path.name))
