"""Materials that a student's words and days mean: "lecture 9", "Tuesday's lecture", "the slides on water"."""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import PurePath
from zoneinfo import ZoneInfo

from services.integrations.kit.name_matcher import best_matches, contains_words
from services.materials.material import Material
from services.materials.results import CourseStatus, ListedMaterial

Pair = tuple[ListedMaterial, CourseStatus]
"""Material with its course."""
_DAYS_BEFORE, _DAYS_AFTER = 3, 1
"""A lecture's slides are often posted some days before it, or the day after."""


def matching_materials(
    pairs: Sequence[Pair], wanted: str, module: str | None, posted_on: date | None, zone: ZoneInfo
) -> tuple[list[Pair], list[str]]:
    by_id = [pair for pair in pairs if wanted.strip() in _ids(pair[0].material)]
    if by_id:
        return by_id, []
    if module:
        named = best_matches(pairs, module, lambda pair: (pair[0].material.module,))
        pairs = named or pairs
    named = _named(pairs, wanted, _about)
    if posted_on is None:
        return named or _named(pairs, wanted, _loosely_about), []
    if named:
        return _of_day(named, posted_on, zone)
    there, remarks = _of_day(pairs, posted_on, zone)
    return _named(there, wanted, _loosely_about) or there, remarks


def _named(pairs: Sequence[Pair], wanted: str, about: Callable[[Pair], tuple[str, ...]]) -> list[Pair]:
    """Materials that the words name, else those that the words are about: "the slides"."""
    found = best_matches(pairs, wanted, material_names, place=_place, about=about)
    return found or [pair for pair in pairs if contains_words(" ".join(about(pair)), wanted)]


def _of_day(pairs: Sequence[Pair], day: date, zone: ZoneInfo) -> tuple[list[Pair], list[str]]:
    """Materials that were posted on a day or name it, else those of the nearest day around it, with a remark."""
    by_distance: dict[int, list[Pair]] = {}
    for pair in pairs:
        posted = posted_at(pair)
        ahead = (day - posted.astimezone(zone).date()).days if posted else None
        if names_day(f"{pair[0].material.title} {pair[0].material.name}", day):
            by_distance.setdefault(0, []).append(pair)
        elif ahead is not None and -_DAYS_AFTER <= ahead <= _DAYS_BEFORE:
            by_distance.setdefault(abs(ahead), []).append(pair)
    if not by_distance:
        return [], []
    nearest = min(by_distance)
    remark = f"None was posted on {day:%a} {day.day} {day:%b} itself; this is the nearest." if nearest else ""
    return by_distance[nearest], [remark] if remark else []


def names_day(text: str, day: date) -> bool:
    """Whether a title has a day in it: "Nov 17", "17 November", "2026-11-17", "11/17"."""
    written = f" {' '.join(text.casefold().replace('_', ' ').replace(',', ' ').replace('.', ' ').split())} "
    month, short = f"{day:%B}".casefold(), f"{day:%b}".casefold()
    forms = [f" {name} {day.day} " for name in (month, short)] + [f" {day.day} {name} " for name in (month, short)]
    return any(form in written for form in (*forms, f"{day:%Y-%m-%d}", f" {day.month}/{day.day} "))


def posted_at(pair: Pair) -> datetime | None:
    return pair[0].material.dated_at


def _ids(material: Material) -> tuple[str, ...]:
    return material.id, material.id.rpartition("-")[2]


def material_names(pair: Pair) -> tuple[str, ...]:
    """Title and file name, and both spelled out: "BIOL201_Lec06_membranes.pptx" is "BIOL 201 lecture 06 membranes"."""
    material = pair[0].material
    names = dict.fromkeys(name for name in (material.title, material.name) if name)
    return tuple(dict.fromkeys((*names, *map(_spelled_out, names))))


def _spelled_out(name: str) -> str:
    stem = PurePath(name).stem if PurePath(name).suffix else name
    parts = _NAME_PARTS.findall(stem)
    return " ".join(_SHORT_FORMS.get(part.casefold(), part) for part in parts)


def _place(pair: Pair) -> tuple[str, ...]:
    return pair[1].course.name, pair[1].course.code


def _about(pair: Pair) -> tuple[str, ...]:
    """What else a student calls it by: its module, and what sort of thing it is."""
    material = pair[0].material
    return material.module, *_SORTS.get(PurePath(material.name).suffix.casefold(), ()), str(material.kind)


def _loosely_about(pair: Pair) -> tuple[str, ...]:
    """The same, with what any file may be called: slides are handed out as PDF, too."""
    return (*_about(pair), *_ANY_FILE) if pair[0].material.name else _about(pair)


_NAME_PARTS = re.compile(r"[^\W\d_]+|\d+")
_SHORT_FORMS = {
    **dict.fromkeys(("lec", "lect"), "lecture"),
    **dict.fromkeys(("ch", "chap"), "chapter"),
    "rdg": "reading",
    "hw": "homework",
    "ps": "problem set",
    "wk": "week",
    "mt": "midterm",
    "sg": "study guide",
}
"""Short forms that teachers give their files."""
_SLIDES = ("slides", "lecture", "deck", "presentation")
_ANY_FILE = (*_SLIDES, "reading", "handout", "notes")
_SORTS = {
    ".pptx": _SLIDES,
    ".pdf": ("reading", "pdf", "paper", "chapter"),
    ".docx": ("document", "handout", "worksheet", "word"),
}
