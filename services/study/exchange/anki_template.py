"""Templates of Anki's notes: what the front and the back of a card show of a note's fields.

Fields, conditions and cloze deletions; the filters that only work in Anki's own window are read as the plain field.
Source: https://docs.ankiweb.net/templates/intro.html
"""

import re
from collections.abc import Mapping

_TAG = re.compile(r"\{\{([#^/]?)\s*([^{}]*?)\s*\}\}")
_CLOZE_BEGIN = re.compile(r"\{\{c(\d+)::")
_ANSWER_LINE = re.compile(r"<hr\s+id=[\"']?answer[\"']?\s*/?>", re.IGNORECASE)
_DEEPEST = 8
BLANK = "[…]"


def render(template: str, fields: Mapping[str, str], *, cloze: int = 0, shows_answer: bool = False) -> str:
    """Fill a template. cloze: number of the deletion that is asked for, from 1; 0 for none. `FrontSide` is left out:
    a back here stands alone.
    """
    return _filled(_conditions(template, fields, 0), fields, cloze, shows_answer)


def render_back(template: str, fields: Mapping[str, str], *, cloze: int = 0) -> str:
    """Fill the template of a back: what stands below the answer's line, where there is one."""
    below = _ANSWER_LINE.split(template, maxsplit=1)
    return render(below[-1] if len(below) > 1 else template, fields, cloze=cloze, shows_answer=True)


def _conditions(template: str, fields: Mapping[str, str], depth: int) -> str:
    """Keep or drop the sections `{{#Field}}…{{/Field}}` and `{{^Field}}…{{/Field}}`."""
    parts: list[str] = []
    at = 0
    while (found := _TAG.search(template, at)) is not None:
        sign, name = found[1], found[2]
        if sign not in ("#", "^") or depth > _DEEPEST:
            parts.append(template[at : found.end()])
            at = found.end()
            continue
        parts.append(template[at : found.start()])
        closing = f"{{{{/{name}}}}}"
        end = template.find(closing, found.end())
        inside, at = (template[found.end() : end], end + len(closing)) if end >= 0 else ("", found.end())
        if bool(fields.get(name, "").strip()) == (sign == "#"):
            parts.append(_conditions(inside, fields, depth + 1))
    return "".join([*parts, template[at:]])


def _filled(template: str, fields: Mapping[str, str], cloze: int, shows_answer: bool) -> str:
    def value(match: re.Match[str]) -> str:
        *filters, name = match[2].split(":")
        text = fields.get(name.strip(), "")
        if match[1] or name == "FrontSide" or "tts" in match[2][:4]:
            return ""
        return with_cloze(text, cloze, shows_answer=shows_answer) if "cloze" in filters else text

    return _TAG.sub(value, template)


def cloze_numbers(text: str) -> list[int]:
    """The deletions of a text, each with a card of its own."""
    return sorted({int(number) for number in _CLOZE_BEGIN.findall(text) if 0 < int(number) < 1_000})


def with_cloze(text: str, number: int, *, shows_answer: bool) -> str:
    """The text with its deletions: that of `number` hidden, or shown in bold; the others read as plain text."""
    at, parts = 0, list[str]()
    while (found := _CLOZE_BEGIN.search(text, at)) is not None:
        end = _closing(text, found.end())
        if end < 0:
            break
        inside = text[found.end() : end]
        if _CLOZE_BEGIN.search(inside):
            inside = with_cloze(inside, number, shows_answer=shows_answer)
        answer, _, hint = inside.partition("::")
        if int(found[1]) != number:
            shown = answer
        elif shows_answer:
            shown = f"<b>{answer}</b>"
        else:
            shown = f"[{hint}]" if hint else BLANK
        parts += [text[at : found.start()], shown]
        at = end + 2
    return "".join([*parts, text[at:]])


def _closing(text: str, start: int) -> int:
    """Where the `}}` of a deletion stands that begins before `start`; -1 for none."""
    depth, at = 1, start
    while (found := re.compile(r"\{\{c\d+::|\}\}").search(text, at)) is not None:
        depth += 1 if found[0].startswith("{{") else -1
        if depth == 0:
            return found.start()
        at = found.end()
    return -1
