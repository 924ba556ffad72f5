"""Numbers of the Insights page as plain tables, for `manage.py metrics`."""

from collections.abc import Iterator, Sequence

from services.discovery.insights import ALL, FILTER, REAL, Insights
from services.safety.text import plain

SIDES = {REAL: "as it was", ALL: "all tools (estimate)", FILTER: "per message (estimate)"}

Row = Sequence[str | int]


def tables(numbers: Insights) -> str:
    """Tables under their titles; one sentence when nothing was counted."""
    if numbers.is_empty:
        return "Nothing was counted on these days."
    return "\n\n".join(f"{title}\n{drawn(head, rows)}" for title, head, rows in _tables(numbers) if rows)


def drawn(head: Sequence[str], rows: Sequence[Row]) -> str:
    """Columns as wide as their widest cell; what is not in the first is set to the right."""
    lines = [head, *([f"{cell:,}" if isinstance(cell, int) else plain(cell) for cell in row] for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    return "\n".join(_line(line, widths) for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = [(cell, width) for cell, width in zip(cells, widths, strict=True)]
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]).rstrip()


def _tables(numbers: Insights) -> Iterator[tuple[str, Sequence[str], Sequence[Row]]]:
    yield "In all", ("", "number"), _in_all(numbers)
    yield "Input tokens", ("", "fresh", "cache read", "cache written", "at full price", "with answers"), _bills(numbers)
    yield (
        "By model",
        ("model", "requests", "answer tokens", "dollars"),
        [(model.name, model.requests, model.output, _dollars(model.bill.dollars)) for model in numbers.models],
    )
    yield "By strategy", ("strategy", "questions"), numbers.strategies
    yield (
        "By day",
        ("day", "questions", "input", "all tools (estimate)", "per message (estimate)"),
        [(f"{day.date}", day.turns, day.weighed, day.with_all, day.per_message) for day in numbers.by_day],
    )
    yield (
        "By context",
        ("context", "questions", "tool tokens (estimate)", "saved (estimate)"),
        [(context.name, context.turns, context.tools_tokens, context.saved) for context in numbers.contexts],
    )
    yield (
        "By tool",
        ("tool", "called", "loaded", "searched out", "failed"),
        [(tool.name, tool.called, tool.loaded, tool.found, tool.failed) for tool in numbers.tools],
    )
    yield (
        "Failures",
        ("tool", "why", "times"),
        [(tool.name, kind, times) for tool in numbers.tools for kind, times in sorted(tool.failures.items())],
    )


def _in_all(numbers: Insights) -> Sequence[Row]:
    return [
        ("questions", numbers["turns"]),
        ("of which without a call of a tool", numbers["bare_turns"]),
        ("model requests", numbers["requests"]),
        ("requests beside the chats", numbers["asides"]),
        ("searches of the web by the model", numbers.web_searches),
        ("tools for a usual question", numbers.tools_loaded),
        ("tools it could have had", numbers.tools_offered),
        ("calls of tools by the model", numbers["called"]),
        ("of which at hand at once", numbers["called_at_once"]),
        ("searches for tools", numbers["searched"]),
        ("system tokens (estimate)", numbers["system"]),
        ("tool tokens (estimate)", numbers["tools"]),
        ("message tokens (estimate)", numbers["messages"]),
        ("answer tokens", numbers.output),
        ("thumbs up", numbers["thumbs_up"]),
        ("thumbs down", numbers["thumbs_down"]),
    ]


def _bills(numbers: Insights) -> Sequence[Row]:
    bills = [(said, numbers.bill(side)) for side, said in SIDES.items()]
    return [
        (said, bill.input.fresh, bill.input.read, bill.input.written, bill.input.weighed, _dollars(bill.dollars))
        for said, bill in bills
    ]


def _dollars(dollars: float | None) -> str:
    return "price unknown" if dollars is None else f"${dollars:,.4f}"
