"""Mermaid parsers of flowcharts, mind maps and timelines, for the subset that is rendered."""

import re

from services.diagrams.diagram import (
    DEEPEST,
    DiagramNotSupported,
    Direction,
    Edge,
    GraphBuilder,
    Head,
    Line,
    Shape,
    parse_label,
)
from services.diagrams.diagram import EdgeEnd as _End

HEADER = re.compile(r"(?:graph|flowchart)(?:\s+(TB|TD|BT|LR|RL))?\s*;?")
_DIRECTION = re.compile(r"direction\s+(TB|TD|BT|LR|RL)\s*;?")
_GROUP = re.compile(r"subgraph\s+(?:(?P<name>\w[\w-]*)\s*\[(?P<title>[^\[\]]*)\]|(?P<words>[^\[\]{}]+))\s*;?")
# Colours carry no meaning that is kept: such lines are passed over, and nothing of them reaches the page.
_STYLING = re.compile(r"(?:style|classDef|class|linkStyle)\s[\w\s,:#.;%-]*|acc(?:Title|Descr)\s*:.*")
_NAME = re.compile(r"\w+(?:[-.](?=\w)\w+)*")
_CLASS = re.compile(r":::\w+")
_SHAPES: tuple[tuple[str, str, Shape], ...] = (
    ("(((", ")))", "circle"),
    ("([", "])", "stadium"),
    ("[(", ")]", "store"),
    ("[[", "]]", "double"),
    ("((", "))", "circle"),
    ("{{", "}}", "hexagon"),
    ("[/", "/]", "slanted"),
    ("[/", "\\]", "slanted"),
    ("[\\", "\\]", "slanted"),
    ("[\\", "/]", "slanted"),
    (">", "]", "box"),
    ("[", "]", "box"),
    ("(", ")", "round"),
    ("{", "}", "diamond"),
)
_LABELLED = tuple(
    (re.compile(rf'{re.escape(opened)}(?:\s*"([^"]*)"\s*|([^\[\](){{}}"]*)){re.escape(closed)}'), shape)
    for opened, closed, shape in _SHAPES
)
_AND = re.compile(r"\s*&\s*")
_SPACED = re.compile(r"[\s;]*")
# `A -- words --> B` and its kin, then the same without words; `|words|` may follow the latter.
_WORDED = re.compile(
    r"\s*(?P<tail><)?(?:"
    r"--\s(?P<solid>[^|\n]+?)\s--+(?P<a>>|[xo](?=\s)|-)"
    r"|-\.\s(?P<dotted>[^|\n]+?)\s\.+-(?P<b>>|[xo](?=\s))?"
    r"|==\s(?P<thick>[^|\n]+?)\s==+(?P<c>>|[xo](?=\s)|=)"
    r")\s*"
)
_BARE = re.compile(
    r"\s*(?P<tail><|[xo](?=--|-\.|==))?(?:"
    r"-\.+-(?P<b>>|[xo](?=\s))?"
    r"|--+(?P<a>>|[xo](?=\s)|-)"
    r"|==+(?P<c>>|[xo](?=\s)|=)"
    r')\s*(?:\|(?:\s*"(?P<quoted>[^"]*)"\s*|(?P<label>[^|"]*))\|)?\s*'
)
_HEADS: dict[str, Head] = {">": "arrow", "x": "cross", "o": "dot"}
_NOWHERE = _End(number=0)
MINDMAP = re.compile(r"mindmap")
TIMELINE = re.compile(r"timeline(?:\s+(?:LR|TD))?")
_ICON = re.compile(r"::icon\([\w -]*\)|:::\w+(?:\s+\w+)*")
_CLOUD = re.compile(r"(?:\w*\)\)(?P<bang>[^()]*)\(\(|\w*\)(?P<cloud>[^()]*)\()")
_SHAPED = re.compile(r"[\w-]*(?=[\[({])")
_TITLE = re.compile(r"title\s+(.+)")
_SECTION = re.compile(r"section\s+(.+)")
_BRANCH = Edge(start=_NOWHERE, end=_NOWHERE, head="none")
_THEN = Edge(start=_NOWHERE, end=_NOWHERE)


def parse_flowchart(lines: list[str], header: re.Match[str]) -> GraphBuilder:
    """The chart in these lines, which follow the header; raises `DiagramNotSupported`."""
    draft = GraphBuilder(direction=_direction(header[1]))
    for line in lines:
        if _STYLING.fullmatch(line) or _DIRECTION.fullmatch(line):
            continue
        if line.rstrip(";").strip() == "end":
            draft.close_cluster()
        elif group := _GROUP.fullmatch(line):
            title = (group["title"] or group["words"] or "").strip()
            draft.open_cluster(group["name"] or title, parse_label(_unquoted(title)))
        else:
            _statements(draft, line)
    return draft


