"""Assistant: its name and instructions, the tools that it may use, and its limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from services.errors import BadArguments

DEFAULT_ASSISTANT = "homeroom"
CAMPUS_LINKS = "campus_links"
"""The capability of looking up links: that of the deployment, and of an assistant that has some."""
ASSISTANT_CAPABILITIES = frozenset({CAMPUS_LINKS})
"""Capabilities that an assistant may bring, so that no tool is missing for the lack of them."""
NameList = tuple[str, ...]
_STRICT = ConfigDict(extra="forbid")
Title = Annotated[str, Field(min_length=1, max_length=100)]
Address = Annotated[str, Field(max_length=2000, pattern=r"^https?://[^\s/]+\S*$")]


@dataclass(frozen=True, kw_only=True)
class FollowedFeed:
    """An RSS or Atom feed that an assistant follows. url: its whole address, as the operator wrote it."""

    __pydantic_config__ = _STRICT

    title: Title
    url: Address


@dataclass(frozen=True, kw_only=True)
class UsefulLink:
    """A page worth knowing. note: what it is good for. topics: words by which it is found, such as "tutoring"."""

    __pydantic_config__ = _STRICT

    title: Title
    url: Address
    note: Annotated[str, Field(max_length=300)] = ""
    topics: NameList = ()


@dataclass(frozen=True, kw_only=True)
class CalendarChoice:
    """Which calendar an assistant works with.

    provider: the id of an integration, such as "google_calendar" or "calendar_feed"; empty for whatever the student
    has connected. calendar_id: a calendar's id at that provider; empty for the student's main one.
    """

    __pydantic_config__ = _STRICT

    provider: Annotated[str, Field(max_length=40)] = ""
    calendar_id: Annotated[str, Field(max_length=500)] = ""


@dataclass(frozen=True, kw_only=True)
class Assistant:
    """Assistant that a student picks for a conversation. Its limits bind the model, not what the student may do.

    summary: what it is for, for the student. words: instructions for the model, added to the system text.
    integrity: its policy on academic work, shown to the student and told to the model.
    categories: of tools; None is all, an empty list is none. switches: single tools on or off, whatever the category.
    is_guided: it leads the student to an answer, and is told what was noted of their understanding.
    mcp_servers: whose tools it uses: None is all (in its categories), else those named, in any category.
    confirm: tools that wait for the student although they only read. version: changes with everything else here.
    feeds, links, calendar: what its tools work with; a tool finds them at `context.assistant`, wherever it is
    called from.
    class_id: of the class that it belongs to, and whose budget pays for its answers; empty for one of the deployment.
    """

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    name: Annotated[str, Field(min_length=1, max_length=40)]
    summary: Annotated[str, Field(max_length=200)] = ""
    words: Annotated[str, Field(max_length=8000)] = field(default="", repr=False)
    integrity: Annotated[str, Field(max_length=500)] = ""
    categories: NameList | None = None
    switches: Mapping[str, bool] = field(default_factory=dict)
    is_guided: bool = False
    mcp_servers: NameList | None = None
    confirm: NameList = ()
    model: Literal["quick", "thorough"] = "quick"
    max_steps: Annotated[int, Field(ge=1, le=40)] = 12
    feeds: tuple[FollowedFeed, ...] = ()
    links: tuple[UsefulLink, ...] = ()
    calendar: CalendarChoice = CalendarChoice()
    class_id: Annotated[str, Field(max_length=40)] = ""
    version: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Cache key: the same for the same assistant."""
        return self.id, self.version

    @property
    def capabilities(self) -> frozenset[str]:
        """Capabilities that come with it."""
        return frozenset({CAMPUS_LINKS}) if self.links else frozenset()

    def uses_category(self, category: str) -> bool:
        return self.categories is None or category in self.categories

    def allows_integration(self, integration: str, category: str) -> bool:
        """Whether a category's tools may use this service: where one is chosen for it, only that one."""
        return category != "calendar" or self.calendar.provider in ("", integration)


Kind = TypeVar("Kind", bound=Assistant)
_ADAPTERS: dict[type[Assistant], TypeAdapter[Any]] = {}


def parse_assistant(written: Mapping[str, Any], kind: type[Kind]) -> Kind:
    """Parse an assistant from plain JSON; raises `BadArguments` that names what does not fit."""
    if unknown := written.keys() - kind.__dataclass_fields__.keys():
        raise BadArguments(f"An assistant has no field named {', '.join(sorted(unknown))}.")
    try:
        return _adapter(kind).validate_python(dict(written))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadArguments(f"{place}: {first['msg']}", field=place) from None


def dump_assistant(assistant: Assistant) -> dict[str, Any]:
    """Dump an assistant as plain JSON."""
    written: dict[str, Any] = _adapter(type(assistant)).dump_python(assistant, mode="json")
    return written


def _adapter(kind: type[Kind]) -> TypeAdapter[Kind]:
    """Parser of a kind of assistant, which takes milliseconds to make."""
    return _ADAPTERS.get(kind) or _ADAPTERS.setdefault(kind, TypeAdapter(kind))
