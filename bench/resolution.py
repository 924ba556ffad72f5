"""How long it takes to know what a student may use, by the size of the root: ten assistants, all services connected."""

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from services.assistants.assistant import Assistant
from services.connections.account_consents import AccountConsents
from services.connections.connection import Connection
from services.identity.students import Student
from services.integrations.base import Integration
from services.runtime.clock import utc_now
from services.safety.consent import ModelProvider
from services.safety.consent_terms import ConsentTerms
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.providers.local import LocalToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Tool
from services.tools.toolbox import Toolboxes

HEAD = ("tools", "cold p50", "cold p95", "warm p50", "warm p95", "looks at connections a turn")
SIZES = (10, 100, 1_000, 2_000)
CATEGORIES = ("courses", "calendar", "notes")
TURNS = 200
STUDENT = Student(id="bench", name="Bench", email="", timezone="UTC")


class Accounts:
    """Connections that are given; counts how often they are looked at. Nothing here calls a tool."""

    def __init__(self) -> None:
        self.reads = 0
        now = datetime.now(UTC)
        self._connections = {
            id: Connection(integration=id, account="", origin="", method="token", seen_at=now, connected_at=now)
            for id in CATEGORIES
        }

    def all(self, student_id: str) -> dict[str, Connection]:
        self.reads += 1
        return self._connections

    @property
    def consents(self) -> AccountConsents:
        """Consents under the terms of a deployment that asks."""
        terms = ConsentTerms(ModelProvider(name="Anthropic"), public_url="http://localhost:8501")
        integrations = {id: _integration(id) for id in CATEGORIES}
        return AccountConsents(integrations=integrations, terms=terms, clock=utc_now, update=lambda *_: None)


def measure() -> list[tuple[str, ...]]:
    return [_row(size) for size in SIZES]


def _row(size: int) -> tuple[str, ...]:
    accounts, assistants = Accounts(), _assistants(size)
    toolboxes = _toolboxes(size, accounts)
    cold = [_timed(lambda chosen=assistant: toolboxes.for_student(STUDENT, chosen)) for assistant in assistants]
    accounts.reads = 0
    warm = [_timed(lambda n=n: toolboxes.for_student(STUDENT, assistants[n % len(assistants)])) for n in range(TURNS)]
    return (f"{size:,}", *_quantiles(cold), *_quantiles(warm), f"{accounts.reads / TURNS:.0f}")


def _timed(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def _quantiles(milliseconds: list[float]) -> tuple[str, str]:
    cuts = statistics.quantiles(milliseconds, n=20, method="inclusive")
    return f"{cuts[9]:.3f} ms", f"{cuts[18]:.3f} ms"


def _assistants(size: int) -> list[Assistant]:
    """Each with categories and switches of its own."""
    return [
        Assistant(
            id=f"bench_{number}",
            name=f"Bench {number}",
            categories=None if number % 2 else CATEGORIES[: number % 3 + 1],
            switches={f"tool_{number * step % size}": step % 2 == 0 for step in range(20)},
        )
        for number in range(10)
    ]


def _toolboxes(size: int, accounts: Accounts) -> Toolboxes:
    return Toolboxes(
        container=lambda: None,  # type: ignore[arg-type,return-value]
        root=LocalToolsProvider(_tools(size)),
        integrations={id: _integration(id) for id in CATEGORIES},
        connections=accounts,  # type: ignore[arg-type]
        approvals=None,  # type: ignore[arg-type]
        activity=None,  # type: ignore[arg-type]
        usage=None,  # type: ignore[arg-type]
        dispatcher=None,  # type: ignore[arg-type]
        limiter=None,  # type: ignore[arg-type]
    )


def _tools(size: int) -> list[Tool]:
    @tool(label="", category="", contexts=())
    def pattern(context: ToolExecutionContext, *, query: str = "", limit: int = 10) -> ToolResult:
        """Look something up."""
        return ToolResult(output=f"{limit} of {query}")

    return [
        replace(pattern, name=f"tool_{number}", category=CATEGORIES[number % 3], integration=CATEGORIES[number % 3])
        for number in range(size)
    ]


def _integration(id: str) -> Integration:
    return Integration(
        id=id,
        label=id,
        icon="",
        category=id,
        summary="",
        reads=(),
        writes=(),
        consent="",
        origins=(),
        oauth=None,
        identify=lambda grant: None,  # type: ignore[arg-type,return-value]
        client=lambda grant: None,
        tools=(),
    )