def labelled(line: str, at: int) -> tuple[str, Shape, int] | None:
    """A shape with its label that begins here, and where it ends."""
    for pattern, shape in _LABELLED:
        if match := pattern.match(line, at):
            return parse_label(_unquoted(match[1] if match[1] is not None else match[2])), shape, match.end()
    return None


def _direction(word: str | None) -> Direction:
    return "TB" if word in (None, "TD") else word  # type: ignore[return-value]


def _statements(draft: GraphBuilder, line: str) -> None:
    at = _skip(line, 0)
    while at < len(line):
        before, at = _parts(draft, line, at)
        while link := _link(line, at):
            how, at = link
            after, at = _parts(draft, line, at)
            draft.add_edges(before, after, how)
            before = after
        end = _skip(line, at)
        if end < len(line) and ";" not in line[at:end]:
            raise DiagramNotSupported
        at = end


def _parts(draft: GraphBuilder, line: str, at: int) -> tuple[list[str], int]:
    """One part, or several with `&` between them."""
    names = []
    while True:
        name = _NAME.match(line, at)
        if name is None or name[0] == "end":
            raise DiagramNotSupported
        at = name.end()
        if shaped := labelled(line, at):
            label, shape, at = shaped
            draft.add_node(name[0], label or " ", shape)
        else:
            draft.add_node(name[0])
        if styled := _CLASS.match(line, at):
            at = styled.end()
        names.append(name[0])
        more = _AND.match(line, at)
        if more is None:
            return names, at
        at = more.end()


def _link(line: str, at: int) -> tuple[Edge, int] | None:
    found = _BARE.match(line, at) or _WORDED.match(line, at)
    if found is None:
        return None
    given = found.groupdict()
    head = _HEADS.get(given["a"] or given["b"] or given["c"] or "", "none")
    said = next((given[name] for name in ("quoted", "label", "solid", "dotted", "thick") if given.get(name)), "")
    way = Edge(
        start=_NOWHERE,
        end=_NOWHERE,
        label=parse_label(_unquoted(said)),
        line=_line(found[0]),
        head=head,
        is_mutual=given["tail"] is not None,
    )
    return way, found.end()


def _line(written: str) -> Line:
    mark = written.strip().lstrip("<xo")[:2]
    return "dotted" if mark == "-." else "thick" if mark == "==" else "solid"


def _skip(line: str, at: int) -> int:
    match = _SPACED.match(line, at)
    return match.end() if match else at


def _unquoted(text: str) -> str:
    text = text.strip()
    for mark in ('"', "`"):
        if len(text) > 1 and text[0] == mark == text[-1]:
            text = text[1:-1]
    return text


def parse_mindmap(lines: list[str]) -> GraphBuilder:
    """lines: with their indentation, which says what hangs on what."""
    draft = GraphBuilder(direction="LR")
    above: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        text, depth = line.strip(), len(line) - len(line.lstrip())
        if _ICON.fullmatch(text):
            continue
        while above and above[-1][0] >= depth:
            above.pop()
        if len(above) >= DEEPEST or (number and not above):
            raise DiagramNotSupported
        name = str(number)
        draft.add_node(name, _label(text), "round" if above else "stadium")
        if above:
            draft.add_edges([above[-1][1]], [name], _BRANCH)
        above.append((depth, name))
    return draft


def parse_timeline(lines: list[str]) -> GraphBuilder:
    """Times stand below each other, each with what happened then, in the frames of their sections."""
    draft = GraphBuilder()
    times: list[list[str]] = []
    sections: list[int | None] = []
    for line in (line.strip() for line in lines):
        if found := _TITLE.fullmatch(line):
            draft.title = parse_label(found[1])
        elif found := _SECTION.fullmatch(line):
            draft.inside.clear()
            draft.open_cluster(f"section {len(draft.groups)}", parse_label(found[1]))
        else:
            time, *events = [parse_label(piece) for piece in re.split(r":(?=\s|$)", line)]
            if time:
                times.append([time])
                sections.append(draft.inside[-1] if draft.inside else None)
            elif not times:
                raise DiagramNotSupported
            times[-1] += [event for event in events if event]
    for number, (said, section) in enumerate(zip(times, sections, strict=True)):
        draft.inside = [] if section is None else [section]
        draft.add_node(str(number), parse_label("\n".join(said)))
        if number:
            draft.add_edges([str(number - 1)], [str(number)], _THEN)
    draft.inside = []
    return draft


def _label(text: str) -> str:
    if cloud := _CLOUD.fullmatch(text):
        return parse_label(cloud["bang"] or cloud["cloud"] or "") or " "
    if (shaped := _SHAPED.match(text)) and (found := labelled(text, shaped.end())) and found[2] == len(text):
        return found[0] or " "
    return parse_label(text)
