"""Reference list of a chat: the sources that its answers cite, each as an entry, in the order of the style."""

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field

from services.i18n import gettext_noop
from services.integrations.bibliography.styles import STYLES, CitedWork
from services.integrations.bibliography.tools import LABELS, Style, bibliography_entry
from services.llm.citations import Source
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import Example

MOST_SOURCES = 20
HEADINGS = {"apa": "References", "mla": "Works Cited"}
NOTHING = "No answer of this chat cites a source yet. Look something up first, or give single works their own entries."


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
