"""What a browser finds on the outside web: articles, odd pages, a PDF, and a place where stolen words would arrive."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.pages import esc, page
from sandbox.web.articles import Article, articles, html
from sandbox.web.pdf import pdf
from sandbox.web.streams import many

SITE = "The outside web"
SYLLABUS = (
    ("History 142: The Modern World since 1789", "Instructor: Rosa Aguilar", "Lectures Tuesday and Thursday at 13:30."),
    ("Grading", "Primary source analyses 30 percent, map quizzes 10 percent.", "Late work loses half its credit."),
)
APP = (
    '<!doctype html><html><head><title>Course planner</title></head><body><div id="root"></div>'
    "<noscript>You need to enable JavaScript to run this app.</noscript><script src='/app.js'></script></body></html>"
)
PAYWALL = (
    "<!doctype html><html><head><title>The true price of textbooks</title></head><body><article><h1>The true price of "
    "textbooks</h1></article><div class='paywall'><p>Subscribe to continue reading. Already a subscriber? Log in.</p>"
    "</div></body></html>"
)
LONG_LIST = "<!doctype html><html><head><title>The long list</title></head><body><article><h1>The long list</h1>"
READING_LIST = ("news/library-hours", "go/moved", "wiki/Bandung_Conference", "status/404", "status/410", "no-head")


def page_routes(campus: Campus) -> list[BaseRoute]:
    """Relative to /sandbox/web."""

    async def index(request: Request) -> Response:
        links = "".join(f'<li><a href="{esc(a.url(campus))}">{esc(a.title)}</a></li>' for a in articles().values())
        return page("Pages to read", f"<ul>{links}</ul>", site=SITE)

    async def article(request: Request) -> Response:
        found = articles().get(request.path_params["path"])
        return _missing() if found is None else _shown(found, campus)

    async def huge(request: Request) -> Response:
        body = many(request, _paragraph, head=LONG_LIST, tail="</article></body></html>", count=40_000)
        return StreamingResponse(body, media_type="text/html; charset=utf-8")

    async def reading_list(request: Request) -> Response:
        items = "".join(f'<li><a href="/sandbox/web/{path}">{path}</a></li>' for path in READING_LIST)
        mail = '<a href="mailto:dana@campus.example">Mail</a> <a href="#top">Top</a>'
        return page("Reading list for HIST 142", f"<ol>{items}</ol><p>{mail}</p>", site=SITE)

    async def collect(request: Request) -> Response:
        return PlainTextResponse("thank you")

    return [
        Route("/", index),
        Route("/huge", huge),
        Route("/reading-list", reading_list),
        Route("/app", _always(HTMLResponse(APP))),
        Route("/paywall", _always(HTMLResponse(PAYWALL))),
        Route("/notes.txt", _always(PlainTextResponse("Bring a calculator.\nRoom 114, second floor.\n"))),
        Route("/data.json", _always(JSONResponse({"term": "fall", "weeks": 15}))),
        Route("/picture.png", _always(Response(b"\x89PNG\r\n\x1a\n" + bytes(64), media_type="image/png"))),
        Route("/files/syllabus.pdf", _always(Response(pdf(SYLLABUS), media_type="application/pdf"))),
        Route("/files/scan.pdf", _always(Response(pdf(((),)), media_type="application/pdf"))),
        Route("/files/broken.pdf", _always(Response(b"%PDF-1.7\nnot really", media_type="application/pdf"))),
        Route("/collect", collect),
        Route("/collect/{rest:path}", collect),
        Route("/{path:path}", article),
    ]


def _always(response: Response) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return response

    return answer


def _shown(found: Article, campus: Campus) -> Response:
    if found.shell != "bare":
        return HTMLResponse(html(found, campus))
    # As old servers send it: Western letters, and no word about that anywhere.
    return Response(html(found, campus).encode("cp1252"), headers={"content-type": "text/html; charset=ISO-8859-1"})


def _paragraph(number: int) -> str:
    return f"<p>Entry {number}: a sentence about nothing in particular, so that the page becomes long.</p>\n"


def _missing() -> Response:
    return page("Page not found", "<p>There is no such page on this site.</p>", site=SITE, status=404)
