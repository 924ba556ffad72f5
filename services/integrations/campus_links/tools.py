"""Campus links tool, and the parser of its setting."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from services.assistants.assistant import CAMPUS_LINKS, UsefulLink
from services.errors import SettingsError
from services.i18n import gettext_noop
from services.i18n.english import count, sentence
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import Source, ToolResult
from services.tools.tool import Example

_LINKS = TypeAdapter(tuple[UsefulLink, ...])


@tool(
    label=gettext_noop("Looking up campus links"),
    title=gettext_noop("Look up campus links"),
    summary=gettext_noop("Find links of your campus, each with what it is good for"),
    provenance=Provenance.PUBLIC,
    category="research",
    contexts=("links",),
    is_optional=True,
    usage_hint="Gives the addresses of pages worth knowing: tutoring, library, help desk, communities.",
    when=("the student asks where on the web something of the campus is",),
    when_not=("the address is known already",),
    capabilities=(CAMPUS_LINKS,),
    produces=("links", "citations"),
    examples=(
        Example(description="Where tutoring is offered", arguments={"topic": "tutoring"}),
        Example(description="Everything there is", arguments={}),
    ),
)
def static_links(
    context: ToolExecutionContext,
    *,
    topic: Annotated[
        str, Field(max_length=100, description="What is looked for, like “tutoring”; empty for all.")
    ] = "",
) -> ToolResult:
    """Give the links that are set up here: pages of the campus and its communities, each with what it is good for."""
    every = context.assistant.links + parse_links(context.container.settings.extension("campus_links").get("LINKS", ""))
    found = [link for link in every if _fits(link, topic)]
    about = f" about “{one_line(topic, 60)}”" if topic else ""
    lines = [sentence(f"{count(len(found), 'link')}{about} (set up by whoever runs Homeroom).")]
    if not found and every:
        lines.append(
            f"Note: there are links about other topics: {', '.join(one_line(link.title) for link in every[:20])}."
        )
    return ToolResult(
        output="\n".join([*lines, *(_line(link) for link in found)]),
        data={"links": [{"title": link.title, "url": link.url, "note": link.note} for link in found]},
        sources=tuple(Source(title=link.title, url=link.url) for link in found),
    )


@lru_cache(maxsize=4)
def parse_links(written: str) -> tuple[UsefulLink, ...]:
    """Parse CAMPUS_LINKS, a JSON list of objects with title, url, note and topics; raises `SettingsError`."""
    if not written:
        return ()
    try:
        return _LINKS.validate_python(json.loads(written))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        problem = f"does not fit at {'.'.join(str(part) for part in first['loc']) or 'the top'}: {first['msg']}."
    except ValueError:
        problem = "is not JSON."
    step = 'Write a list on one line: [{"title": "Tutoring", "url": "https://…", "note": "…", "topics": ["help"]}].'
    raise SettingsError("CAMPUS_LINKS", problem, next_step=step)


def _fits(link: UsefulLink, topic: str) -> bool:
    """Whether a word of the topic begins a word of the link, or the other way round ("tutor", "tutoring")."""
    own_words = _words([link.title, link.note, *link.topics])
    wanted = _words([topic])
    return not wanted or any(own.startswith(word) or word.startswith(own) for own in own_words for word in wanted)


def _words(texts: Sequence[str]) -> set[str]:
    return {word.strip(".,;:!?()“”\"'") for text in texts for word in text.casefold().split() if len(word) > 2}


def _line(link: UsefulLink) -> str:
    note = f" — {one_line(link.note)}" if link.note else ""
    return f"- **{one_line(link.title)}**{note} — [open]({link.url})"
