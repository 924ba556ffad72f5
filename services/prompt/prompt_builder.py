"""`PromptBuilder`: the system text from the files in `prompts/`, optional tools, and the context of a message."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Any

from babel import Locale

from services.assistants.assistant import Assistant
from services.identity.students import Student
from services.integrations import catalog
from services.integrations.catalog import IntegrationPrompts
from services.llm.messages import text_block
from services.prompt.optional_tools import optional_section
from services.prompt.tool_mentions import without_mentions
from services.runtime.prompt_files import prompt
from services.safety.text import one_line
from services.tools.availability import DisabledIntegration
from services.tools.context import ToolExecutionContext
from services.tools.resolution import Resolution
from services.tools.tool import Tool, heading
from services.week.horizon import DaySpan, horizon

NAME_LENGTH = 80
SUMMARY_LENGTH = 200
DELEGATION_TOOL = "ask_assistant"
TOOLS = "tools."
_MISSING = (
    "{label} is not connected. If the student asks for something from it, say that it can be connected on the "
    "Connections page."
)

_PAUSED = (
    "{label} is connected, and the student has not agreed that you read it. If they ask for something from it, say "
    "that they can agree on the Connections page."
)


@dataclass(frozen=True, kw_only=True)
class PromptPart:
    """Part of the system text under a key, so that a change of it can be told alone.

    is_own: it holds the student's own values; every other part is the same for all with the same connections.
    """

    key: str
    text: str = field(repr=False)
    is_own: bool = False

    def without_mentions(self, absent: frozenset[str]) -> "PromptPart":
        """The part without what names one of these tools."""
        text = without_mentions(self.text, absent)
        return self if text == self.text else replace(self, text=text)


class PromptBuilder:
    """Builds a system text that does not change with time: it stays cached until connections change."""

    def __init__(
        self,
        words: Callable[[str], IntegrationPrompts] = catalog.load_prompts,
        assistants: Callable[[], Sequence[Assistant]] = tuple,
        class_assistants: Callable[[str], Sequence[Assistant]] = lambda student_id: (),
    ) -> None:
        """words: an integration's prompt texts, by its id. assistants: all of the deployment that can be asked.
        class_assistants: those of a student's classes.
        """
        self._words = cache(words)
        self._assistants, self._class_assistants = assistants, class_assistants

    def system(
        self, student: Student, resolution: Resolution, assistant: Assistant | None = None
    ) -> list[dict[str, Any]]:
        """Build the system blocks for a prompt that holds every tool."""
        return system_blocks(self.parts(student, resolution, assistant))

    def parts(
        self,
        student: Student,
        resolution: Resolution,
        assistant: Assistant | None = None,
        *,
        finding: str = "",
        in_full: bool = True,
    ) -> tuple[PromptPart, ...]:
        """Build all parts: role, tools, assistant, integrations, optional tools, guardrails; then the student's own.

        finding: the prompt file on searching for tools that are not loaded, where that is possible. in_full: with the
        hints of every optional tool; without them each has its own in its definition.
        """
        is_connected = resolution.connected or resolution.set_aside
        role = "student_assistant_system" if is_connected else "no_integrations_system"
        optional = optional_section(resolution.tools, prompt("optional_tools"), in_full=in_full)
        values = {"student": _one_line(student.name) or "the student", "timezone": student.timezone}
        parts = (
            PromptPart(key="role", text=prompt(role)),
            PromptPart(key="how", text=prompt("how_to_work")),
            *_tool_lists(resolution.tools),
            PromptPart(key="finding", text=prompt(finding) if finding else ""),
            *_words_of(assistant),
            PromptPart(key="set_aside", text=_set_aside(resolution.set_aside)),
            *(
                PromptPart(key=f"connected.{id}", text=self._connected(id, assistant))
                for id in dict.fromkeys((*_extensions(resolution.tools), *resolution.connected))
            ),
            *self._missing(resolution.disabled),
            PromptPart(key="not_set_up", text=_not_set_up(resolution.not_set_up)),
            PromptPart(key="switched_off", text=_switched_off(resolution.switched_off), is_own=True),
            PromptPart(key="optional", text=optional),
            PromptPart(key="guardrails", text=prompt("guardrails")),
            PromptPart(key="student", text=_filled(prompt("student"), values), is_own=True),
            PromptPart(key="language", text=self._language(student), is_own=True),
            PromptPart(key="class_assistants", text=self._of_classes(student, resolution, assistant), is_own=True),
            *self._dead(resolution.disabled),
        )
        absent = resolution.absent
        told = (part.without_mentions(absent) for part in parts if part.text)
        return tuple(part for part in told if part.text)

    def _of_classes(self, student: Student, resolution: Resolution, assistant: Assistant | None) -> str:
        """The assistants of the student's classes, where another one can be asked; "" for none."""
        if DELEGATION_TOOL not in resolution.names:
            return ""
        found = self._class_assistants(student.id)
        others = [other for other in found if assistant is None or other.id != assistant.id]
        lines = "\n".join(_line_of(other) for other in others)
        return f"{DELEGATION_TOOL} also reaches the assistants of the student's classes:\n{lines}" if others else ""

    def _language(self, student: Student) -> str:
        """The language that the student reads; nothing for English, the language of our own texts."""
        if student.language == "en":
            return ""
        language = Locale.parse(student.locale, sep="-").get_language_name("en") or student.language
        return _filled(prompt("language"), {"language": language, "locale": student.locale})

    def changes_text(self, parts: Iterable[PromptPart]) -> str:
        """Text for parts that are new or have changed in the middle of a conversation."""
        return "\n\n".join((prompt("tools_changed"), _joined(parts)))

    def delegated_system(
        self, context: ToolExecutionContext, resolution: Resolution, assistant: Assistant
    ) -> list[dict[str, Any]]:
        """System blocks of an assistant that answers another assistant's question."""
        asker = context.assistant
        values = {"asker": asker.name, "integrity": asker.integrity or "it does not do the student's work."}
        words = _filled(prompt("asked_by_assistant"), values)
        return [text_block(words), *self.system(context.student, resolution, assistant)]

    def _connected(self, id: str, assistant: Assistant | None) -> str:
        """Prompt text of a connected integration; the one on delegation names the other assistants."""
        words = self._words(id).connected
        if "{assistants}" not in words:
            return words
        others = [other for other in self._assistants() if assistant is None or other.id != assistant.id]
        return _filled(
            words,
            {"assistants": "\n".join(_line_of(other) for other in others)},
        )

    def _missing(self, disabled: Sequence[DisabledIntegration]) -> Iterator[PromptPart]:
        for integration in disabled:
            if integration.kind == "missing" and integration.needs_account:
                words = self._words(integration.integration).missing or _MISSING.format(label=integration.label)
                yield PromptPart(key=f"missing.{integration.integration}", text=words)

    def _dead(self, disabled: Sequence[DisabledIntegration]) -> Iterator[PromptPart]:
        """One part for each dead integration: its own text, with the reason."""
        for integration in disabled:
            if integration.kind == "locked":
                yield PromptPart(key=f"locked.{integration.integration}", text=integration.reason, is_own=True)
            elif integration.kind == "paused":
                words = _PAUSED.format(label=integration.label)
                yield PromptPart(key=f"paused.{integration.integration}", text=words, is_own=True)
            elif integration.kind == "reconnect":
                words = _filled(self._words(integration.integration).reconnect, {"reason": integration.reason})
                own = words or f"{integration.label} must be reconnected."
                text = own if integration.reason in own else f"{own}\nThe reason: {integration.reason}"
                yield PromptPart(key=f"reconnect.{integration.integration}", text=text, is_own=True)


