"""`link_validator`: which of many links still lead somewhere."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.i18n.english import clock, count, sentence
from services.integrations.links.checking import Checked, LinkRound, State, by_state
from services.integrations.links.of_page import links_of
from services.integrations.web.reading import require_good
from services.safety.text import one_line
from services.tools.base import Example, RatePer, Source, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

MOST = 200
WITHIN_S = 55.0
_LARGEST_PAGE = 2_000_000


@tool(
    label=gettext_noop("Checking links"),
    title=gettext_noop("Check links"),
    summary=gettext_noop("Check which links work and which are broken"),
    told=Told.STRANGERS,
    service=gettext_noop("The web"),
    category="research",
    contexts=("links", "writing"),
    is_optional=True,
    usage_hint="Finds dead links in a list of addresses or on a page.",
    when=("the student asks whether links work, for instance in a paper or on a reading list",),
    when_not=("the student wants to know what a page says: that is web_read_page",),
    produces=("link_report",),
    examples=(
        Example(
            description="Links of a bibliography",
            arguments={"urls": ["https://doi.org/10.1000/1", "https://library.example.edu/old-page"]},
        ),
        Example(description="All links of a page", arguments={"of_page": "https://courses.example.edu/reading-list"}),
    ),
    rate=RatePer(calls=6, seconds=60.0),
    fresh_for_s=120.0,
    timeout_s=WITHIN_S + 8,
)
def link_validator(
    context: ToolExecutionContext,
    *,
    urls: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2000)]],
        Field(max_length=MOST, description="The addresses, exactly as the student or an earlier result wrote them."),
    ] = [],  # noqa: B006 - never changed
    of_page: Annotated[
        str, Field(max_length=2000, description="Instead of urls: the address of a page whose links are checked.")
    ] = "",
) -> ToolResult:
    """Check up to 200 links: which work and what kind of file they are, lead elsewhere, are broken or not checkable.

    Takes up to a minute. Only addresses that the student wrote or that an earlier result named can be checked, letter
    by letter; with of_page, that of the page. "Could not be checked" is not broken: such a link may work in a browser.
    """
    if bool(urls) == bool(of_page):
        raise BadArguments(gettext("Give either addresses or a page, and not both."), field="urls")
    context.require_known(*urls, *([of_page] if of_page else []))
    began = time.monotonic()
    wanted, source = (urls, None) if urls else _of_page(context, of_page)
    within_s = WITHIN_S - (time.monotonic() - began)
    round_ = LinkRound(
        context.container.fetch,
        wanted[:MOST],
        within_s=within_s,
        is_stopped=lambda: context.is_stopped,
        tell=context.progress,
    )
    checked = by_state(round_.run())
    left_out = max(len(wanted) - MOST, 0)
    return ToolResult(
        output="\n".join(_lines(context, checked, left_out)),
        data={"links": [_data(one) for one in checked]},
        sources=(source,) if source else (),
        is_partial=left_out > 0,
    )


def _of_page(context: ToolExecutionContext, url: str) -> tuple[list[str], Source]:
    page = context.container.fetch.get(url, accept="text/html, text/plain;q=0.5", limit_bytes=_LARGEST_PAGE)
    require_good(page)
    return links_of(page), Source(title=f"Links of {one_line(page.url)}", url=page.url)


def _lines(context: ToolExecutionContext, checked: Sequence[Checked], left_out: int) -> list[str]:
    found = Counter(one.state for one in checked)
    parts = [
        f"{found[State.OK]} work",
        f"{found[State.REDIRECTED]} lead elsewhere",
        f"{found[State.BROKEN]} broken",
        f"{found[State.UNCHECKED]} could not be checked",
    ]
    as_of = f"(as of {clock(context.now())})"
    lines = [sentence(f"{count(len(checked), 'link')} checked: {', '.join(parts)} {as_of}.")]
    if left_out:
        lines.append(f"Note: {left_out} more links were left out; at most {MOST} are checked at once.")
    if not checked:
        return lines
    rows = [
        f"| {one.state} | {one.url} | {one.media_type} | {one_line(one.detail).replace('|', '/')} |" for one in checked
    ]
    return [*lines, "", "| State | Link | Type | What happened |", "| --- | --- | --- | --- |", *rows]


def _data(one: Checked) -> dict[str, str | None]:
    found = {"url": one.url, "state": str(one.state), "detail": one.detail, "final": one.final}
    return {**found, "media_type": one.media_type or None}
