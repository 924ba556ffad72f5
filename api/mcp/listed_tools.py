"""What `tools/list` shows: all tools, those of some contexts, or a search and a call, by the key or by headers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcp_types import Tool as ListedTool
from mcp_types import ToolAnnotations

from api.mcp.results import output_schema, output_schema_of
from api.mcp.tool_search import CALL, CALL_SCHEMA, FIND, FOUND_SCHEMA
from services.discovery.contexts import filter_by_context
from services.discovery.tool_list import known_contexts
from services.discovery.tool_search import find_tools
from services.errors import BadArguments
from services.identity.api_keys import ApiKey, ToolListMode
from services.tools.tool import Tool

MODE_HEADER, CONTEXTS_HEADER = "x-homeroom-tools", "x-homeroom-contexts"
"""Headers of a request that count more than the key's own setting."""
WAITS = "It waits for the student's approval in Homeroom before anything is changed."
_FIND_WORDS = "Find the student's tools that fit what you need. Gives the definition of each; run one with call_tool."
_CALL_WORDS = (
    "Call a tool that find_tools has given, with arguments as its definition says. One that changes something waits "
    "for the student's approval in Homeroom."
)


@dataclass(frozen=True, kw_only=True)
class ToolSelection:
    """has_search: the search and the call are listed. contexts: tools of these are listed, of all when None."""

    has_search: bool = False
    contexts: tuple[str, ...] | None = None

    def entries(self, usable: Sequence[Tool], *, can_write: bool) -> list[ListedTool]:
        """Definitions to list of the tools that the key may use."""
        shown = usable if self.contexts is None else filter_by_context(usable, self.contexts)
        return [*(_search_entries(can_write=can_write) if self.has_search else ()), *map(_entry, shown)]


def tool_listing(key: ApiKey, headers: Mapping[str, str], root: Sequence[Tool]) -> ToolSelection:
    """Listing that a request asks for. root: every tool there is, whose contexts are known.

    Raises `BadArguments` for a header with an unknown mode or context.
    """
    contexts = _contexts(headers.get(CONTEXTS_HEADER), root)
    named = headers.get(MODE_HEADER, ToolListMode.CONTEXTS if contexts else "").strip().casefold()
    if named not in ("", *ToolListMode):
        raise BadArguments(f"The header {MODE_HEADER} takes {', '.join(ToolListMode)}.", field=MODE_HEADER)
    mode = ToolListMode(named) if named else key.listed_tools
    if mode is ToolListMode.CONTEXTS:
        contexts = contexts or key.contexts
        if not contexts:
            raise BadArguments(f"Name the contexts in the header {CONTEXTS_HEADER}.", field=CONTEXTS_HEADER)
        return ToolSelection(contexts=contexts)
    if mode is ToolListMode.SEARCH:
        return ToolSelection(has_search=True, contexts=contexts)
    return ToolSelection()


def _contexts(header: str | None, root: Sequence[Tool]) -> tuple[str, ...]:
    names = tuple(name.strip().casefold() for name in (header or "").split(",") if name.strip())
    known = known_contexts(root)
    if unknown := [name for name in names if name not in known]:
        words = f"No tool is about {', '.join(unknown)[:200]}. There are: {', '.join(known)}."
        raise BadArguments(words, field=CONTEXTS_HEADER)
    return names


def _search_entries(*, can_write: bool) -> tuple[ListedTool, ListedTool]:
    return (
        ListedTool(
            name=FIND,
            title="Find tools",
            description=_FIND_WORDS,
            input_schema=dict(find_tools.schema),
            output_schema=output_schema(FOUND_SCHEMA),
            annotations=ToolAnnotations(title="Find tools", read_only_hint=True),
        ),
        ListedTool(
            name=CALL,
            title="Call a tool",
            description=_CALL_WORDS,
            input_schema=dict(CALL_SCHEMA),
            output_schema=output_schema({}),
            annotations=ToolAnnotations(title="Call a tool", read_only_hint=not can_write, destructive_hint=False),
        ),
    )


def _entry(tool: Tool) -> ListedTool:
    description = f"{tool.description}\n\n{WAITS}" if tool.effect.needs_approval else tool.description
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=description,
        input_schema=tool.definition()["input_schema"],
        output_schema=output_schema_of(tool),
        annotations=ToolAnnotations(title=tool.title, read_only_hint=not tool.effect.is_change),
    )
