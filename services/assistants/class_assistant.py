"""`AssistantDraft` and `ClassAssistant`: an assistant that an instructor makes, and what a member of the class gets."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, Protocol
from zoneinfo import ZoneInfo

from services.assistants.assistant import Assistant, parse_assistant
from services.assistants.integrity import LevelId, level_of, policy_text
from services.i18n import formats, gettext, locale_scope
from services.runtime.prompt_files import prompt
from services.storage.records import read_record

_CLASS_ID = re.compile(r"c_[0-9a-f]{16}")
ExamMode = Literal["closed", "rules"]


@dataclass(frozen=True, kw_only=True)
class ExamWindow:
    """Time in which an assistant answers nothing ("closed"), or explains nothing but the rules ("rules").

    begins_at, ends_at: aware UTC times; it lasts from the first to just before the second. timezone: in which the
    instructor has set them. rules: what a student is told of the exam, as the instructor wrote it.
    """

    id: str
    begins_at: datetime
    ends_at: datetime
    mode: ExamMode
    timezone: str = "UTC"
    rules: str = field(default="", repr=False)

    def is_open(self, now: datetime) -> bool:
        return self.begins_at <= now < self.ends_at


@dataclass(frozen=True, kw_only=True)
class AssistantDraft(Assistant):
    """What an instructor edits. level: how far it helps. integrity: the instructor's own rules beside the level."""

    level: LevelId = "explains"


@dataclass(frozen=True, kw_only=True)
class ClassAssistant(Assistant):
    """Assistant of a class as it is in force now for a member; `integrity` and `words` hold the policy.

    level, own_rules: what the policy was made of. since: of this version. exam: the window that is open, which leaves
    it without tools and words of its own. next_exam: the window that begins next.
    """

    class_name: str
    level: LevelId
    own_rules: str = ""
    since: datetime | None = None
    exam: ExamWindow | None = None
    next_exam: ExamWindow | None = None

    @property
    def is_closed(self) -> bool:
        return self.exam is not None and self.exam.mode == "closed"

    @property
    def explains_rules_only(self) -> bool:
        return self.exam is not None and self.exam.mode == "rules"


class ClassAssistantSource(Protocol):
    """Assistants of the classes that a student is in, published and in force now."""

    def of_student(self, student_id: str) -> tuple[ClassAssistant, ...]: ...

    def for_student(self, student_id: str, id: str) -> ClassAssistant | None:
        """None for whoever is not in its class, for one that is not published, and for a class that is over."""


class NoClasses:
    """Source of a deployment without classes."""

    def of_student(self, student_id: str) -> tuple[ClassAssistant, ...]:
        return ()

    def for_student(self, student_id: str, id: str) -> ClassAssistant | None:
        return None


def is_class_assistant(id: str) -> bool:
    """Whether this is the form of an id of a class's assistant: "c_" and sixteen hexadecimal digits."""
    return _CLASS_ID.fullmatch(id) is not None


def parse_draft(written: Mapping[str, Any]) -> AssistantDraft:
    """Parse a draft that somebody sends from plain JSON; raises `BadArguments` that names what does not fit."""
    return parse_assistant(written, AssistantDraft)


def read_draft(written: Mapping[str, Any]) -> AssistantDraft:
    """Read a stored draft. Raises `ValueError`."""
    return read_record(AssistantDraft, written)


def published(
    draft: AssistantDraft,
    *,
    class_id: str,
    class_name: str,
    version: str,
    since: datetime | None = None,
    next_exam: ExamWindow | None = None,
) -> ClassAssistant:
    """The assistant that members get of a draft: with its level in its words and in what students read.

    The model reads the policy in English, a student in their own language (`policy_of`).
    """
    shared = {name: getattr(draft, name) for name in Assistant.__dataclass_fields__}
    with locale_scope("en"):
        policy = policy_text(draft.level, draft.integrity)
    return ClassAssistant(
        **{
            **shared,
            "words": "\n".join(filter(None, (draft.words.strip(), level_of(draft.level).words))),
            "integrity": policy,
            "version": version,
            "class_id": class_id,
        },
        class_name=class_name,
        level=draft.level,
        own_rules=draft.integrity,
        since=since,
        next_exam=next_exam,
    )


def during_exam(assistant: ClassAssistant, window: ExamWindow) -> ClassAssistant:
    """The assistant while a window is open: no tools, links, feeds or words of its own, at whatever door."""
    return replace(
        assistant,
        words=_exam_words(assistant, window),
        categories=(),
        switches={},
        mcp_servers=(),
        confirm=(),
        feeds=(),
        links=(),
        is_guided=False,
        exam=window,
        version=f"{assistant.version}.{window.id}.{window.mode}",
    )


def policy_of(assistant: Assistant) -> str:
    """What a student reads of academic integrity, in the language of whoever reads it; "" for none."""
    if isinstance(assistant, ClassAssistant):
        return policy_text(assistant.level, assistant.own_rules)
    return gettext(assistant.integrity) if assistant.integrity else ""


def exam_sentence(assistant: ClassAssistant, zone: ZoneInfo) -> str:
    """What a student reads while an exam window is open, with until when in their time zone; "" while none is."""
    if assistant.exam is None:
        return ""
    values = {"name": assistant.name, "until": formats.moment(assistant.exam.ends_at, zone)}
    if assistant.exam.mode == "closed":
        return gettext("{name} is closed for an exam until {until}.", **values)
    return gettext("{name} explains only the rules of an exam until {until}.", **values)


def _exam_words(assistant: ClassAssistant, window: ExamWindow) -> str:
    with locale_scope("en"):
        until = formats.moment(window.ends_at, ZoneInfo(window.timezone))
    rules = "\n".join(filter(None, (window.rules.strip(), assistant.integrity)))
    words = prompt("exam_rules")
    for name, value in {"until": until, "class_name": assistant.class_name, "rules": rules}.items():
        words = words.replace("{" + name + "}", value)
    return words
