"""Bibliography tool: writes the entry of a web page from what the page says about itself."""

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field

from services.i18n import gettext_noop
from services.i18n.english import clock
from services.integrations.bibliography.styles import STYLES, CitedWork
from services.integrations.web.page_text import extract_text
from services.integrations.web.tools import require_ok_status
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import Source, ToolResult
from services.tools.tool import CallRate, Example

LABELS = {"apa": "APA", "mla": "MLA"}
MOST_BYTES = 800_000


@tool(
    label=gettext_noop("Writing a bibliography entry"),
    title=gettext_noop("Write a bibliography entry"),
    summary=gettext_noop("Write the bibliography entry of a web page, in APA or MLA"),
    provenance=Provenance.STRANGERS,
    service=gettext_noop("The web"),
    category="research",
    contexts=("writing", "search"),
    is_optional=True,
    usage_hint="Reads a web page's author, day, title and site, and writes its entry in APA or MLA style.",
    when=("the student wants to cite a web page",),
    when_not=("books and articles that are not on that page", "the address is not known yet: find it first"),
    produces=("citations",),
    examples=(
        Example(
            description="An APA entry for a page",
            arguments={"url": "https://library.example.edu/hours", "style": "apa"},
        ),
    ),
    rate=CallRate(calls=20, seconds=60.0),
    fresh_for_s=600.0,
    timeout_s=20.0,
)
def bibliography_entry(
    context: ToolExecutionContext,
    *,
    url: Annotated[str, Field(min_length=1, max_length=2000, description="The page's address, to the letter.")],
    style: Annotated[Literal["apa", "mla"], Field(description="APA 7 or MLA 9.")] = "apa",
) -> ToolResult:
    """Write the bibliography entry of one web page, from what the page says about itself.

    The address must come from the student or from an earlier result. Tell the student which parts the page does not
    name, so that they can look them up: what is not on the page is never made up.
    """
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
    note = [f"Note: the page does not name {' or '.join(missing)}; check it before you hand it in."] if missing else []
    heading = f"An {LABELS[style]} entry for “{work.title}” ({host}, as of {clock(context.now())}), [open]({url})."
    return ToolResult(
        output="\n".join([heading, "", entry, *note]),
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


def _names(author: str) -> tuple[str, ...]:
    found = (one_line(name, 100) for name in re.split(r"\s*(?:;|\|| and | & )\s*", author))
    return tuple(name.removeprefix("By ").strip() for name in found if name)
