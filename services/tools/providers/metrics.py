"""`CountingToolsProvider`: every call that runs is counted for the instructors: which tool, how it ended, how long."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from services.errors import HomeroomError, StorageError
from services.tools import failures
from services.tools.base import Tool, ToolExecutionContext, ToolResult
from services.tools.providers.provider import ToolsProvider, named

log = logging.getLogger(__name__)


class Tally(Protocol):
    """What this wrapper needs of `services.tools.usage`."""

    def add(self, tool: str, *, seconds: float, failure: str | None) -> None: ...


class CountingToolsProvider:
    def __init__(
        self,
        wrapped: ToolsProvider,
        tally: Tally,
        clock: Callable[[], float] = time.monotonic,
        *,
        on_failure: Callable[[str, str, str], None] = lambda student_id, tool, kind: None,
    ) -> None:
        """`clock`: seconds that only ever go up. on_failure: told of the student, tool and kind of each failed call."""
        self._wrapped = wrapped
        self._tally = tally
        self._clock = clock
        self._on_failure = on_failure

    def tools(self) -> Sequence[Tool]:
        return self._wrapped.tools()

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        started = self._clock()
        # What nothing below corrects is a crash: its type is for the door outside, which names it.
        failure: str | None = failures.CRASHED.kind
        try:
            result = self._wrapped.execute(name, arguments, context)
            failure = None if result.success else result.error_kind or failures.OTHER.kind
        except HomeroomError as error:
            failure = failures.failure_of(error).kind
            raise
        finally:
            self._count(name, self._clock() - started, failure, context.student.id)
        return result

    def _count(self, name: str, seconds: float, failure: str | None, student_id: str) -> None:
        tool = named(self._wrapped, name)
        if tool is None:
            return
        if seconds >= tool.timeout_s:
            # Whoever asked was told so meanwhile, whatever came in the end.
            failure = failures.TIMED_OUT.kind
        try:
            self._tally.add(name, seconds=seconds, failure=failure)
        except StorageError:
            # The call has happened: a number that cannot be kept must not make it look as if it had not.
            log.warning("tool_use_not_counted tool=%s", name)
        if failure is not None:
            self._on_failure(student_id, name, failure)
