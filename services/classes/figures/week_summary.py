"""Summary of a week: the counters of its students, merged into figures that name nobody."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from services.classes.figures import counted_answer as cells
from services.classes.figures.counted_answer import MOST_QUESTIONS
from services.classes.figures.disclosure import LEAST_GROUP, Draw, published_count, published_sum
from services.classes.figures.figure_week import PARTS, FigureWeek
from services.classes.figures.week_figures import FailureFigure, PageFigure, WeekFigures
from services.storage.counter_fields import BETWEEN, counter_parts

Counters = Mapping[str, object]
"""What one student's document holds; numbers by their field."""
_PARTS_OF_NAMES = {cells.DAY: 1, cells.PART: 1, cells.TOPIC: 1, cells.MATERIAL: 1, cells.PAGE: 2, cells.FAILED: 2}
TitleOf = Callable[[str, Sequence[str]], str]
"""Title of a material, by its id and the students that have it; "" for one that no figure may name."""


def checked_counters(counters: Counters) -> Counters:
    """The same counters; raises `ValueError` where one of them cannot be read."""
    for name in counters:
        for kind, length in _PARTS_OF_NAMES.items():
            parts = counter_parts(name, kind)
            if parts is not None and len(parts) != length:
                raise ValueError("A counter's name has other parts than its kind.")
            if parts is not None and kind in (cells.DAY, cells.PAGE):
                int(parts[-1])
    return counters


def week_figures(week: FigureWeek, counters: Mapping[str, Counters], *, title_of: TitleOf, draw: Draw) -> WeekFigures:
    """Figures of a week from each student's counters, by the student's id. draw: `disclosure.Draw`."""
    asked = {id: found for id, found in counters.items() if _amount(found, cells.QUESTIONS)}
    if len(asked) < LEAST_GROUP:
        return WeekFigures(week=week)
    groups: Counter[str] = Counter(name for found in asked.values() for name, value in found.items() if value)
    students = published_count(len(asked), draw)
    told = {name: published_count(group, draw) for name, group in sorted(groups.items()) if BETWEEN in name}
    # By chance a part may be more than the whole: nobody would understand that, and to cap it tells nothing new.
    told = {name: min(part, students) for name, part in told.items() if part}
    return WeekFigures(
        week=week,
        students=students,
        questions=published_sum(
            [min(MOST_QUESTIONS, _amount(found, cells.QUESTIONS)) for found in asked.values()], draw
        ),
        micros=published_sum([_amount(found, cells.COST) for found in asked.values()], draw),
        days={int(day): told[name] for name, (day,) in _named(told, cells.DAY)},
        parts={part: told[name] for part in PARTS for name, (found,) in _named(told, cells.PART) if found == part},
        topics=_by_size({topic: told[name] for name, (topic,) in _named(told, cells.TOPIC)}),
        pages=_pages(told, asked, title_of),
        failures=[
            FailureFigure(tool=tool, kind=kind, students=told[name])
            for name, (tool, kind) in _named(told, cells.FAILED)
        ],
    )


def _pages(told: Mapping[str, int], asked: Mapping[str, Counters], title_of: TitleOf) -> Sequence[PageFigure]:
    """Materials, the most asked first, each with its pages in order behind it."""
    found = [(name, material, 0) for name, (material,) in _named(told, cells.MATERIAL)]
    found += [(name, material, int(page)) for name, (material, page) in _named(told, cells.PAGE)]
    titles = {
        material: title_of(material, [id for id, counters in asked.items() if name in counters])
        for name, material, page in found
        if not page
    }
    sizes = {material: told[name] for name, material, page in found if not page}
    return [
        PageFigure(material_id=material, title=title, page=page, students=told[name])
        for name, material, page in sorted(found, key=lambda f: (-sizes.get(f[1], 0), f[1], f[2]))
        if (title := titles.get(material, ""))
    ]


def _named(told: Mapping[str, int], kind: str) -> Sequence[tuple[str, tuple[str, ...]]]:
    return [(name, parts) for name in told if (parts := counter_parts(name, kind)) is not None]


def _by_size(students: Mapping[str, int]) -> Mapping[str, int]:
    return dict(sorted(students.items(), key=lambda pair: (-pair[1], pair[0])))


def _amount(counters: Counters, name: str) -> int:
    value = counters.get(name, 0)
    return value if isinstance(value, int) else 0
