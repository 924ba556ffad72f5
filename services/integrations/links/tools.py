"""Link check: the tool for a list of links or the links of a page."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Annotated
from urllib.parse import urljoin

from pydantic import Field

from services.errors import BadArguments, RequestRefused
from services.i18n import gettext, gettext_noop
from services.i18n.english import clock, count, sentence
from services.integrations.links.link_checker import CheckedLink, LinkChecker, LinkState, sort_by_urgency
from services.integrations.web.tools import require_ok_status
from services.llm.citations import Source
from services.safety.fetch import FetchedPage
from services.safety.field_log import declared
from services.safety.link_urls import linkable_urls
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import CallRate, Example

MOST = 200
WITHIN_S = 55.0
_LARGEST_PAGE = 2_000_000
_HTML = ("text/html", "application/xhtml+xml")
_TEXT = ("text/plain", "text/markdown")


@tool(
    label=gettext_noop("Checking links"),
    title=gettext_noop("Check links"),
    summary=gettext_noop("Check which links work and which are broken"),
    service=gettext_noop("The web"),
    category="research",
    contexts=("links", "writing"),
    is_optional=True,
    usage_hint="Finds dead links in a list of addresses or on a page.",
    when=("the student asks whether links work, as in a paper",),
    when_not=("the student wants to know what a page says",),
    produces=("link_report",),
    examples=(
        Example(
            description="Links of a bibliography",
            arguments={"urls": ["https://doi.org/10.1000/1", "https://library.example.edu/old-page"]},
        ),
        Example(description="All links of a page", arguments={"of_page": "https://courses.example.edu/reading-list"}),
    ),
    rate=CallRate(calls=6, seconds=60.0),
    fresh_for_s=120.0,
    timeout_s=WITHIN_S + 8,
)
def link_validator(
    context: ToolExecutionContext,
    *,
    urls: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2000)]],
        Field(max_length=MOST, description="Exactly as the student or a result wrote them."),
    ] = [],  # noqa: B006 - never changed
    of_page: Annotated[
        str, Field(max_length=2000, description="Instead of urls: the address of a page whose links to check.")
    ] = "",
) -> ToolResult:
    """Check up to 200 links: which work and what kind of file they are,
    lead elsewhere, are broken or not checkable.

    Only addresses that the student or an earlier result named, letter by letter; with of_page, that of the page.
    "Could not be checked" is not broken: such a link may work in a browser. Takes up to a minute.
    """
    if bool(urls) == bool(of_page):
        said = gettext("Give either addresses or a page, and not both.")
        raise BadArguments("Give either urls or of_page, not both.", field="urls", said=said)
    context.require_known(*urls, *([of_page] if of_page else []))
    began = time.monotonic()
    wanted, source = (urls, None) if urls else _page_links(context, of_page)
    within_s = WITHIN_S - (time.monotonic() - began)
    checker = LinkChecker(
        context.container.fetch,
        wanted[:MOST],
        within_s=within_s,
        is_stopped=lambda: context.is_stopped,
        on_progress=context.progress,
    )
    checked = declared(sort_by_urgency(checker.run()), Provenance.STRANGERS)
    left_out = max(len(wanted) - MOST, 0)
    return ToolResult(
        output="\n".join(_lines(context, checked, left_out)),
        data={"links": [_data(link) for link in checked]},
        sources=(source,) if source else (),
        is_partial=left_out > 0,
    )


def _page_links(context: ToolExecutionContext, url: str) -> tuple[list[str], Source]:
    page = context.container.fetch.get(url, accept="text/html, text/plain;q=0.5", limit_bytes=_LARGEST_PAGE)
    require_ok_status(page)
    return links_on_page(page), Source(title=f"Links of {one_line(page.url)}", url=page.url)


def _lines(context: ToolExecutionContext, checked: Sequence[CheckedLink], left_out: int) -> list[str]:
    found = Counter(link.state for link in checked)
    parts = [
        f"{found[LinkState.OK]} work",
        f"{found[LinkState.REDIRECTED]} lead elsewhere",
        f"{found[LinkState.BROKEN]} broken",
        f"{found[LinkState.UNCHECKED]} could not be checked",
    ]
    as_of = f"(as of {clock(context.now())})"
    lines = [sentence(f"{count(len(checked), 'link')} checked: {', '.join(parts)} {as_of}.")]
    if left_out:
        lines.append(f"Note: {left_out} more links were left out; at most {MOST} are checked at once.")
    if not checked:
        return lines
    rows = [
        f"| {link.state} | {link.url} | {link.media_type} | {one_line(link.detail).replace('|', '/')} |"
        for link in checked
    ]
    return [*lines, "", "| State | Link | Type | What happened |", "| --- | --- | --- | --- |", *rows]


def _data(link: CheckedLink) -> dict[str, str | None]:
    found = {
        "url": link.url,
        "state": str(link.state),
        "detail": link.detail,
        "final": link.final,
    }
    return {**found, "media_type": link.media_type or None}


def links_on_page(page: FetchedPage) -> list[str]:
    """Addresses (http or https) that a page links to, each once, in order, without links within the page."""
    host = page.url.split("/")[2]
    if page.media_type in _TEXT:
        return [url for url in sorted(linkable_urls([page.text])) if url.startswith("http")]
    if page.media_type not in _HTML:
        raise RequestRefused(
            host, gettext("There are no links on this, because it is not a page."), next_step=gettext("Give a page.")
        )
    from lxml import html
    from lxml.etree import LxmlError

    try:
        tree = html.document_fromstring(page.text.encode("utf-8", "replace"), parser=html.HTMLParser(encoding="utf-8"))
    except (LxmlError, ValueError):
        return []
    found = (_absolute(page.url, anchor.get("href") or "") for anchor in tree.iter("a"))
    return list(dict.fromkeys(url for url in found if url))


def _absolute(base: str, href: str) -> str | None:
    try:
        url = urljoin(base, href.strip()).partition("#")[0]
    except ValueError:
        return None
    is_elsewhere = url.startswith(("http://", "https://")) and not href.lstrip().startswith("#")
    return url if is_elsewhere else None
