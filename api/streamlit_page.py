"""HTML shell of all pages: Streamlit's index page with a script of ours that must run before its own."""

import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from api.middleware.security_headers import streamlit_page
from services.navigation import PAGE_PATHS

SCRIPT = "/where.js"
_HEAD = re.compile("<head>", re.IGNORECASE)
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
  "[data-testid=stSidebarNav] a",
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
    (Path(__file__).parent / f"{script}.js").read_text(encoding="utf-8") for script in ("drafts", "screen_reader")
)
_FRESH = {"cache-control": "no-cache"}


def page_routes() -> list[BaseRoute]:
    """Routes of the pages and of the script, which is a file because the policy refuses inline scripts."""
    return [Route(SCRIPT, _script), *(Route(page, _page) for page in PAGE_PATHS)]


async def _script(_request: Request) -> Response:
    return Response(_WHERE + _SPOKEN + _CHOSEN + _OF_CHATS, media_type="text/javascript", headers=_FRESH)


async def _page(_request: Request) -> HTMLResponse:
    return HTMLResponse(page(), headers=_FRESH)


@cache
def page() -> str:
    """Streamlit's index page with our script tag first in its head."""
    return _HEAD.sub(f'<head>\n    <script src="{SCRIPT}"></script>', streamlit_page(), count=1)
