"""Colours of a slide: whether a run of text has the colour of its ground, so that nobody sees it."""

from typing import Any

from services.files.documents.office.drawing_ml import A
from services.files.documents.office.package import OfficePackage

_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_NEAR = 24
"""Steps of 255 in each of red, green and blue, within which two colours are the same."""
_PAINTED = tuple(f"{A}{name}" for name in ("gradFill", "blipFill", "pattFill"))
_MAP = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
_PRESETS = {"white": (255, 255, 255), "black": (0, 0, 0)}
Color = tuple[int, int, int]


class SlideColors:
    """Theme and background of one slide, read from its layout and master when they are first wanted."""

    def __init__(self, package: OfficePackage, name: str, slide: Any) -> None:
        self._package, self._name, self._slide = package, name, slide
        self._theme: dict[str, Color] | None = None
        self._background: Color | None = None
        self._is_known = False

    def hides(self, properties: Any, shape: Any) -> bool:
        """Whether text with these properties (`a:rPr`) has no fill, or the colour of what it stands on.

        Only where both are plain colours: on a picture or a gradient it counts as seen.
        """
        if properties.find(f"{A}noFill") is not None:
            return properties.find(f"{A}ln") is None
        fill = properties.find(f"{A}solidFill")
        if fill is None:
            return False
        if any(
            int(alpha.get("val", "100000").rstrip("%") or 0) < 3_000
            for alpha in fill.iter(f"{A}alpha")
            if alpha.get("val", "").rstrip("%").isdecimal()
        ):
            return True
        color = self._color(fill)
        ground = self._ground(shape)
        return (
            color is not None
            and ground is not None
            and all(abs(a - b) < _NEAR for a, b in zip(color, ground, strict=True))
        )

    def _ground(self, shape: Any) -> Color | None:
        """What a text stands on; None where that is not one colour, as in tables and over pictures."""
        if shape is None or next(self._slide.iter(f"{_P}pic"), None) is not None:
            return None
        properties = shape.find(f"{_P}spPr")
        if properties is not None and any(properties.find(tag) is not None for tag in _PAINTED):
            return None
        fill = None if properties is None else properties.find(f"{A}solidFill")
        if fill is not None:
            return self._color(fill)
        if shape.find(f"{_P}style/{A}fillRef") is not None or self._has_painted_neighbour(shape):
            return None
        return self._slide_background()

    def _has_painted_neighbour(self, shape: Any) -> bool:
        """Whether another shape with a ground of its own may lie below this one."""
        others = (other for other in self._slide.iter(f"{_P}sp") if other is not shape)
        return any(
            other.find(f"{_P}style/{A}fillRef") is not None
            or any(other.find(f"{_P}spPr/{tag}") is not None for tag in (*_PAINTED, f"{A}solidFill"))
            for other in others
        )

    def _slide_background(self) -> Color | None:
        if not self._is_known:
            self._is_known = True
            self._background = self._found_background()
        return self._background

    def _found_background(self) -> Color | None:
        layout = self._package.related(self._name, "slideLayout")
        master = self._package.related(layout, "slideMaster") if layout else ""
        for root in (self._slide, *(self._package.xml(part) for part in (layout, master) if part)):
            background = None if root is None else root.find(f"{_P}cSld/{_P}bg")
            if background is None:
                continue
            fill = background.find(f"{_P}bgPr/{A}solidFill")
            reference = background.find(f"{_P}bgRef")
            chosen = fill if fill is not None else reference
            return None if chosen is None else self._color(chosen)
        return self._named("lt1") or (255, 255, 255)

    def _color(self, fill: Any) -> Color | None:
        color = next(fill.iterchildren(), None)
        if color is None or next(color.iterchildren(), None) is not None:
            # Shaded or tinted: not worth a guess.
            return None
        value = color.get("val", "")
        if color.tag == f"{A}srgbClr":
            return _rgb(value)
        if color.tag == f"{A}sysClr":
            return _rgb(color.get("lastClr", ""))
        if color.tag == f"{A}prstClr":
            return _PRESETS.get(value)
        return self._named(_MAP.get(value, value)) if color.tag == f"{A}schemeClr" else None

    def _named(self, name: str) -> Color | None:
        if self._theme is None:
            self._theme = self._read_theme()
        return self._theme.get(name)

    def _read_theme(self) -> dict[str, Color]:
        layout = self._package.related(self._name, "slideLayout")
        master = self._package.related(layout, "slideMaster") if layout else ""
        theme = self._package.related(master, "theme") if master else ""
        root = self._package.xml(theme) if theme else None
        scheme = None if root is None else next(root.iter(f"{A}clrScheme"), None)
        found: dict[str, Color] = {}
        for entry in () if scheme is None else scheme.iterchildren(f"{A}*"):
            color = next(entry.iterchildren(), None)
            known = None if color is None else _rgb(color.get("lastClr") or color.get("val", ""))
            if known is not None:
                found[entry.tag.rpartition("}")[2]] = known
        return found


def _rgb(value: str) -> Color | None:
    if len(value) != 6 or any(sign not in "0123456789abcdefABCDEF" for sign in value):
        return None
    number = int(value, 16)
    return number >> 16, number >> 8 & 255, number & 255
