"""HTML shell of all pages: Streamlit's index page with a script of ours that must run before its own."""

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from api.assets.component_assets import COMPONENTS, ComponentAssets
from api.assets.manifest import FIRST_PAGE, SUBSETS, Manifest, manifest, streamlit_font
from api.assets.routes import WHOLE, asset_routes, base_address
from api.assets.static_file import FOREVER, FRESH, EncodedFile
from api.home_screen import home_screen_links, home_screen_routes
from api.method_route import MethodRoute
from api.middleware.security_headers import streamlit_page
from services.navigation import CHAT_PAGE, NOT_FOUND_PAGE, PAGE_PATHS

_HEAD = re.compile("<head>", re.IGNORECASE)
_MODULE = re.compile(r'<script type="module"[^>]*></script>')
_FIRST_DRAW = ".is-being-drawn [data-testid=stAppViewContainer], .is-being-drawn [data-testid=stAppViewContainer] * {\
 visibility: hidden !important }"
"""Streamlit's Markdown and labels are visible by rules of their own."""
_WHOLE_FAMILIES = {"sans.woff2": "Homeroom Sans", "serif.woff2": "Homeroom Serif"}
"""Families of the whole text fonts, which `.streamlit/config.toml` names after the subsets."""
_STREAMLITS = re.compile(r"/(?:_stcore|media|component|static|auth|oauth2callback)(?:/|$)|.*\.\w+$")
"""What Streamlit answers itself: its reserved prefixes, and files."""
_PRELOAD = re.compile(r'\s*<link\s+rel="(?:modulepreload|preload)"[^>]*>')
_WHERE = "window.__streamlit = { BACKEND_BASE_URL: window.location.origin }\n"
"""Otherwise Streamlit looks for its server below the page's address first, and each deep link begins with two 404s
(`getPossibleBaseUris` in its index.js, 1.67)."""
_SPOKEN = """\
const notes = document.getElementsByClassName("spoken")
new MutationObserver(() => {
  if (notes.length && notes[0].lang !== document.documentElement.lang) document.documentElement.lang = notes[0].lang
}).observe(document, { childList: true, subtree: true })
"""
"""Streamlit's page says that it is English. `ui.page_locale` notes the student's language on it, which is not known
before its session begins."""
_CHOSEN = """\
const choices = [
  ...["recent-chats", "found-hits", "new-chat"].map(key => `.st-key-${key} button`),
  "[data-testid=stSidebar] [data-testid=stPageLink] a",
  ".st-key-account-menu a",
].join(", ")
document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element) || !target.closest(choices)) return
  const page = document.querySelector("[data-testid=stAppViewContainer]")
  page?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }))
}, true)
"""
"""On a phone the sidebar covers the page, after a reload too. Streamlit closes it for a touch beside it (`mousedown` in
its Sidebar, 1.67; it looks at the width itself), but not for a link or button in it. Its buttons keep their clicks to
themselves, hence on the way down."""
_OF_CHATS = "".join(
    (Path(__file__).parent / f"{script}.js").read_text(encoding="utf-8")
    for script in (
        "first_draw",
        "drafts",
        "typing_pauses",
        "screen_reader",
        "kept_focus",
        "connection_lost",
        "open_page",
        "account_menu",
    )
)


@cache
def script() -> str:
    """The script of all pages, which is a file because the policy refuses inline scripts."""
    return _WHERE + _SPOKEN + _CHOSEN + _OF_CHATS


@cache
def script_address() -> str:
    """Address of the script, which changes with it."""
    return f"/where.{hashlib.sha256(script().encode()).hexdigest()[:16]}.js"


def page_routes(icons: Iterable[str] = ()) -> list[BaseRoute]:
    """Routes of the pages, and of the scripts, styles and fonts that they ask for.

    icons: those that extensions name, as `:material/NAME:`.
    """
    scripts = EncodedFile(script().encode, media_type="text/javascript")

    async def answer_script(request: Request) -> Response:
        # While replicas are replaced one by one, a page of the new one may ask the old one.
        is_same = request.url.path == script_address()
        return await scripts.respond(request, cache=FOREVER if is_same else FRESH)

    pages = (_page_route(path) for path in PAGE_PATHS)
    scripts_and_more = [MethodRoute("/where.{version}.js", answer_script), *home_screen_routes()]
    return [*scripts_and_more, *asset_routes(manifest(), icons), *pages]


def _page_route(path: str) -> Route:
    file = EncodedFile(page(path).encode, media_type="text/html")

    async def answer(request: Request) -> Response:
        return await file.respond(request, cache=FRESH)

    return MethodRoute(path, answer)


class UnknownPage(Route):
    """Route of every address that nobody answers, after all others: our shell with status 404, which shows a page that
    says so. Streamlit would answer 200 with its own, whose scripts are not found below a path of two parts.
    """

    def __init__(self) -> None:
        super().__init__("/{path:path}", _answer_unknown, methods=["GET"])

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        is_page = scope["type"] == "http" and not _STREAMLITS.match(scope["path"])
        accepts = dict(scope["headers"]).get(b"accept", b"") if is_page else b""
        return super().matches(scope) if b"text/html" in accepts else (Match.NONE, {})


async def _answer_unknown(request: Request) -> Response:
    return Response(page(NOT_FOUND_PAGE.path), 404, media_type="text/html", headers={"cache-control": FRESH})


@cache
def page(path: str = CHAT_PAGE.path) -> str:
    """Streamlit's index page with our script first in its head, and its modules in one file.

    Built files that do not fit the installed Streamlit are left alone: the page then loads as Streamlit made it.
    """
    shell, built = streamlit_page(), manifest()
    lines = [f'<script src="{script_address()}"></script>', f"<style>{_FIRST_DRAW}</style>", *home_screen_links()]
    if built.fits(shell):
        shell = _lighter(shell, built)
        lines += _fonts(built)
    for component in COMPONENTS:
        if path == component.page:
            lines += _component_preloads(component)
    begin = "\n    ".join(("<head>", *lines))
    return _HEAD.sub(lambda _: begin, shell, count=1)


def _lighter(shell: str, built: Manifest) -> str:
    """The page with the joined modules in place of single ones, and all addresses below ours."""
    base = base_address(built)
    shell = _PRELOAD.sub("", shell)
    shell = _MODULE.sub(f'<script type="module" crossorigin src="{base}/js/{FIRST_PAGE}"></script>', shell, count=1)
    return shell.replace('"./static/', f'"{base}/')


def _fonts(built: Manifest) -> list[str]:
    media = f"{base_address(built)}/media"
    names = [streamlit_font(begin).name for begin in SUBSETS.values()]
    faces = "".join(
        f'@font-face{{font-family:"{family}";font-weight:200 900;font-display:swap;'
        f'src:url({media}/{WHOLE}{streamlit_font(SUBSETS[subset]).name})format("woff2")}}'
        for subset, family in _WHOLE_FAMILIES.items()
    )
    return [*(_preload(f"{media}/{name}", "font", ' type="font/woff2"') for name in names), f"<style>{faces}</style>"]


def _component_preloads(component: ComponentAssets) -> list[str]:
    """Its modules import each other: asked for at once, they need no round trip each."""
    (modules, styles), address = component.preloaded(), component.address
    links = [f'<link rel="modulepreload" href="{address}/{name}" crossorigin>' for name in modules]
    return [*links, *(_preload(f"{address}/{name}", "style") for name in styles)]


def _preload(address: str, kind: str, attributes: str = "") -> str:
    crossing = " crossorigin" if kind == "font" else ""
    return f'<link rel="preload" href="{address}" as="{kind}"{attributes}{crossing}>'
