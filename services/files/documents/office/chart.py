"""Charts of Office: each value under its category, as it was last shown (ISO/IEC 29500-1 §21.2, and chartex)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services.files.documents.office.drawing_ml import A, text_of
from services.files.documents.office.number_format import format_kind, shown_value

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
EX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_MOST_VALUES = 60
_LONGEST_VALUE = 15
_MISSING = "(no value)"
_UNREAD = "[a chart whose values were not read]"
_AXES = ("catAx", "dateAx", "valAx", "serAx")


def chart_text(chart: Any) -> str:
    """A chart's titles, and each series with its values; of more than sixty the first."""
    titles = [words for title in chart.iter(f"{C}title", f"{EX}title") if (words := _title(title))]
    lines = [f"Chart: {'; '.join(titles)}" if titles else "Chart"]
    told = list(_plotted(chart)) + list(_extended(chart))
    return "\n".join(lines + (told or [_UNREAD]))


def _title(title: Any) -> str:
    rich = [text_of(paragraph) for paragraph in title.iter(f"{A}p")]
    return " ".join(" ".join(rich or _Source.of(title.find(f"{C}tx")).texts()).split())


@dataclass(frozen=True, kw_only=True)
class _Source:
    """Points of a series by their places. kinds: their number formats; count: places, with those that have no point."""

    points: Mapping[int, str]
    kinds: Mapping[int, str]
    count: int
    is_1904: bool = False

    @classmethod
    def of(cls, source: Any, kind: str = "", *, is_1904: bool = False) -> "_Source":
        """What a chart keeps of a source. kind: the format that its axis sets, where its own says nothing."""
        if source is None:
            return cls(points={}, kinds={}, count=0)
        levels = list(source.iter(f"{C}lvl"))
        own = format_kind(next((code.text or "" for code in source.iter(f"{C}formatCode")), ""))
        points: dict[int, str] = {}
        kinds: dict[int, str] = {}
        for point in levels[0] if levels else source.iter(f"{C}pt"):
            place = _place(point)
            points[place] = point.findtext(f"{C}v") or ""
            kinds[place] = format_kind(point.get("formatCode", "")) or own or kind
        count = max([_number(size.get("val")) for size in source.iter(f"{C}ptCount")] + [at + 1 for at in points] + [0])
        for level in levels[1:]:
            points = _under(level, points)
        return cls(points=points, kinds=kinds, count=count, is_1904=is_1904)

    def text(self, place: int) -> str:
        """The value at a place; "" for none."""
        value, kind = self.points.get(place, ""), self.kinds.get(place, "")
        is_plain = not kind and len(value) <= _LONGEST_VALUE
        return value.strip() if is_plain else shown_value(value, kind, is_1904=self.is_1904)

    def texts(self) -> list[str]:
        return [self.text(place) for place in sorted(self.points)]


def _under(level: Any, points: Mapping[int, str]) -> dict[int, str]:
    """Categories with the name of the group above each, which stands at the first of its group."""
    names = {_place(point): point.findtext(f"{C}v") or "" for point in level.iterchildren(f"{C}pt")}
    current, found = "", {}
    for place in sorted({*points, *names}):
        current = names.get(place, current)
        found[place] = " / ".join(filter(None, (current, points.get(place, ""))))
    return found


def _plotted(chart: Any) -> Iterator[str]:
    old = next(chart.iter(f"{C}date1904"), None)
    is_1904 = old is not None and old.get("val", "1") in ("1", "true")
    kinds = {_value(axis, "axId"): _axis_kind(axis) for name in _AXES for axis in chart.iter(C + name)}
    for series in chart.iter(f"{C}ser"):
        axes = [kinds.get(id.get("val", ""), "") for id in series.getparent().iterchildren(f"{C}axId")][:2]
        across, up = [*axes, "", ""][:2]

        def source(name: str, kind: str = "", of: Any = series) -> _Source:
            return _Source.of(of.find(C + name), kind, is_1904=is_1904)

        name = " ".join(_Source.of(series.find(f"{C}tx")).texts() or [series.findtext(f"{C}tx/{C}v") or ""])
        heights = source("yVal", up)
        if heights.points:
            values = _pairs([source("xVal", across), heights, source("bubbleSize")])
        else:
            values = _by_category(source("cat", across), source("val", up))
        if values:
            yield f"{name}: {values}".removeprefix(": ")


