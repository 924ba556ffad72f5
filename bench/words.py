"""Words for the model: characters of the system text and of the tools' definitions, by part."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from bench.plans import MAYA, root_tools
from services.assistants.registry import read_shipped
from services.discovery.tool_search import find_tools
from services.prompt.loading_planner import SEARCH_PROMPTS
from services.prompt.loading_strategy import Strategy
from services.prompt.optional_tools import hinted_definition
from services.prompt.prompt_builder import PromptBuilder, PromptPart
from services.tools.availability import DisabledIntegration
from services.tools.resolution import Resolution
from services.tools.tool import Tool

TITLE = "Words for the model, in characters (about four to a token)"
HEAD = ("what", "characters")
CONNECTED = ("canvas", "google_calendar", "notion")
NEEDING_ACCOUNTS = (*CONNECTED, "calendar_feed")
ASSISTANT = read_shipped()["homeroom"]


def measure(data_dir: Path) -> list[list[str]]:
    """Rows: the definitions by category, the system text by strategy, by part, and of what is not connected."""
    tools = root_tools(data_dir)
    rows = [("all definitions", definitions_size(tools))]
    categories = dict.fromkeys(tool.category for tool in tools)
    rows += [(f"definitions: {name}", sum(map(_size, _of(tools, name)))) for name in categories]
    rows += [(f"system text: {strategy.value}", system_size(tools, strategy)) for strategy in Strategy]
    rows += [(f"part: {part.key}", len(part.text)) for part in system_parts(tools)]
    rows += [(f"not connected: {id}", size) for id, size in absent_sizes().items()]
    return [[name, f"{size:,}"] for name, size in rows]


def definitions_size(tools: Sequence[Tool]) -> int:
    """Characters of all definitions and the search, each with its name, description, hints and schema, as JSON."""
    return sum(map(_size, (find_tools, *tools)))


def system_size(tools: Sequence[Tool], strategy: Strategy = Strategy.FROZEN) -> int:
    """Characters of the system text of a student who has connected one account of each kind."""
    return sum(len(part.text) for part in system_parts(tools, strategy))


def system_parts(tools: Sequence[Tool], strategy: Strategy = Strategy.FROZEN) -> tuple[PromptPart, ...]:
    usable = tuple(tool for tool in tools if tool.integration in (None, *CONNECTED))
    resolution = Resolution(tools=usable, connected=CONNECTED, disabled=())
    builder = PromptBuilder(assistants=lambda: tuple(read_shipped().values()))
    finding, in_full = SEARCH_PROMPTS.get(strategy, ""), strategy is Strategy.FROZEN
    return builder.parts(MAYA, resolution, ASSISTANT, finding=finding, in_full=in_full)


def absent_sizes() -> Mapping[str, int]:
    """Characters of what is said of an account that is missing or must be reconnected, by integration and kind."""
    builder, sizes = PromptBuilder(), {}
    for id in NEEDING_ACCOUNTS:
        for kind in ("missing", "reconnect"):
            disabled = DisabledIntegration(integration=id, label=id, kind=kind, reason="")  # type: ignore[arg-type]
            parts = builder.parts(MAYA, Resolution(tools=(), connected=(), disabled=(disabled,)))
            sizes |= {part.key: len(part.text) for part in parts if part.key == f"{kind}.{id}"}
    return sizes


def _of(tools: Iterable[Tool], category: str) -> list[Tool]:
    return [tool for tool in tools if tool.category == category]


def _size(tool: Tool) -> int:
    return len(json.dumps(hinted_definition(tool), ensure_ascii=False))
