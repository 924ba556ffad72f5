"""Every sentence that the product can send or suggests: found in its buttons, its tools, README and docs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from services.i18n import gettext
from services.i18n.locale import locale_scope
from services.identity.students import Student
from services.tools.tool import Example
from services.week.free_time import Gap
from services.week.suggestions import Suggestion, SuggestionKind
from services.week.today import StudySlot
from services.week.week import EntryKind, WeekEntry
from tests.api.every_tool import root
from ui.chat.suggestions import general_questions, question_about
from ui.classroom.presenter_steps import STEPS
from ui.today.today_lines import slot_message
from ui.week.week_labels import planning_question

NOW = datetime.now(UTC)
ITALIC = re.compile(r"(?<![*\w])\*(?P<said>[A-ZÁÉÍÓÚ¿][^*\n]{8,140})\*(?!\*)")
QUOTED = re.compile(r"[“«\"](?P<said>[A-ZÁÉÍÓÚ¿][^“”«»\"\n]{8,140}\?)[”»\"]")
CALLS = re.compile(r"\s*\((?:one call|which is|but which)[^)]*\)")
"""What an example tells its reader besides the student's sentence."""
GIVEN = ("url", "urls", "of_page", "doi", "isbn", "text", "owner", "repo")
"""Arguments that nobody could know who does not say them."""
LABELS = {
    "Everything there is", "What is new", "Find where a function is used", "Something recent", "A few good sources",
    "Add a closing sentence",
}  # fmt: skip
"""Examples that describe a call and that nobody would say."""
BEFORE = {
    "study_answer": ("Ask me the osmosis quiz one question at a time",),
    "study_review": ("Review my cards with me",),
}
"""What was said before the examples of a tool that goes on with something."""


@dataclass(frozen=True, kw_only=True)
class OwnSentence:
    """Sentence in the student's name. tool: who answers it, "" where several may. first: what was said before it."""

    text: str
    tool: str = ""
    first: tuple[str, ...] = ()
    is_guided: bool = False


def documented() -> Iterator[OwnSentence]:
    """The examples of every tool that a student of the campus can have."""
    for tool in root().values():
        if not tool.is_sample:
            first = BEFORE.get(tool.name, ())
            said = [example for example in tool.examples if example.description not in LABELS]
            yield from (OwnSentence(text=_said(example), tool=tool.name, first=first) for example in said)


def _said(example: Example) -> str:
    text = CALLS.sub("", example.description)
    values = [value for name in GIVEN if isinstance(value := example.arguments.get(name), str | list)]
    unsaid = [each for value in values for each in ([value] if isinstance(value, str) else value) if each not in text]
    if "owner" in example.arguments:
        unsaid = ["/".join(unsaid)]
    is_whole = text.endswith(".") or "document" in example.arguments
    return f"{text}: {' '.join(unsaid)}" if unsaid and not is_whole else text


def written() -> Iterator[OwnSentence]:
    """What README proposes to ask, and the questions in quotes of the other pages."""
    said = [match["said"] for match in ITALIC.finditer(Path("README.md").read_text()) if _is_message(match["said"])]
    for page in [Path("README.md"), *sorted(Path("docs").glob("*.md"))]:
        said += [match["said"] for match in QUOTED.finditer(page.read_text())]
    return (OwnSentence(text=text) for text in dict.fromkeys(said))


def _is_message(text: str) -> bool:
    return text.endswith(("?", ".")) or (len(text.split()) > 4 and "→" not in text)


def sent(student: Student, locale: str) -> list[OwnSentence]:
    """What buttons, suggestions and the presenter's script send, in one language."""
    with locale_scope(locale):
        return [*_suggested(student), *_presented(), *_guided()]


def _suggested(student: Student) -> Iterator[OwnSentence]:
    quiz = entry("Quiz 5 (chapters 11–12)", "BIOL 201: Cell Biology", days=2)
    late = entry("Problem Set 7: Endomembrane system", "BIOL 201: Cell Biology", days=-3)
    task = WeekEntry(kind=EntryKind.TASK, id="t", title="Read chapter 7", start=NOW + timedelta(days=2))
    for kind in SuggestionKind:
        about = None if kind.name.startswith("FREE") else late if kind is SuggestionKind.OVERDUE else quiz
        yield OwnSentence(text=question_about(Suggestion(hint=kind, entry=about), student).message)
    yield OwnSentence(
        text=question_about(Suggestion(hint=SuggestionKind.TODAY, entry=task), student).message, tool="planner"
    )
    for due in (quiz, late):
        yield OwnSentence(text=planning_question(due, student, NOW), tool="calendar_suggest_times")
    gap = Gap(start=NOW + timedelta(days=1), end=NOW + timedelta(days=1, hours=1))
    yield OwnSentence(text=slot_message(StudySlot(entry=quiz, gap=gap), student), tool="calendar_create_event")
    place = gettext("“{title}”, slide {n}", title="Lecture 6: Membranes and transport", n=6)
    yield OwnSentence(text=gettext("About {place}: ", place=place) + "?", tool="materials_read")
    categories = ("courses", "calendar", "notes")
    yield from (OwnSentence(text=gettext(question)) for question in general_questions(categories))


def _presented() -> Iterator[OwnSentence]:
    for step in STEPS:
        words = [cell.cell_contents for cell in step.finds.__closure__ or () if isinstance(cell.cell_contents, str)]
        yield from (OwnSentence(text=gettext(text)) for text in words if " " in text)


def _guided() -> Iterator[OwnSentence]:
    begun = gettext("Study “{about}” with me.", about="Osmosis")
    yield OwnSentence(text=begun, is_guided=True)
    for said in ("Give me a hint", "Just tell me"):
        yield OwnSentence(text=gettext(said), first=(begun,), is_guided=True)


def entry(title: str, course: str, *, days: int) -> WeekEntry:
    """Work of a course on the campus, as a list of the week shows it."""
    return WeekEntry(kind=EntryKind.DUE, id="1", title=title, course=course, start=NOW + timedelta(days=days))
