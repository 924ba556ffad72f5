"""What a phone asks for when Homeroom is put on its home screen (https://www.w3.org/TR/appmanifest/).

Safari gives notifications only to what was put there and opens by itself, without the browser's bars: `standalone`
(https://webkit.org/blog/13878/web-push-for-web-apps-on-ios-and-ipados/).
"""

import hashlib
import json
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from api.assets.static_file import FOREVER, EncodedFile
from api.method_route import MethodRoute
from services.navigation import CHAT_PAGE

_ICON = Path(__file__).parent.parent / "ui" / "icon-180.png"
_SIZE = 180


@cache
def icon_address() -> str:
    """Address of the icon, which changes with it."""
    return f"/home-screen.{_digest(_ICON.read_bytes())}.png"


@cache
def manifest_address() -> str:
    """Address of the web app manifest, which changes with it."""
    return f"/home-screen.{_digest(_manifest())}.webmanifest"


def home_screen_links() -> list[str]:
    """Lines for the head of each page."""
    return [
        f'<link rel="manifest" href="{manifest_address()}">',
        f'<link rel="apple-touch-icon" href="{icon_address()}">',
    ]


def home_screen_routes() -> list[Route]:
    return [
        _route(manifest_address(), EncodedFile(_manifest, media_type="application/manifest+json")),
        _route(icon_address(), EncodedFile(_ICON.read_bytes, media_type="image/png")),
    ]


def _manifest() -> bytes:
    icon = {"src": icon_address(), "sizes": f"{_SIZE}x{_SIZE}", "type": "image/png"}
    told = {"name": "Homeroom", "display": "standalone", "icons": [icon]}
    return json.dumps({**told, "start_url": CHAT_PAGE.path, "scope": "/"}).encode()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _route(address: str, file: EncodedFile) -> Route:
    async def answer(request: Request) -> Response:
        return await file.respond(request, cache=FOREVER)

    return MethodRoute(address, answer)
