"""Templates of Anki's notes: what the front and the back of a card show of a note's fields.

Fields, conditions and cloze deletions; the filters that only work in Anki's own window are read as the plain field.
Source: https://docs.ankiweb.net/templates/intro.html
"""

import re
from bisect import bisect_left
from collections.abc import Mapping

_TAG = re.compile(r"\{\{([#^/]?)([^{}]*)\}\}")
_CLOZE_BEGIN = re.compile(r"\{\{c(\d{1,9})::")
_CLOZE_BOUND = re.compile(rf"{_CLOZE_BEGIN.pattern}|\}}\}}")
_ANSWER_LINE = re.compile(r"<hr\s+id=[\"']?answer[\"']?\s*/?>", re.IGNORECASE)
_SECTIONS = ("#", "^")
BLANK = "[…]"


def render(template: str, fields: Mapping[str, str], *, cloze: int = 0, shows_answer: bool = False) -> str:
    """Fill a template. cloze: number of the deletion that is asked for, from 1; 0 for none. `FrontSide` is left out:
    a back here stands alone.
    """
    return _filled(_conditions(template, fields), fields, cloze, shows_answer)


def render_back(template: str, fields: Mapping[str, str], *, cloze: int = 0) -> str:
    """Fill the template of a back: what stands below the answer's line, where there is one."""
    below = _ANSWER_LINE.split(template, maxsplit=1)
    return render(below[-1] if len(below) > 1 else template, fields, cloze=cloze, shows_answer=True)


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


def _filled(template: str, fields: Mapping[str, str], cloze: int, shows_answer: bool) -> str:
    def value(match: re.Match[str]) -> str:
        *filters, name = match[2].strip().split(":")
        text = fields.get(name.strip(), "")
        if match[1] or name == "FrontSide" or "tts" in match[2].strip()[:4]:
            return ""
        return with_cloze(text, cloze, shows_answer=shows_answer) if "cloze" in filters else text

    return _TAG.sub(value, template)


def cloze_numbers(text: str) -> list[int]:
    """The deletions of a text, each with a card of its own."""
    return sorted({int(number) for number in _CLOZE_BEGIN.findall(text) if 0 < int(number) < 1_000})


def with_cloze(text: str, number: int, *, shows_answer: bool) -> str:
    """The text with its deletions: that of `number` hidden, or shown in bold; the others read as plain text.

    One that is never closed stays as it is, and so does what comes after it.
    """
    ends = _closings(text)
    levels: list[tuple[int, list[str]]] = [(0, [])]
    at = 0
    for bound in _CLOZE_BOUND.finditer(text):
        if bound[1] is not None and bound.start() not in ends:
            break
        if bound[1] is None and len(levels) == 1:
            continue
        levels[-1][1].append(text[at : bound.start()])
        at = bound.end()
        if bound[1] is not None:
            levels.append((int(bound[1]), []))
        else:
            which, inside = levels.pop()
            levels[-1][1].append(_deletion("".join(inside), is_asked=which == number, shows_answer=shows_answer))
    return "".join([*levels[0][1], text[at:]])


def _deletion(inside: str, *, is_asked: bool, shows_answer: bool) -> str:
    answer, _, hint = inside.partition("::")
    if not is_asked:
        return answer
    if shows_answer:
        return f"<b>{answer}</b>"
    return f"[{hint}]" if hint else BLANK


def _closings(text: str) -> set[int]:
    """Where the deletions begin that are closed again by a `}}`."""
    closed: set[int] = set()
    open_ones: list[int] = []
    for bound in _CLOZE_BOUND.finditer(text):
        if bound[1] is not None:
            open_ones.append(bound.start())
        elif open_ones:
            closed.add(open_ones.pop())
    return closed
