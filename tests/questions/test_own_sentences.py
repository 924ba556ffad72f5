"""What the product itself says in the student's name is answered by the demo model, in both languages."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from services.i18n import gettext
from services.i18n.locale import locale_scope
from services.identity.students import Student
from services.week.free_time import Gap
from services.week.suggestions import Suggestion, SuggestionKind
from services.week.today import StudySlot
from services.week.week import EntryKind, WeekEntry
from tests.questions.classroom import Classroom
from ui.chat.suggestions import general_questions, question_about
from ui.today.today_lines import slot_message
from ui.week.week_labels import planning_question

CONNECTED = ("canvas", "google_calendar", "notion")
SENDERS = {
    "ui/chat/composer.py", "ui/chat/guided_study.py", "ui/chat/suggestions.py", "ui/classroom/presenter_steps.py",
    "ui/materials/reader.py", "ui/study/learner_notes.py", "ui/study/topic_bars.py", "ui/today/today_page.py",
    "ui/week/schedule.py",
}  # fmt: skip
"""Files that send a message in the student's name, or write one for them; each is asked below."""
NOT_UNDERSTOOD = re.compile(
    r"don.t understand|No entiendo eso|That didn.t work|No funcionó|found nothing|no encontré|the student\b"
)
NOW = datetime.now(UTC)


def own_sentences(maya: Student) -> dict[str, str]:
    """Each with the tool that answers it."""
    quiz = entry("Quiz 5 (chapters 11–12)", "BIOL 201: Cell Biology", days=2)
    late = entry("Problem Set 7: Endomembrane system", "BIOL 201: Cell Biology", days=-3)
    gap = Gap(start=NOW + timedelta(days=1), end=NOW + timedelta(days=1, hours=1))
    place = gettext("“{title}”, slide {n}", title="Lecture 6: Membranes and transport", n=6)
    return {
        question_about(Suggestion(hint=SuggestionKind.EXAM, entry=quiz), maya).message: "canvas_get_assignment",
        planning_question(quiz, maya, NOW): "calendar_suggest_times",
        planning_question(late, maya, NOW): "calendar_suggest_times",
        slot_message(StudySlot(entry=quiz, gap=gap), maya): "calendar_create_event",
        gettext("About {place}: ", place=place) + "?": "materials_read",
        gettext("Put two hours of biology in my calendar tomorrow at 4 pm."): "calendar_create_event",
        **dict.fromkeys(map(gettext, general_questions(("courses", "calendar", "notes"))), ""),
    }


def entry(title: str, course: str, *, days: int) -> WeekEntry:
    return WeekEntry(kind=EntryKind.DUE, id="1", title=title, course=course, start=NOW + timedelta(days=days))


def test_every_file_that_speaks_for_the_student_is_asked() -> None:
    speaks = re.compile(
        r"\b(?:send_message|save_draft_text|start_guided_study)\(|on_click=send_message|, send_message\)"
    )
    files = [path for folder in ("ui", "pages") for path in Path(folder).rglob("*.py")]

    assert {str(path) for path in files if speaks.search(path.read_text())} - SENDERS <= {"ui/chat/draft.py"}


@pytest.mark.soak
@pytest.mark.parametrize("locale", ["en", "es"])
def test_what_a_button_sends_is_answered(classroom: Classroom, locale: str) -> None:
    room = classroom.room(CONNECTED)
    with locale_scope(locale):
        sentences = own_sentences(room.maya)
    wrong = []
    for sentence, tool in sentences.items():
        _, view = room.ask(sentence)
        said = repr(view.items)
        cards = [card.tool for card in room.services.approvals.waiting(room.maya.id, 50)]
        if NOT_UNDERSTOOD.search(said) or tool not in f"{said}{cards}":
            wrong.append(sentence)

    assert wrong == []
