"""Calls for the parts of a day or a week: which tools tell of a part, whatever their names are, and with what."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

from services.identity.students import Student
from services.tools.result import FailureKind, ToolResult
from services.tools.tool import Effect, Tool
from services.week.free_time import Gap
from services.week.tool_results import Json, parse_time, result_list

Part = TypeVar("Part", bound=StrEnum)
Call = tuple[str, Json]
ToolsOfPart = tuple[str, str]
"""Category and product of the tools to ask for a part."""
_ALL = "range"
_NOT_THERE = (FailureKind.NOT_CONNECTED, FailureKind.NOT_ALLOWED)
_AWAY = (FailureKind.UNAVAILABLE, FailureKind.TIMED_OUT)


class ToolGatewayPort(Protocol):
    """Part of `services.tools.gateway.ToolGateway` that is needed here."""

    def tools(self) -> Sequence[Tool]: ...

    def call_all(
        self,
        student: Student,
        calls: Sequence[Call],
        *,
        asked_by: str,
        on_result: Callable[[int, ToolResult], None] | None = None,
    ) -> list[ToolResult]: ...


def call_parts(
    gateway: ToolGatewayPort,
    student: Student,
    tools_of: Mapping[Part, ToolsOfPart],
    arguments: Mapping[Part, Json],
    *,
    asked_by: str,
    on_answer: Callable[[Part, Tool, ToolResult, frozenset[Part]], None] | None = None,
) -> list[tuple[Part, Tool, ToolResult]]:
    """Ask every reading tool that tells of a part, in parallel; nothing is raised for one that fails.

    The tools of a service that does not answer, and those of calendars of which none does, tell the same trouble, the
    first one's: to a student it is one. on_answer: told each answer as it comes, and the parts that still lack one.
    """
    tools = [tool for tool in gateway.tools() if tool.effect is Effect.READ]
    wanted = [
        (part, tool, given) for part, asked in arguments.items() for tool, given in _calls(tools, tools_of[part], asked)
    ]

    unanswered = set(range(len(wanted)))

    def tell(place: int, result: ToolResult) -> None:
        part, tool, _ = wanted[place]
        unanswered.discard(place)
        if on_answer is not None:
            on_answer(part, tool, result, frozenset(wanted[left][0] for left in tuple(unanswered)))

    calls = [(tool.name, given) for _, tool, given in wanted]
    results = gateway.call_all(student, calls, asked_by=asked_by, on_result=tell)
    troubles: dict[str, str] = {}
    for (_, tool, _), result in zip(wanted, results, strict=True):
        if result.error_kind in _AWAY:
            troubles.setdefault(tool.integration or tool.category, result.trouble)
    return [
        (part, tool, _with_trouble(result, troubles.get(tool.integration or tool.category)))
        for (part, tool, _), result in zip(wanted, results, strict=True)
    ]


def _with_trouble(result: ToolResult, trouble: str | None) -> ToolResult:
    return replace(result, said=trouble) if trouble and result.error_kind in _AWAY else result


def is_there(result: ToolResult) -> bool:
    """Whether the tool's service is connected and may be asked, even if it did not answer."""
    return result.success or result.error_kind not in _NOT_THERE


def free_gaps(result: ToolResult, zone: ZoneInfo) -> Iterator[Gap]:
    """Yield the free stretches that a tool found."""
    for row in result_list(result, "free"):
        yield Gap(start=parse_time(row["start"], zone), end=parse_time(row["end"], zone))


def _calls(tools: Iterable[Tool], tools_of_part: ToolsOfPart, asked: Json) -> Iterator[tuple[Tool, Json]]:
    """The tools of a part with their arguments, as far as they take them, and as many rows as they give."""
    category, product = tools_of_part
    for tool in tools:
        if tool.category == category and product in tool.produces:
            takes = tool.schema["properties"]
            # A tool without windows tells of all dates: of those that are asked for, too.
            if asked.get("window", _ALL) in (_ALL, *takes.get("window", {}).get("enum", ())):
                most = {"limit": takes["limit"]["maximum"]} if "maximum" in takes.get("limit", {}) else {}
                yield tool, {name: value for name, value in asked.items() if name in takes} | most
