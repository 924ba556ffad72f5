"""The colours of courses: as many as there are tones, words that can be read, light and dark, and no two alike."""

import re
from itertools import combinations
from pathlib import Path

from api.assets.component_assets import WEEK_CALENDAR
from services.week.course_tones import TONES

LEAST_CONTRAST = 4.5
"""Of text, for WCAG 2.2 AA (1.4.3)."""
_TONE = re.compile(
    r"\.hc-(tone-\d|plain) \{ --tint: light-dark\(#(\w+), #(\w+)\); --tone: light-dark\(#(\w+), #(\w+)\);"
    r" --edge: light-dark\(#(\w+), #(\w+)\)"
)


def tones() -> dict[str, tuple[str, ...]]:
    assert WEEK_CALENDAR.folder is not None
    style = (WEEK_CALENDAR.folder / "calendar.css").read_text(encoding="utf-8")
    return {name: tuple(parts) for name, *parts in _TONE.findall(style)}


def channels(color: str) -> list[int]:
    whole = color if len(color) == 6 else "".join(digit * 2 for digit in color)
    return [int(whole[index : index + 2], 16) for index in (0, 2, 4)]


def luminance(color: str) -> float:
    """https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
    parts = [value / 255 for value in channels(color)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_there_is_a_colour_for_each_tone() -> None:
    assert set(tones()) == {"plain", *(f"tone-{number}" for number in range(TONES))}


def test_words_can_be_read_on_every_tint_light_and_dark() -> None:
    low = {
        name: (contrast(light_tint, light), contrast(dark_tint, dark))
        for name, (light_tint, dark_tint, light, dark, *_) in tones().items()
        if min(contrast(light_tint, light), contrast(dark_tint, dark)) < LEAST_CONTRAST
    }

    assert low == {}


def test_the_pages_have_the_colours_of_the_calendar() -> None:
    style = (Path(__file__).parents[3] / "ui" / "style.css").read_text(encoding="utf-8")
    courses = re.findall(r"--course-(\d): light-dark\(#(\w+), #(\w+)\)", style)

    assert {f"tone-{number}": tuple(edge) for number, *edge in courses} == {
        name: parts[4:] for name, parts in tones().items() if name != "plain"
    }


def test_no_two_edges_are_nearly_the_same() -> None:
    for place in (4, 5):
        near = [
            (first, second)
            for first, second in combinations(tones(), 2)
            if sum(
                abs(a - b)
                for a, b in zip(channels(tones()[first][place]), channels(tones()[second][place]), strict=True)
            )
            < 40
        ]

        assert near == []