def _axis_kind(axis: Any) -> str:
    form = axis.find(f"{C}numFmt")
    if form is None or form.get("sourceLinked", "0") in ("1", "true"):
        return ""
    kind = format_kind(form.get("formatCode", ""))
    return kind if kind.startswith("%") or axis.tag == f"{C}dateAx" else ""


def _pairs(sources: Sequence[_Source]) -> str:
    """Points of a scatter or bubble chart: "(10, 0.2)"; without an x their places count."""
    told = []
    for place in sorted(sources[1].points)[:_MOST_VALUES]:
        first = sources[0].text(place) if sources[0].points else str(place + 1)
        rest = [source.text(place) or _MISSING for source in sources[1:] if source.points]
        told.append(f"({', '.join([first or _MISSING, *rest])})")
    return ", ".join(told)


def _by_category(categories: _Source, values: _Source) -> str:
    """Values after their categories, parted by a colon where a category ends with a digit."""
    if not values.points:
        return ""
    if not categories.points:
        shown = [values.text(place) or _MISSING for place in range(min(values.count, _MOST_VALUES))]
        return ", ".join(shown)
    count = min(max(values.count, categories.count), _MOST_VALUES)
    pairs = [(categories.text(place) or f"(no. {place + 1})", values.text(place) or _MISSING) for place in range(count)]
    has_digits = any(category[-1:].isdecimal() for category, _ in pairs)
    return ", ".join(f"{category}{': ' if has_digits else ' '}{value}" for category, value in pairs)


def _extended(chart: Any) -> Iterator[str]:
    """Series of the newer charts (waterfall, treemap, sunburst, …)."""
    data = {part.get("id", ""): part for part in chart.iter(f"{EX}data")}
    for series in chart.iter(f"{EX}series"):
        id = series.find(f"{EX}dataId")
        part = None if id is None else data.get(id.get("val", ""))
        if part is None:
            continue
        name = next((value.text or "" for tx in series.iterchildren(f"{EX}tx") for value in tx.iter(f"{EX}v")), "")
        words = [_dimension(dimension) for dimension in part.iterchildren(f"{EX}strDim")]
        numbers = [_dimension(dimension) for dimension in part.iterchildren(f"{EX}numDim")]
        if numbers:
            nothing = _Source(points={}, kinds={}, count=0)
            yield f"{name}: {_by_category(words[0] if words else nothing, numbers[0])}".removeprefix(": ")


def _dimension(dimension: Any) -> _Source:
    """Points of a dimension; of several levels the first is the innermost, as in the older charts."""
    points: dict[int, str] = {}
    kinds: dict[int, str] = {}
    count = 0
    for at, level in enumerate(dimension.iterchildren(f"{EX}lvl")):
        kind = format_kind(level.get("formatCode", ""))
        count = max(count, _number(level.get("ptCount")))
        for point in level.iterchildren(f"{EX}pt"):
            place = _place(point)
            above = point.text or ""
            points[place] = " / ".join(filter(None, (above, points.get(place, "")))) if at else above
            kinds[place] = kind
    return _Source(points=points, kinds=kinds, count=max([count, *(at + 1 for at in points)]))


def _value(element: Any, name: str) -> str:
    child = element.find(C + name)
    return "" if child is None else str(child.get("val", ""))


def _place(point: Any) -> int:
    return _number(point.get("idx"))


def _number(value: str | None) -> int:
    return int(value) if value and value.isascii() and value.isdecimal() and len(value) < 8 else 0
