"""Text of a step of an answer: the arguments of a tool call, its duration and its sources."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.i18n import formats, gettext
from services.llm.citations import Source
from services.safety.text import literal
from services.tools.argument_names import inline_label

MOST_SOURCES = 8
MOST_STEPS = 12
"""Lines of what a tool that delegates did on the way."""
SHORTEST_S = 0.05
"""No duration up to this is shown: "0.0 s" says nothing."""
MAIL_SCHEME = "mailto:"


def argument_lines(arguments: Mapping[str, Any]) -> list[str]:
    """One line for each argument, as literal text."""
    return [f"{inline_label(name)}: {_value(value)}" for name, value in arguments.items()]


def duration_text(seconds: float) -> str:
    """Duration such as "0.4 s"; "" for a short one."""
    return f"{formats.number(seconds, 1)} s" if seconds > SHORTEST_S else ""


def service_beside(label: str, service: str) -> str:
    """Service to name beside the label of a step; "" where the label names it."""
    return "" if service in label else service


def source_list(sources: Sequence[Source]) -> str:
    """Markdown list of links to the sources that are pages, not sanitised yet; "" without any."""
    pages = [source for source in sources if not source.url.startswith(MAIL_SCHEME)]
    shown = [f"- [{literal(source.title)}](<{source.url}>)" for source in pages[:MOST_SOURCES]]
    more = ["- " + gettext("and {n} more", n=len(pages) - MOST_SOURCES)] if len(pages) > MOST_SOURCES else []
    return "\n".join(shown + more)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
