"""Routes of the pages' scripts, styles and fonts: Streamlit's own below an address of ours, compressed and kept."""

import mimetypes
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from api.assets.encoded_file import FOREVER, EncodedFile, joined_file
from api.assets.manifest import BUILT, FIRST_PAGE, ICON_FONT, SUBSETS, Manifest, streamlit_font, streamlit_static

FOLDERS = ("js", "css", "media")
WHOLE = "whole."
"""Begin of the names of whole fonts, of which a subset has the name."""
_TYPES = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2", ".wasm": "application/wasm"}


def base_address(manifest: Manifest) -> str:
    """Address below which everything is kept for ever: it changes with what is built."""
    return f"/assets/{manifest.version}"


def asset_routes(manifest: Manifest, icons: Iterable[str] = ()) -> list[Route]:
    """icons: those that extensions name, which the built subset may not have."""
    files = _files(manifest, has_all_icons=manifest.has_icons(icons))

    async def answer(request: Request) -> Response:
        file = files.get(f"{request.path_params['folder']}/{request.path_params['name']}")
        if file is None or request.path_params["version"] != manifest.version:
            return PlainTextResponse("Not Found", status_code=404, headers={"cache-control": "no-store"})
        return await file.respond(request, cache=FOREVER)

    return [Route("/assets/{version}/{folder}/{name}", answer)]


def _files(manifest: Manifest, *, has_all_icons: bool) -> dict[str, EncodedFile]:
    """All files by `folder/name`; none is read before it is asked for."""
    static = streamlit_static()
    files = {f"{folder}/{path.name}": _file(path) for folder in FOLDERS for path in (static / folder).iterdir()}
    for module in manifest.modules:
        text = manifest.stand_in(module).encode()
        files[f"js/{module}"] = EncodedFile(partial(bytes, text), media_type=_TYPES[".js"])
    joined = (BUILT / f"{FIRST_PAGE}.br").read_bytes()
    files[f"js/{FIRST_PAGE}"] = joined_file(joined, media_type=_TYPES[".js"])
    for subset, begin in SUBSETS.items():
        whole = streamlit_font(begin)
        files[f"media/{WHOLE}{whole.name}"] = _file(whole)
        if subset != ICON_FONT or has_all_icons:
            files[f"media/{whole.name}"] = _file(BUILT / subset)
    return files


def _file(path: Path) -> EncodedFile:
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return EncodedFile(path.read_bytes, media_type=kind)
