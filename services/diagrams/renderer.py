"""Diagram renderer: as Mermaid that holds nothing but the model, and as lines of text.

Mermaid's maker of SVG text shows HTML's entities as their characters, but its own (`#35;`) only in sequence diagrams.
"""

import re
from collections.abc import Iterator

from services.diagrams.diagram import (
    Cluster,
    Diagram,
    Edge,
    EdgeEnd,
    Graph,
    Node,
    SequenceDiagram,
    SequenceFrame,
    SequenceMessage,
    SequenceNote,
)
from services.i18n import gettext
from services.safety.text import plain

MOST_NAMED = 8

_SHAPES = {
    "box": ('["', '"]'),
    "round": ('("', '")'),
    "stadium": ('(["', '"])'),
    "circle": ('(("', '"))'),
    "diamond": ('{"', '"}'),
    "hexagon": ('{{"', '"}}'),
    "store": ('[("', '")]'),
    "slanted": ('[/"', '"/]'),
    "double": ('[["', '"]]'),
}
_LINES = {
    ("solid", "none"): "---",
    ("solid", "arrow"): "-->",
    ("solid", "cross"): "--x",
    ("solid", "dot"): "--o",
    ("dotted", "none"): "-.-",
    ("dotted", "arrow"): "-.->",
    ("dotted", "cross"): "-.-x",
    ("dotted", "dot"): "-.-o",
    ("thick", "none"): "===",
    ("thick", "arrow"): "==>",
    ("thick", "cross"): "==x",
    ("thick", "dot"): "==o",
}
_TAILS = {"arrow": "<", "cross": "x", "dot": "o", "none": ""}
_ARROWS = {"arrow": ">>", "none": ">", "cross": "x", "dot": ")"}
_JOINER = "\u2060"
"""Invisible; it breaks up what Mermaid would act on inside a label."""
_QUOTE, _TICK = "\u201d", "\u02cb"
_ACTED_ON = re.compile(r"(?<=[%$#\\])(?=.)", re.DOTALL)
_LONGEST_SUMMARY = 300
_SIZES = (
    '%%{init: {"flowchart": {"minNodeWidth": 40, "wrappingWidth": 140, "nodeSpacing": 30, "rankSpacing": 35, '
    '"padding": 10}, "sequence": {"width": 120, "actorMargin": 40}}}%%'
)
"""Closer than usual, so that more can be read on a phone; the only directive, and always this one."""


def to_mermaid(diagram: Diagram, *, summary: str) -> str:
    """Render for the browser. Every name in it is ours; what was written stands in labels, as text.

    summary: what a screen reader says in place of the picture.
    """
    lines = _chart(diagram) if isinstance(diagram, Graph) else _exchange(diagram)
    kind, *rest = lines
    return "\n".join([_SIZES, kind, f"%% stAlt: {_escape_summary(summary)}", *rest])


def to_text_lines(diagram: Diagram) -> list[str]:
    """Render as text, a line for each edge."""
    return _chart_text(diagram) if isinstance(diagram, Graph) else _exchange_text(diagram)


def summary_of(diagram: Diagram) -> str:
    """Summary for who does not see the picture: "Diagram: Start, Draft, Review"."""
    return gettext("Diagram: {parts}", parts=", ".join(node_labels(diagram)[:MOST_NAMED]))


def node_labels(diagram: Diagram) -> list[str]:
    """The labels of its nodes or participants."""
    if isinstance(diagram, Graph):
        return [_one_line(part.label) for part in diagram.parts]
    return [_one_line(person) for person in diagram.people]


def _chart(chart: Graph) -> Iterator[str]:
    yield f"flowchart {chart.direction}"
    yield from _inside(chart, None)
    for link in chart.links:
        said = f'|"{_label(link.label)}"|' if link.label else ""
        tail = _TAILS[link.head] if link.is_mutual else ""
        yield f"{_end(link.start)} {tail}{_LINES[link.line, link.head]}{said} {_end(link.end)}"