def system_blocks(parts: Sequence[PromptPart]) -> list[dict[str, Any]]:
    """Join parts to two blocks, the shared ones first: the cache has them once for
    all; the rest is for each to write.
    """
    shared, own = ([part for part in parts if part.is_own is is_own] for is_own in (False, True))
    return [text_block(text) for text in (_joined(shared), _joined(own)) if text]


def _joined(parts: Iterable[PromptPart]) -> str:
    """Join parts as paragraphs; the lines of the list of tools stay together."""
    text = ""
    for part in parts:
        is_line = part.key.startswith(TOOLS) and text.rpartition("\n")[2].startswith("- ")
        text += ("\n" if is_line else "\n\n" if text else "") + part.text
    return text


def context_text(now: datetime, locale: str, news: Sequence[str] = ()) -> str:
    """Text in front of a message that is stored with it: `now` in the student's time zone, which days their weeks are,
    and any news. locale: the student's, which says on which day a week begins.
    """
    hours, weeks = now.strftime("%z"), horizon(now, locale)
    moment = f"{moment_text(now)} ({now.tzinfo}, UTC{hours[:3]}:{hours[3:]})"
    spans = f"This week: {_span_text(weeks.this_week)}. Next week: {_span_text(weeks.next_week)}."
    return "<context>" + "\n".join([f"Now: {moment}", spans, *news]) + "</context>"


