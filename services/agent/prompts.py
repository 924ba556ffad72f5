"""`PromptBuilder`: the system text from the words in `prompts/`, and the block of context before each message."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from services.agent.messages import text_block
from services.agent.optional_tools import optional_section
from services.assistants.assistant import Assistant
from services.integrations import catalog
from services.integrations.catalog import Words
from services.settings import ROOT
from services.students import Student
from services.tools.base import Tool, ToolExecutionContext
from services.tools.categories import heading
from services.tools.resolution import Disabled, Resolution

PROMPTS = ROOT / "prompts"
NAME_LENGTH = 80
_MISSING = (
    "{label} is not connected. If the student asks for something from it, say that it can be connected on the "
    "Connections page."
)


class PromptBuilder:
    """Nothing in the system text moves with time: it stays the same, and so cached, until connections change."""

    def __init__(
        self,
        folder: Path = PROMPTS,
        words: Callable[[str], Words] = catalog.words,
        assistants: Callable[[], Sequence[Assistant]] = tuple,
    ) -> None:
        """`words`: an integration's own words, by its id. `assistants`: all that can be asked."""
        self._folder = folder
        self._words = cache(words)
        self._assistants = assistants

    def system(
        self, student: Student, resolution: Resolution, assistant: Assistant | None = None
    ) -> list[dict[str, Any]]:
        """System blocks: role, tools, words of assistant and integrations, optional tools; guardrails always last."""
        is_connected = resolution.connected or resolution.set_aside
        name = "student_assistant_system" if is_connected else "no_integrations_system"
        values = {
            "student": _one_line(student.name) or "the student",
            "timezone": student.timezone,
            "tools": _tool_list(resolution.tools),
        }
        parts = [
            _filled(_text(self._folder / f"{name}.txt"), values),
            *_words_of(assistant),
            _set_aside(resolution.set_aside),
            *(self._connected(id, assistant) for id in (*_own(resolution.tools), *resolution.connected)),
            *(self._disabled(disabled) for disabled in resolution.disabled),
            optional_section(resolution.tools, _text(self._folder / "optional_tools.txt")),
            _text(self._folder / "guardrails.txt"),
        ]
        return [text_block("\n\n".join(part for part in parts if part))]

    def asked(
        self, context: ToolExecutionContext, resolution: Resolution, assistant: Assistant
    ) -> list[dict[str, Any]]:
        """The same for an assistant that answers another one's question, and hears by whom it is asked."""
        asker = context.assistant
        values = {"asker": asker.name, "integrity": asker.integrity or "it does not do the student's work."}
        words = _filled(_text(self._folder / "asked_by_assistant.txt"), values)
        return [text_block(words), *self.system(context.student, resolution, assistant)]

    def _connected(self, id: str, assistant: Assistant | None) -> str:
        """An integration's words; those on asking name the other assistants."""
        words = self._words(id).connected
        if "{assistants}" not in words:
            return words
        others = [one for one in self._assistants() if assistant is None or one.id != assistant.id]
        return _filled(words, {"assistants": "\n".join(f"- {one.name} ({one.id}): {one.summary}" for one in others)})

    def _disabled(self, disabled: Disabled) -> str:
        """One message for each missing or dead integration: its own words, with the reason when it is dead."""
        words = self._words(disabled.integration)
        if disabled.kind == "missing":
            return words.missing or _MISSING.format(label=disabled.label)
        own = _filled(words.reconnect, {"reason": disabled.reason}) or f"{disabled.label} must be reconnected."
        return own if disabled.reason in own else f"{own}\nThe reason: {disabled.reason}"


@cache
def _text(path: Path) -> str:
    return path.read_text().strip() if path.is_file() else ""


def context_text(now: datetime, news: Sequence[str] = ()) -> str:
    """What goes in front of a message and is stored with it: `now` in the student's zone, and any news."""
    hours = now.strftime("%z")
    moment = f"{now:%A} {now.day} {now:%B %Y, %H:%M} ({now.tzinfo}, UTC{hours[:3]}:{hours[3:]})"
    return "<context>" + "\n".join([f"Now: {moment}", *news]) + "</context>"


def _tool_list(tools: Iterable[Tool]) -> str:
    """Tools by category, in the order they are registered."""
    by_category: dict[str, list[str]] = {}
    for tool in tools:
        by_category.setdefault(tool.category, []).append(tool.name)
    lines = [f"- {heading(category)}: {', '.join(names)}" for category, names in by_category.items()]
    return "\n".join(lines) or "- Nothing."


def _words_of(assistant: Assistant | None) -> Iterable[str]:
    if assistant is None:
        return ()
    integrity = f"Academic integrity in this chat: {assistant.integrity}" if assistant.integrity else ""
    return assistant.words.strip(), integrity


def _set_aside(labels: Sequence[str]) -> str:
    """What the student has connected and this assistant leaves alone: it must not call it missing."""
    if not labels:
        return ""
    return f"Connected, but not used in this chat: {', '.join(labels)}. Another assistant can use it."


def _own(tools: Iterable[Tool]) -> dict[str, None]:
    """What brings the tools that need no connection of their own."""
    return dict.fromkeys(tool.extension for tool in tools if tool.integration is None and tool.extension)


def _filled(words: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        words = words.replace("{" + name + "}", value)
    return words


def _one_line(name: str) -> str:
    """A name comes from the sign-in provider: no line breaks or braces that could pass for words of ours."""
    kept = "".join(c for c in " ".join(name.split()) if c.isprintable() and c not in "{}<>")
    return kept[:NAME_LENGTH] or "a student"