def _inside(chart: Graph, group: int | None) -> Iterator[str]:
    for number, part in enumerate(chart.parts):
        if part.group == group:
            opened, closed = _SHAPES[part.shape]
            yield f"n{number}{opened}{_label(part.label)}{closed}"
    for number, inner in enumerate(chart.groups):
        if inner.parent == group:
            yield f'subgraph g{number}["{_label(inner.title) or " "}"]'
            yield from _inside(chart, number)
            yield "end"


def _end(end: EdgeEnd) -> str:
    return f"{'g' if end.is_group else 'n'}{end.number}"


def _exchange(exchange: SequenceDiagram) -> Iterator[str]:
    yield "sequenceDiagram"
    for number, person in enumerate(exchange.people):
        yield f"participant p{number} as {_coded(person)}"
    for step in exchange.steps:
        match step:
            case SequenceMessage():
                arrow = f"{'--' if step.is_answer else '-'}{_ARROWS[step.head]}"
                yield f"p{step.start}{arrow}p{step.end}: wrap: {_coded(step.words)}"
            case SequenceNote():
                over = ",".join(f"p{number}" for number in step.over)
                yield f"Note over {over}: wrap: {_coded(step.words)}"
            case SequenceFrame():
                yield "end" if step.kind == "end" else f"{step.kind} {_coded(step.words)}"


def _label(text: str) -> str:
    """Within quotes of a flowchart, whose labels show HTML's entities, but not Mermaid's own."""
    entities = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _broken_up(entities.replace('"', _QUOTE).replace("`", _TICK)).replace("\n", "<br/>")


def _escape_summary(summary: str) -> str:
    return _broken_up(_one_line(plain(summary)).replace("`", _TICK)[:_LONGEST_SUMMARY])


def _broken_up(text: str) -> str:
    return _ACTED_ON.sub(_JOINER, text)


def _coded(text: str) -> str:
    """Escape for a sequence diagram, which ends at marks and line breaks: all
    but letters and digits as Mermaid's codes.
    """
    line = _one_line(text) or "\u00a0"
    return "".join(char if char.isalnum() or char == " " else f"#{ord(char)};" for char in line)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _chart_text(chart: Graph) -> list[str]:
    linked = {end.number for link in chart.links for end in (link.start, link.end) if not end.is_group}
    alone = [_one_line(part.label) for number, part in enumerate(chart.parts) if number not in linked]
    frames = [_frame_text(chart, number, group) for number, group in enumerate(chart.groups)]
    return [line for line in [*(_link_text(chart, link) for link in chart.links), *alone, *frames] if line]


def _link_text(chart: Graph, link: Edge) -> str:
    arrow = {(True, True): "↔", (True, False): "→"}.get((link.head != "none", link.is_mutual), "–")
    said = f" ({_one_line(link.label)})" if link.label else ""
    return f"{_name(chart, link.start)} {arrow} {_name(chart, link.end)}{said}"


def _name(chart: Graph, end: EdgeEnd) -> str:
    named: Node | Cluster = chart.groups[end.number] if end.is_group else chart.parts[end.number]
    return _one_line(named.title if isinstance(named, Cluster) else named.label)


def _frame_text(chart: Graph, number: int, group: Cluster) -> str:
    inside = [_one_line(part.label) for part in chart.parts if part.group == number]
    return f"{_one_line(group.title)}: {', '.join(inside)}" if inside and group.title else ""


def _exchange_text(exchange: SequenceDiagram) -> list[str]:
    lines = []
    for step in exchange.steps:
        match step:
            case SequenceMessage():
                way = f"{exchange.people[step.start]} → {exchange.people[step.end]}"
                lines.append(f"{_one_line(way)}: {_one_line(step.words)}".rstrip(": "))
            case SequenceNote():
                over = ", ".join(exchange.people[number] for number in step.over)
                lines.append(f"{_one_line(over)}: {_one_line(step.words)}")
            case SequenceFrame() if step.words:
                lines.append(f"{step.kind}: {_one_line(step.words)}")
    return lines
