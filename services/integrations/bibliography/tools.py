"""Bibliography tools: the entry of a web page or a published work, and the list of references of a chat."""

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
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import CallRate, Example

Style = Literal["apa", "mla"]
LABELS = {"apa": "APA", "mla": "MLA"}
MOST_BYTES = 800_000
MOST_SOURCES = 20
HEADINGS = {"apa": "References", "mla": "Works Cited"}
NOTHING = "No answer of this chat cites a source yet. Look something up first, or give single works their own entries."


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
    found = (one_line(name, 100) for name in re.split(r";|\|| and | & ", author))
    return tuple(name.removeprefix("By ").strip() for name in found if name)


@tool(
    label=gettext_noop("Collecting the references"),
    title=gettext_noop("List the references of a chat"),
    summary=gettext_noop("List all sources that this chat cites, in APA or MLA"),
    service=gettext_noop("The web"),
    category="research",
    contexts=("writing", "search"),
    is_optional=True,
    usage_hint="Writes one list of all sources that the answers of this chat cite, in APA or MLA.",
    when=("the student wants the sources of this chat as a list of references",),
    when_not=("one page, article or book is to be cited",),
    produces=("citations",),
    examples=(Example(description="All sources so far, in MLA", arguments={"style": "mla"}),),
    timeout_s=40.0,
)
def reference_list(
    context: ToolExecutionContext,
    *,
    style: Annotated[Style, Field(description="APA 7 or MLA 9.")] = "apa",
) -> ToolResult:
    """Write the reference list of this chat: every source that its answers cite so far, as one list.

    Give it to the student as it stands, with the notes on what is missing.
    """
    cited = declared(list(context.cited_sources()) if context.cited_sources else [], Provenance.STRANGERS)
    if not cited:
        return ToolResult(output=declared(NOTHING, Provenance.OPERATOR), data={"style": style, "entries": []})
    shown = cited[:MOST_SOURCES]
    looked_up = context.call_all(*((bibliography_entry.name, {"url": source.url, "style": style}) for source in shown))
    entries, notes = list[str](), list[str]()
    for source, result in zip(shown, looked_up, strict=True):
        is_found = result.success and _is_about(source, str(result.data["title"]))
        entries.append(result.data["entry"] if is_found else _plain_entry(context, source, style))
        missing = result.data["missing"] if is_found else ["author", "day"]
        notes += [f"Note: {one_line(source.title, 80)}: {' and '.join(missing)} not named."] if missing else []
    if len(cited) > len(shown):
        notes.append(f"Note: {len(cited) - len(shown)} more sources are not listed.")
    listed = sorted(set(entries), key=_sort_key)
    heading = f"{HEADINGS[style]} ({LABELS[style]}), {len(listed)} of this chat's sources:"
    return ToolResult(
        output="\n\n".join([heading, *listed, *(["\n".join(notes)] if notes else [])]),
        data={"style": style, "entries": listed},
        sources=tuple(shown),
        is_partial=len(cited) > len(shown),
    )


def _is_about(source: Source, title: str) -> bool:
    """Whether a page is the cited one: where only the student may read, a sign-in page answers instead."""
    cited, found = ({*re.findall(r"\w+", text.casefold())} for text in (source.title, title))
    return bool(cited & found)


def _plain_entry(context: ToolExecutionContext, source: Source, style: Style) -> str:
    """Entry of a page that nobody but the student can open, such as one of their courses."""
    host = (urlsplit(source.url).hostname or "").removeprefix("www.")
    seen = context.now().date()
    return STYLES[style](CitedWork(title=one_line(source.title, 300), url=source.url, site=host, seen=seen))


def _sort_key(entry: str) -> list[str]:
    """Alphabetical, whatever marks or articles an entry begins with (APA 9.48, MLA 5.123)."""
    words = entry.casefold().lstrip("*“\"'").split()
    return words[1:] if len(words) > 1 and words[0] in ("a", "an", "the") else words
