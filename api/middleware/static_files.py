"""Static files below Streamlit's own addresses, which no route may take: compressed once, and kept by browsers."""

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api.assets.component_assets import COMPONENTS, ENTRY
from api.assets.routes import streamlit_files
from api.assets.static_file import FOREVER, FRESH, EncodedFile

_STREAMLIT = "/static/"


class StaticFiles:
    """Middleware that answers for Streamlit's scripts and styles, and for our components'.

    Streamlit sends the first as they are, because compressing on every request costs more than it gives; here it is
    done once. The second it sends without a tag, so that a browser loads them with every page.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        hashed = {f"{_STREAMLIT}{name}": file for name, file in streamlit_files().items()}
        self._files: dict[str, tuple[EncodedFile, str]] = {path: (file, FOREVER) for path, file in hashed.items()}
        for component in COMPONENTS:
            if files := component.files():
                files[ENTRY] = component.entry_file()
                self._files |= {f"{component.streamlit_address}{name}": (file, FRESH) for name, file in files.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_read = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        known = self._files.get(scope["path"]) if is_read else None
        if known is None:
            await self.app(scope, receive, send)
            return
        file, cache = known
        response = await file.respond(Request(scope), cache=cache)
        await response(scope, receive, send)
