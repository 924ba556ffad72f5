"""Styles of a Word file: which make headings, lists and contents, hide words, raise or strike them."""

import re
from dataclasses import dataclass, field
from typing import Any, Literal

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
OFF = ("0", "false", "off", "none")
_SMALLEST = 4
"""Half points; letters of this size and smaller are hidden ones."""
_DEEPEST = 20
_LOWEST_RAISE = 4
"""Half points by which letters stand higher or lower than their line."""
Height = Literal["raised", "lowered", ""]


@dataclass(frozen=True)
class Look:
    """Look of letters, None for what is not said. font: where it is one that says something."""

    height: Height | None = None
    is_struck: bool | None = None
    is_hidden: bool | None = None
    font: str | None = None

    def over(self, below: "Look") -> "Look":
        """This look, with what it leaves open from the look below it."""
        return Look(
            below.height if self.height is None else self.height,
            below.is_struck if self.is_struck is None else self.is_struck,
            below.is_hidden if self.is_hidden is None else self.is_hidden,
            below.font if self.font is None else self.font,
        )


PLAIN = Look()


@dataclass(frozen=True)
class Style:
    """Style. level: of a heading from 1, else 0. list_id, list_level: of the list its paragraphs are numbered by."""

    level: int = 0
    is_list: bool = False
    is_contents: bool = False
    list_id: str = ""
    list_level: int | None = None
    look: Look = field(default=PLAIN)


NO_STYLE = Style()


def word_styles(root: Any) -> dict[str, Style]:
    """Styles of a document by their ids, each with what it takes from those that it is based on."""
    styles = () if root is None else root.iterchildren(f"{W}style")
    # A style without an id is nobody's, not that of every text without a style.
    elements = {id: style for style in styles if (id := style.get(f"{W}styleId"))}
    found: dict[str, Style] = {}
    for id in elements:
        _resolve(id, elements, found, 0)
    return found


def _resolve(id: str, elements: dict[str, Any], found: dict[str, Style], depth: int) -> Style:
    if id in found:
        return found[id]
    element = elements.get(id)
    if element is None or depth > _DEEPEST:
        return NO_STYLE
    base = _resolve(value_of(element, "basedOn"), elements, found, depth + 1)
    name = value_of(element, "name").casefold()
    heading = re.fullmatch(r"heading ([1-9])", name)
    numbering = element.find(f"{W}pPr/{W}numPr")
    list_id = "" if numbering is None else value_of(numbering, "numId")
    list_level = "" if numbering is None else value_of(numbering, "ilvl")
    found[id] = Style(
        level=1 if name == "title" else int(heading[1]) if heading else outline(element) or base.level,
        is_list=name.startswith("list"),
        is_contents=name.startswith("toc "),
        list_id=list_id or base.list_id,
        list_level=int(list_level) if list_level in tuple("012345678") and list_level else base.list_level,
        look=look_of(element.find(f"{W}rPr")).over(base.look),
    )
    return found[id]


def outline(element: Any) -> int:
    """Heading level that an element sets itself, from 1; 0 for none (9 is body text)."""
    level = element.find(f"{W}pPr/{W}outlineLvl")
    value = "" if level is None else level.get(f"{W}val", "")
    return int(value) + 1 if value in tuple("012345678") and value else 0


def look_of(properties: Any) -> Look:
    """What run properties say themselves."""
    if properties is None or not len(properties):
        return PLAIN
    hidden = [_switch(properties, name) for name in ("vanish", "webHidden")]
    is_small = _is_small(value_of(properties, "sz"))
    struck = [_switch(properties, name) for name in ("strike", "dstrike")]
    fonts = properties.find(f"{W}rFonts")
    font = None if fonts is None else fonts.get(f"{W}ascii") or fonts.get(f"{W}hAnsi")
    return Look(
        _height(properties),
        True if True in struck else None if struck == [None, None] else False,
        True if True in hidden or is_small else None if hidden == [None, None] else False,
        font,
    )


def _height(properties: Any) -> Height | None:
    aligned = value_of(properties, "vertAlign")
    if aligned:
        return "raised" if aligned == "superscript" else "lowered" if aligned == "subscript" else ""
    position = value_of(properties, "position")
    if re.fullmatch(r"-?\d{1,4}", position) and abs(int(position)) >= _LOWEST_RAISE:
        return "raised" if int(position) > 0 else "lowered"
    return None


def _switch(properties: Any, name: str) -> bool | None:
    mark = properties.find(W + name)
    return None if mark is None else mark.get(f"{W}val", "1") not in OFF


def _is_small(points: str) -> bool:
    return points.isascii() and points.isdecimal() and int(points[:9]) <= _SMALLEST


def value_of(element: Any, name: str) -> str:
    """Value of a child that says one thing; "" for none."""
    child = element.find(W + name)
    return "" if child is None else str(child.get(f"{W}val", ""))
