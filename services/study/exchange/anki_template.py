"""Templates of Anki's notes: what the front and the back of a card show of a note's fields.

Fields, conditions, gaps, and the filters of Anki's own. A front shows neither what is to be typed nor what a click on a
hint would show; a back shows both. Source: https://docs.ankiweb.net/templates/fields.html
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from html import escape

from services.study.exchange.anki_cloze import ClozeText, cloze_numbers

_TAG = re.compile(r"\{\{([#^/]?)([^{}]*)\}\}")
_ANSWER_LINE = re.compile(r"<hr\s+id=[\"']?answer[\"']?\s*/?>", re.IGNORECASE)
_ELEMENT = re.compile(r"<[^<>]*>")
_READING = re.compile(r"\[([^\[\]]{1,300})\]")
_NO_READING = ("sound:", "anki:", "$", "/", "latex")
_SECTIONS = ("#", "^")
_READINGS = frozenset({"furigana", "kana", "kanji"})


def render_sides(front: str, back: str, fields: Mapping[str, str], *, cloze: int = 0) -> tuple[str, str]:
    """HTML of front and back. A back stands alone here: what is above its answer's line is left out where the front
    shows the same, and it tells the hints of the front.
    """
    front, back = _conditions(front, fields), _conditions(back, fields)
    shown = _filled(front, fields, cloze, shows_answer=False)
    answer = _below_the_line(back, fields, cloze, shown)
    names = {name for _, name in _tags(back)}
    for filters, name in dict.fromkeys(_tags(front)):
        value = fields.get(name, "")
        if "hint" in filters and name not in names and value.strip():
            answer += f"<div>{escape(name)}: {value}</div>"
        if cloze and "cloze" in filters and name not in names and cloze in cloze_numbers(value):
            answer = f"<div>{ClozeText(value, cloze, shows_answer=True).text}</div>{answer}"
    return shown, answer


def render(template: str, fields: Mapping[str, str], *, cloze: int = 0, shows_answer: bool = False) -> str:
    """Fill a template. cloze: number of the gap that is asked for, from 1; 0 for none. `FrontSide` is left out."""
    return _filled(_conditions(template, fields), fields, cloze, shows_answer=shows_answer)


def _below_the_line(back: str, fields: Mapping[str, str], cloze: int, shown: str) -> str:
    line = _ANSWER_LINE.search(back)
    if line is None:
        return _filled(back, fields, cloze, shows_answer=True)
    above = _filled(back[: line.start()], fields, cloze, shows_answer=True)
    is_same = _words(above) in ("", _words(shown)) and "<img" not in above.replace(shown, "")
    rest = back[line.end() :] if is_same else f"{back[: line.start()]}<br>{back[line.end() :]}"
    return _filled(rest, fields, cloze, shows_answer=True)


def _words(html: str) -> str:
    return " ".join(_ELEMENT.sub(" ", html).replace("&nbsp;", " ").split())


def _tags(template: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """(filters, name) of each field of a template, the filter that comes first at the end."""
    for tag in _TAG.finditer(template):
        *filters, name = tag[2].split(":")
        if not tag[1]:
            yield tuple(each.strip() for each in filters), name.strip()


def _conditions(template: str, fields: Mapping[str, str]) -> str:
    """Keep or drop the sections `{{#Field}}…{{/Field}}` and `{{^Field}}…{{/Field}}`."""
    tags = list(_TAG.finditer(template))
    closings: dict[str, list[int]] = {}
    for number, tag in enumerate(tags):
        if tag[1] == "/":
            closings.setdefault(tag[2].strip(), []).append(number)
    parts: list[str] = []
    at = number = 0
    while number < len(tags):
        tag = tags[number]
        number += 1
        name = tag[2].strip()
        if tag[1] in _SECTIONS and bool(fields.get(name, "").strip()) != (tag[1] == "#"):
            ends = closings.get(name, [])
            closing = bisect_left(ends, number)
            parts.append(template[at : tag.start()])
            at = tag.end()
            if closing < len(ends):
                number = ends[closing] + 1
                at = tags[ends[closing]].end()
    return "".join([*parts, template[at:]])


def _filled(template: str, fields: Mapping[str, str], cloze: int, *, shows_answer: bool) -> str:
    shown = {name for filters, name in _tags(template) if "type" not in filters}

    def value(match: re.Match[str]) -> str:
        *filters, name = (part.strip() for part in match[2].split(":"))
        if match[1] or name == "FrontSide" or (filters and filters[0].startswith("tts")):
            return ""
        if "hint" in filters and not shows_answer:
            return ""
        if "type" in filters and (not shows_answer or name in shown):
            return ""
        return _filtered(fields.get(name, ""), filters, cloze, shows_answer)

    return _TAG.sub(value, template)


def _filtered(text: str, filters: list[str], cloze: int, shows_answer: bool) -> str:
    """The text after all filters, of which the last is the nearest to the field."""
    for each in reversed(filters):
        if each == "cloze-only" or (each == "cloze" and "type" in filters):
            text = ", ".join(ClozeText(text, cloze, shows_answer=shows_answer).asked)
        elif each == "cloze":
            text = ClozeText(text, cloze, shows_answer=shows_answer).text
        elif each == "text":
            text = _ELEMENT.sub("", text)
        elif each in _READINGS:
            text = _with_readings(text, each)
    return text


def _with_readings(text: str, filter_name: str) -> str:
    """Readings in brackets behind their words ("漢字[かんじ]", a blank before the first sign) above these, alone, or
    left out.
    """
    parts: list[str] = []
    at = 0
    for reading in _READING.finditer(text):
        begin = max(text.rfind(" ", at, reading.start()), text.rfind(">", at, reading.start()), at - 1) + 1
        word = text[begin : reading.start()]
        if not word or reading[1].casefold().startswith(_NO_READING):
            continue
        before = text[at:begin]
        parts.append(before.removesuffix(" "))
        shown = {"kana": reading[1], "kanji": word}
        parts.append(shown.get(filter_name, f"<ruby>{word}<rt>{reading[1]}</rt></ruby>"))
        at = reading.end()
    return "".join([*parts, text[at:]])
