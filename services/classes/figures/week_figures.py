"""`WeekFigures`: figures of a class for a week, as they are published: numbers of students, rounded."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from services.classes.figures.figure_week import FigureWeek, week_of_key
from services.storage.documents import Document
from services.storage.records import read_record, record_reader


@dataclass(frozen=True, kw_only=True)
class PageFigure:
    """Students whose answers came from a material, or from one page of it. page: 0 for the material as a whole."""

    material_id: str
    title: str = field(repr=False)
    page: int
    students: int


@dataclass(frozen=True, kw_only=True)
class FailureFigure:
    """Students for whom a tool did not work. kind: `FailureKind`, as text."""

    tool: str
    kind: str
    students: int


@dataclass(frozen=True, kw_only=True)
class WeekFigures:
    """Figures of one week; what fewer than five students did is in none of them.

    students: who asked anything; 0 for a week with fewer than five. days: from Monday. parts, topics: by name.
    questions, micros (millionths of a dollar): sums, rounded; 0 where they are not told.
    """

    week: FigureWeek
    students: int = 0
    questions: int = 0
    micros: int = 0
    days: Mapping[int, int] = field(default_factory=dict)
    parts: Mapping[str, int] = field(default_factory=dict)
    topics: Mapping[str, int] = field(default_factory=dict)
    pages: Sequence[PageFigure] = ()
    failures: Sequence[FailureFigure] = ()


def figures_document(class_id: str, figures: WeekFigures, *, kept_until: str) -> Document:
    """Figures as they are stored; no student is named."""
    return {
        "id": f"{class_id}.{figures.week.key}",
        "class_id": class_id,
        "week": figures.week.key,
        "kept_until": kept_until,
        "students": figures.students,
        "questions": figures.questions,
        "micros": figures.micros,
        "days": {str(day): students for day, students in figures.days.items()},
        "parts": dict(figures.parts),
        "topics": [{"name": name, "students": students} for name, students in figures.topics.items()],
        "pages": [asdict(page) for page in figures.pages],
        "failures": [asdict(failure) for failure in figures.failures],
    }


@record_reader("class_figures")
def figures_of(document: Mapping[str, Any]) -> WeekFigures:
    """Figures that a document holds."""
    return WeekFigures(
        week=week_of_key(document["week"]),
        students=document["students"],
        questions=document["questions"],
        micros=document["micros"],
        days={int(day): students for day, students in document["days"].items()},
        parts=document["parts"],
        topics={line["name"]: line["students"] for line in document["topics"]},
        pages=[read_record(PageFigure, page) for page in document["pages"]],
        failures=[read_record(FailureFigure, failure) for failure in document["failures"]],
    )