def _span_text(span: DaySpan) -> str:
    return f"{span.first:%a} {span.first} to {span.last:%a} {span.last}"


def moment_text(moment: datetime) -> str:
    """A moment in its own time zone, in English."""
    return f"{moment:%A} {moment.day} {moment:%B %Y, %H:%M}"


def _tool_lists(tools: Iterable[Tool]) -> list[PromptPart]:
    """List tools by category, in the order they are registered; a line for each."""
    by_category: dict[str, list[str]] = {}
    for tool in tools:
        by_category.setdefault(tool.category, []).append(tool.name)
    lines = [
        PromptPart(key=f"{TOOLS}{category}", text=f"- {heading(category)}: {', '.join(names)}")
        for category, names in by_category.items()
    ]
    return lines or [PromptPart(key=f"{TOOLS}none", text="- Nothing.")]


def _words_of(assistant: Assistant | None) -> Iterator[PromptPart]:
    if assistant is not None:
        integrity = (
            f"What the student reads of academic integrity in this chat: “{assistant.integrity}”"
            if assistant.integrity
            else ""
        )
        yield PromptPart(key="assistant", text=assistant.words.strip())
        yield PromptPart(key="integrity", text=integrity)


def _line_of(assistant: Assistant) -> str:
    name, summary = one_line(assistant.name, NAME_LENGTH), one_line(assistant.summary, SUMMARY_LENGTH)
    return f"- {name} ({assistant.id}): “{summary}”"


def _set_aside(labels: Sequence[str]) -> str:
    """Text on what is connected but not used by this assistant: it must not call it missing."""
    if not labels:
        return ""
    return f"Connected, but not used in this chat: {', '.join(labels)}. Another assistant can use it."


def _switched_off(names: Sequence[str]) -> str:
    """Text on what the student has switched off for themselves: the model must not call it missing or broken."""
    if not names:
        return ""
    return (
        f"The student has switched off these tools for themselves: {', '.join(map(heading, names))}. When they ask for "
        "one, say so in one sentence: they can switch it on again under Tools or in Settings."
    )


def _not_set_up(categories: Sequence[str]) -> str:
    if not categories:
        return ""
    names = ", ".join(heading(category) for category in categories)
    return (
        f"Not set up in this Homeroom: {names}. When the student asks for one of these, say so in one sentence; then "
        "help here in the chat, with text that they can copy."
    )


def _extensions(tools: Iterable[Tool]) -> dict[str, None]:
    """Extensions that these tools come from."""
    return dict.fromkeys(tool.extension for tool in tools if tool.extension)


def _filled(words: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        words = words.replace("{" + name + "}", value)
    return words


def _one_line(name: str) -> str:
    """Clean a name from the sign-in provider: no line breaks or braces that could pass for text of ours."""
    kept = "".join(c for c in " ".join(name.split()) if c.isprintable() and c not in "{}<>")
    return kept[:NAME_LENGTH] or "a student"
