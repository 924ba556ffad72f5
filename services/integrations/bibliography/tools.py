"""Bibliography tool: the entry of a web page from what it says about itself, of a work from a registry."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.i18n.english import clock
from services.integrations.bibliography.registries import (
    DOI_URL,
    ISBN_URL,
    doi_in_url,
    find_doi,
    find_isbn,
    parse_doi,
    parse_isbn,
)
from services.integrations.bibliography.styles import STYLES, CitedWork
from services.integrations.bibliography.works import WORK_STYLES
from services.integrations.web.page_text import extract_text
from services.integrations.web.tools import require_ok_status
from services.llm.citations import Source
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import CallRate, Example

Style = Literal["apa", "mla"]
LABELS = {"apa": "APA", "mla": "MLA"}
MOST_BYTES = 800_000


@tool(
    label=gettext_noop("Writing a bibliography entry"),
    title=gettext_noop("Write a bibliography entry"),
    summary=gettext_noop("Write the bibliography entry of a web page, an article or a book, in APA or MLA"),
    service=gettext_noop("The web"),
    category="research",
    contexts=("writing", "search"),
    is_optional=True,
    usage_hint="Writes the entry of a web page, of an article by its DOI or of a book by its ISBN, in APA or MLA.",
    when=("the student wants to cite a web page, or has a DOI or an ISBN",),
    when_not=("only a title is known: find its page or DOI first", "all sources of the chat are wanted in one list"),
    produces=("citations",),
    examples=(
        Example(
            description="An APA entry for a page",
            arguments={"url": "https://library.example.edu/hours", "style": "apa"},
        ),
        Example(description="An MLA entry for an article", arguments={"doi": "10.1038/nature14539", "style": "mla"}),
        Example(description="An APA entry for a book", arguments={"isbn": "978-0-262-03384-8"}),
    ),
    rate=CallRate(calls=20, seconds=60.0),
    fresh_for_s=600.0,
    timeout_s=20.0,
)
def bibliography_entry(
    context: ToolExecutionContext,
    *,
    url: Annotated[str, Field(max_length=2000, description="Of a web page, to the letter.")] = "",
    doi: Annotated[str, Field(max_length=300, description="Of an article, such as 10.1038/nature14539.")] = "",
    isbn: Annotated[str, Field(max_length=40, description="Of a book, 10 or 13 digits.")] = "",
    style: Annotated[Style, Field(description="APA 7 or MLA 9.")] = "apa",
) -> ToolResult:
    """Write the bibliography entry of one web page, article or book: give its url, its doi or its isbn.

    The page's address must come from the student or from an earlier result. Tell the student which parts are missing,
    so that they can look them up: what is not there is never made up.
    """
    if len([given for given in (url, doi, isbn) if given]) != 1:
        raise BadArguments(
            "Give exactly one of url, doi and isbn.", field="url", said=gettext("Give one of address, DOI and ISBN.")
        )
    doi = doi or doi_in_url(url)
    if doi or isbn:
        return _work_entry(context, doi, isbn, style)
    return _page_entry(context, url, style)


def _work_entry(context: ToolExecutionContext, doi: str, isbn: str, style: Style) -> ToolResult:
    settings, fetch = context.container.settings.extension("bibliography"), context.container.fetch
    if doi:
        id, label = parse_doi(doi), "DOI"
        work = find_doi(fetch, id, base_url=settings.get("DOI_URL", DOI_URL))
    else:
        id, label = parse_isbn(isbn), "ISBN"
        work = find_isbn(fetch, id, base_url=settings.get("ISBN_URL", ISBN_URL))
    entry, address = WORK_STYLES[style](work), work.url or work.page_url
    heading = f"An {LABELS[style]} entry for “{work.title}” ({label} {id})" + (
        f", [open]({address})." if address else "."
    )
    return ToolResult(
        output="\n".join([heading, "", entry, *_missing_note(work.missing, "the registry does not name")]),
        data={
            "style": style,
            "entry": entry,
            "title": work.title,
            "authors": [" ".join(filter(None, [author.given, author.family])) for author in work.authors],
            "published": work.year or None,
            "site": work.container or work.publisher,
            "missing": work.missing,
        },
        sources=(Source(title=work.title, url=address),) if address else (),
    )


def _page_entry(context: ToolExecutionContext, url: str, style: Style) -> ToolResult:
    context.require_known(url)
    page = context.container.fetch.get(url, accept="text/html, */*;q=0.5", limit_bytes=MOST_BYTES, cut=True)
    require_ok_status(page)
    host = (urlsplit(page.url).hostname or url).removeprefix("www.")
    found = extract_text(page)
    work = CitedWork(
        title=one_line(found.title, 300),
        url=url,
        site=one_line(found.site, 100) or host,
        authors=_names(found.author),
        published=found.published,
        seen=context.now().date(),
    )
    entry = STYLES[style](work)
    missing = [name for name, there in (("author", work.authors), ("day", work.published)) if not there]
    heading = f"An {LABELS[style]} entry for “{work.title}” ({host}, as of {clock(context.now())}), [open]({url})."
    return ToolResult(
        output="\n".join([heading, "", entry, *_missing_note(missing, "the page does not name")]),
        data={
            "style": style,
            "entry": entry,
            "title": work.title,
            "authors": list(work.authors),
            "published": work.published.isoformat() if work.published else None,
            "site": work.site,
            "missing": missing,
        },
        sources=(Source(title=work.title, url=url),),
    )


def _missing_note(missing: Sequence[str], what: str) -> list[str]:
    return [f"Note: {what} {' or '.join(missing)}; check it before it is handed in."] if missing else []


def _names(author: str) -> tuple[str, ...]:
    found = (one_line(name, 100) for name in re.split(r"\s*(?:;|\|| and | & )\s*", author))
    return tuple(name.removeprefix("By ").strip() for name in found if name)
