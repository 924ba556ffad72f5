"""DrawingML: text of shapes, tables and charts, as slides and Word documents hold them (ISO/IEC 29500-1 §20, §21)."""

from collections.abc import Iterator
from typing import Any

from services.files.documents.office.formula import FORMULA, formula_text

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_MOST_VALUES = 60


def paragraphs_of(body: Any, is_hidden: "Any" = lambda _run: False) -> list[str]:
    """Lines of a text body, indented by level. is_hidden: whether nobody sees a run (`a:r`)."""
    lines = (_line(paragraph, is_hidden) for paragraph in body.iterchildren(f"{A}p"))
    return [line for line in lines if line.strip()]


def _line(paragraph: Any, is_hidden: Any) -> str:
    properties = paragraph.find(f"{A}pPr")
    level = 0 if properties is None else min(8, _number(properties.get("lvl")))
    text = "".join(_runs(paragraph, is_hidden)).strip()
    return f"{'  ' * level}{'- ' if level else ''}{text}" if text else ""


def _runs(paragraph: Any, is_hidden: Any) -> Iterator[str]:
    for child in paragraph.iterchildren():
        if child.tag == f"{A}r" and not is_hidden(child):
            yield child.findtext(f"{A}t") or ""
        elif child.tag == f"{A}br":
            yield "\n"
        elif child.tag == f"{A}fld" and not child.get("type", "").startswith(("slidenum", "datetime")):
            yield child.findtext(f"{A}t") or ""
        elif child.tag != f"{A}pPr":
            yield from map(formula_text, child.iter(FORMULA))


def table_rows(table: Any, is_hidden: Any = lambda _run: False) -> Iterator[str]:
    """A line for each row of a table, its cells parted by pipes."""
    for row in table.iterchildren(f"{A}tr"):
        bodies = (cell.find(f"{A}txBody") for cell in row.iterchildren(f"{A}tc"))
        cells = (
            "" if body is None else " / ".join(" ".join(line.split()) for line in paragraphs_of(body, is_hidden))
            for body in bodies
        )
        yield f"| {' | '.join(cells)} |"


def chart_text(chart: Any) -> str:
    """A chart's title, and each series with its values as they were last shown."""
    titles = [" ".join(text.text or "" for text in title.iter(f"{A}t")) for title in chart.iter(f"{C}title")]
    lines = [f"Chart: {'; '.join(titles)}" if titles else "Chart"]
    for series in chart.iter(f"{C}ser"):
        name = " ".join(_cached(series.find(f"{C}tx")))
        categories, values = _cached(series.find(f"{C}cat")), _cached(series.find(f"{C}val"))
        pairs = zip(categories, values, strict=False) if categories else ((value,) for value in values)
        lines.append(f"{name}: " + ", ".join(" ".join(pair) for pair in pairs))
    return "\n".join(lines)


def _cached(source: Any) -> list[str]:
    found = [] if source is None else [point.findtext(f"{C}v") or "" for point in source.iter(f"{C}pt")]
    return found[:_MOST_VALUES]


def diagram_text(data: Any) -> str:
    """The words of a SmartArt drawing, a line for each of its shapes."""
    bodies = (" ".join(text.text or "" for text in body.iter(f"{A}t")) for body in data.iter(f"{_DIAGRAM}t"))
    return "\n".join(line for line in bodies if line.strip())


def _number(value: str | None) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 10 else 0
