"""Feeds of the outside web: good ones with ETag, and all the bad ones that a reader meets."""

from collections.abc import Callable, Iterable
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256
from xml.sax.saxutils import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.web.articles import Article, articles
from sandbox.web.streams import many

RSS, ATOM = "application/rss+xml; charset=utf-8", "application/atom+xml; charset=utf-8"
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lollollollollollollollollollol">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]><rss version='2.0'><channel><title>&j;</title><item><title>&j;</title></item></channel></rss>"
)
THIEF = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">'
    '<!ENTITY w SYSTEM "{origin}/web/collect">]>'
    "<rss version='2.0'><channel><title>Thief</title><item><title>&f;&w;</title></item></channel></rss>"
)


def feed_routes(campus: Campus) -> list[BaseRoute]:
    """Relative to /sandbox/web."""
    news = [a for path, a in articles().items() if path.startswith("news/")]
    guides = [a for path, a in articles().items() if path.startswith(("library/", "blog/"))]
    bad: dict[str, Callable[[Request], Response]] = {
        "broken.xml": lambda _: Response(rss(campus, "Broken", news)[:900], media_type=RSS),
        "bomb.xml": lambda _: Response(BOMB, media_type=RSS),
        "thief.xml": lambda _: Response(THIEF.replace("{origin}", campus.origin), media_type=RSS),
        "wrong-charset.xml": lambda _: _wrong_charset(campus, news),
        "huge.xml": lambda request: _long(request, count=300_000),
        "endless.xml": _long,
        "page.xml": lambda _: HTMLResponse("<!doctype html><title>No feed</title><p>This is a page.</p>"),
        "moved.xml": lambda _: RedirectResponse("/sandbox/web/feeds/moved-again.xml", 301),
        "moved-again.xml": lambda _: RedirectResponse("/sandbox/web/feeds/campus-news.xml", 301),
    }

    async def feed(request: Request) -> Response:
        good = {
            "campus-news.xml": (rss(campus, "Campus Daily", news), RSS),
            "library.atom": (atom(campus, "Campus Library", guides), ATOM),
            "empty.xml": (rss(campus, "Nothing yet", []), RSS),
        }
        name = request.path_params["name"]
        if name in good:
            body, media_type = good[name]
            return _conditional(request, body, media_type, news[0].published(campus))
        return bad[name](request) if name in bad else Response("No such feed", 404)

    return [Route("/feeds/{name}", feed)]


def rss(campus: Campus, title: str, items: Iterable[Article]) -> str:
    """RSS 2.0 (rssboard.org/rss-specification)."""
    entries = "".join(
        f"<item><title>{escape(a.title)}</title><link>{a.url(campus)}</link>"
        f"<guid isPermaLink='true'>{a.url(campus)}</guid>"
        f"<pubDate>{format_datetime(a.published(campus))}</pubDate><description>{escape(a.summary)}</description>"
        f"<author>{escape(a.author)}</author></item>"
        for a in items
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>'
        f"<title>{escape(title)}</title><link>{campus.origin}/web/</link><description>News of the campus</description>"
        f"<language>en</language>{entries}</channel></rss>"
    )


def atom(campus: Campus, title: str, items: Iterable[Article]) -> str:
    """Atom (RFC 4287)."""
    entries = "".join(
        f"<entry><title>{escape(a.title)}</title><link href='{a.url(campus)}'/><id>{a.url(campus)}</id>"
        f"<updated>{a.published(campus).isoformat()}</updated><author><name>{escape(a.author)}</name></author>"
        f"<summary type='html'>{escape(f'<p>{escape(a.summary)}</p>')}</summary></entry>"
        for a in items
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{escape(title)}</title><id>{campus.origin}/web/feeds/library.atom</id>"
        f"<updated>{campus.now().isoformat()}</updated>{entries}</feed>"
    )


def _conditional(request: Request, body: str, media_type: str, changed: datetime) -> Response:
    """304 when the reader has it already (RFC 9110, 13.1)."""
    entries = body.partition("</updated>")[2] or body
    headers = {"etag": f'"{sha256(entries.encode()).hexdigest()[:16]}"', "cache-control": "max-age=300"}
    headers["last-modified"] = format_datetime(changed)
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(body, headers={**headers, "content-type": media_type})


def _wrong_charset(campus: Campus, items: Iterable[Article]) -> Response:
    body = rss(campus, "Café Zürich – Menü", items).replace("–", "-")
    return Response(body.encode("cp1252", "replace"), headers={"content-type": RSS})


def _long(request: Request, **limits: int) -> Response:
    head = '<?xml version="1.0"?><rss version="2.0"><channel><title>Everything</title>'
    body = many(request, _entry, head=head, tail="</channel></rss>", **limits)
    return StreamingResponse(body, media_type=RSS)


def _entry(number: int) -> str:
    return f"<item><title>Entry {number}</title><link>https://feed.example/{number}</link></item>\n"
