"""Campus links integration: useful pages that the operator or an assistant lists, such as tutoring or the library."""

import json
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from services.assistants.assistant import CAMPUS_LINKS, UsefulLink
from services.errors import SettingsError
from services.i18n import gettext_noop
from services.i18n.english import count, sentence
from services.integrations.base import ConfigField
from services.llm.citations import Source
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import Example

_LINKS = TypeAdapter(tuple[UsefulLink, ...])
_SHORT = 3
"""Letters of words such as "the" and "los", which no link has to fit."""
_DOUBT = "Note: no link fits all of these words; one of these may be something else."


@tool(
    label=gettext_noop("Looking up campus links"),
    title=gettext_noop("Look up campus links"),
    summary=gettext_noop("Find links of your campus, each with what it is good for"),
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
    written = parse_links(context.container.settings.extension("campus_links").get("LINKS", ""))
    # What an instructor writes into a class's assistant is nobody's secret, but may be chosen to learn what is opened.
    writer = Provenance.PUBLIC if context.assistant.class_id else Provenance.OPERATOR
    every = declared(context.assistant.links, writer) + declared(written, Provenance.OPERATOR)
    found, is_whole = _fitting(every, topic)
    about = f" about “{one_line(topic, 60)}”" if topic else ""
    lines = [sentence(f"{count(len(found), 'link')}{about} (set up by whoever runs Homeroom).")]
    if not found and every:
        lines.append(
            f"Note: there are links about other topics: {', '.join(one_line(link.title) for link in every[:20])}."
        )
    doubt = [] if is_whole or not found else [_DOUBT]
    return ToolResult(
        output="\n".join([*lines, *(_line(link) for link in found), *doubt]),
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


def _fitting(links: Sequence[UsefulLink], topic: str) -> tuple[list[UsefulLink], bool]:
    """The links that fit every telling word of the topic, else those that fit any of its words; and which it is."""
    wanted = _words([topic])
    telling = {word for word in wanted if len(word) > _SHORT}
    shared = [(link, _shared(link, wanted)) for link in links]
    whole = [link for link, words in shared if telling <= words and (words or not wanted)]
    return (whole, True) if whole else ([link for link, words in shared if words], False)


def _shared(link: UsefulLink, wanted: Set[str]) -> set[str]:
    """Words of a topic that begin a word of the link, or the other way round ("tutor", "tutoring")."""
    own_words = _words([link.title, link.note, *link.topics])
    return {word for word in wanted if any(own.startswith(word) or word.startswith(own) for own in own_words)}


def _words(texts: Sequence[str]) -> set[str]:
    return {word.strip(".,;:!?()“”\"'") for text in texts for word in text.casefold().split() if len(word) > 2}


def _line(link: UsefulLink) -> str:
    note = f" — {one_line(link.note)}" if link.note else ""
    return f"- **{one_line(link.title)}**{note} — [open]({link.url})"


TOOLS = (static_links,)
LABEL = gettext_noop("Campus links")
GIVES = (CAMPUS_LINKS,)
SETUP = gettext_noop("Set CAMPUS_LINKS, or give an assistant links of its own with `python manage.py assistants load`.")
CONFIGURATION = (
    ConfigField(
        env="CAMPUS_LINKS",
        description='Pages worth knowing, as a JSON list on one line, such as [{"title": "Tutoring center", "url": '
        '"https://campus.example.edu/tutoring", "note": "Drop in", "topics": ["math"]}]; "note" and "topics" may be '
        "left out.",
    ),
)


def capabilities(extension: Mapping[str, str]) -> frozenset[str]:
    """Capability of links for everybody; raises `SettingsError` for a CAMPUS_LINKS that cannot be parsed."""
    return frozenset(GIVES if parse_links(extension.get("LINKS", "")) else ())
