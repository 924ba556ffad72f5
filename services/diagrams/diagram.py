"""Diagram model: graphs of nodes and edges, and sequence diagrams; every label is plain text."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from services.safety.text import plain

LONGEST_SOURCE = 8_000
MOST_PARTS = 60
MOST_LINKS = 120
MOST_GROUPS = 12
DEEPEST = 8
LONGEST_LABEL = 200

Shape = Literal["box", "round", "stadium", "circle", "diamond", "hexagon", "store", "slanted", "double"]
Line = Literal["solid", "dotted", "thick"]
Head = Literal["arrow", "none", "cross", "dot"]
Direction = Literal["TB", "BT", "LR", "RL"]
_BREAK = re.compile(r"<br\s*/?>|\\n", re.IGNORECASE)
_ENTITY = re.compile(r"#(\d{1,7}|[A-Za-z]{2,31});")


class DiagramNotSupported(Exception):
    """The source is no diagram that can be drawn, is too large, or asks for more than a diagram may."""


@dataclass(frozen=True, kw_only=True)
class Node:
    """Box. group: the number of the innermost cluster that it stands in."""

    label: str
    shape: Shape = "box"
    group: int | None = None


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """Frame around nodes and other clusters. parent: the number of the cluster around it."""

    title: str
    parent: int | None = None


@dataclass(frozen=True, kw_only=True)
class EdgeEnd:
    """End of an edge: the node, or the cluster, of this number."""

    number: int
    is_group: bool = False


@dataclass(frozen=True, kw_only=True)
class Edge:
    start: EdgeEnd
    end: EdgeEnd
    label: str = ""
    line: Line = "solid"
    head: Head = "arrow"
    is_mutual: bool = False


@dataclass(frozen=True, kw_only=True)
class Graph:
    """Flowchart, mind map or timeline."""

    direction: Direction = "TB"
    parts: tuple[Node, ...]
    links: tuple[Edge, ...] = ()
    groups: tuple[Cluster, ...] = ()
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class SequenceMessage:
    """start, end: numbers of those who take part. is_answer: drawn as a dotted line."""

    start: int
    end: int
    words: str
    is_answer: bool = False
    head: Head = "arrow"


@dataclass(frozen=True, kw_only=True)
class SequenceNote:
    """Note over one or two participants."""

    over: tuple[int, ...]
    words: str


@dataclass(frozen=True, kw_only=True)
class SequenceFrame:
    """Beginning of a stretch ("loop", "alt", …), of its next branch ("else", "and"), or its end ("end")."""

    kind: Literal["loop", "alt", "opt", "par", "else", "and", "end"]
    words: str = ""


@dataclass(frozen=True, kw_only=True)
class SequenceDiagram:
    """Sequence diagram: who takes part, and what passes between them."""

    people: tuple[str, ...]
    steps: tuple[SequenceMessage | SequenceNote | SequenceFrame, ...]
    title: str = ""


Diagram = Graph | SequenceDiagram


@dataclass
class GraphBuilder:
    """Builder of a graph while its source is parsed; what exceeds the limits raises `DiagramNotSupported`."""

    direction: Direction = "TB"
    parts: dict[str, Node] = field(default_factory=dict)
    links: list[Edge] = field(default_factory=list)
    groups: dict[str, Cluster] = field(default_factory=dict)
    inside: list[int] = field(default_factory=list)
    title: str = ""

    def add_node(self, name: str, label: str | None = None, shape: Shape = "box") -> None:
        """Add a node, or name it again: its first label and its first cluster stay."""
        known = self.parts.get(name)
        if name in self.groups:
            return
        if known is None:
            group = self.inside[-1] if self.inside else None
            self.parts[name] = Node(label=label if label is not None else parse_label(name), shape=shape, group=group)
        else:
            given = known if label is None else Node(label=label, shape=shape, group=known.group)
            inner = self.inside[-1] if self.inside and given.group is None else given.group
            self.parts[name] = Node(label=given.label, shape=given.shape, group=inner)
        if len(self.parts) > MOST_PARTS:
            raise DiagramNotSupported

    def open_cluster(self, name: str, title: str) -> None:
        if len(self.groups) >= MOST_GROUPS or len(self.inside) >= DEEPEST or name in self.groups or name in self.parts:
            raise DiagramNotSupported
        self.groups[name] = Cluster(title=title, parent=self.inside[-1] if self.inside else None)
        self.inside.append(len(self.groups) - 1)

    def close_cluster(self) -> None:
        if not self.inside:
            raise DiagramNotSupported
        self.inside.pop()

    def add_edges(self, starts: Sequence[str], ends: Sequence[str], how: Edge) -> None:
        """Add an edge from each start to each end, like `how`, whose own ends do not count."""
        for start in starts:
            for end in ends:
                ways = {"label": how.label, "line": how.line, "head": how.head, "is_mutual": how.is_mutual}
                if self._is_around(start, end) or self._is_around(end, start):
                    raise DiagramNotSupported
                self.links.append(Edge(start=self._end(start), end=self._end(end), **ways))  # type: ignore[arg-type]
        if len(self.links) > MOST_LINKS:
            raise DiagramNotSupported

    def build(self) -> Graph:
        """The finished graph; raises `DiagramNotSupported` when it has no nodes or a cluster stays open."""
        if not self.parts or self.inside:
            raise DiagramNotSupported
        return Graph(
            direction=self.direction,
            parts=tuple(self.parts.values()),
            links=tuple(self.links),
            groups=tuple(self.groups.values()),
            title=self.title,
        )

    def _is_around(self, group: str, name: str) -> bool:
        """Whether this is a group, and the other one is it or stands in it: such a link cannot be drawn."""
        if group not in self.groups:
            return False
        wanted = list(self.groups).index(group)
        groups = list(self.groups.values())
        at = list(self.groups).index(name) if name in self.groups else self.parts[name].group
        while at is not None and at != wanted:
            at = groups[at].parent
        return at == wanted

    def _end(self, name: str) -> EdgeEnd:
        if name in self.groups:
            return EdgeEnd(number=list(self.groups).index(name), is_group=True)
        return EdgeEnd(number=list(self.parts).index(name))


def parse_label(source: str) -> str:
    """The text that a label shows, in one line or several; markup in it is text like any other."""
    decoded = _ENTITY.sub(lambda match: html.unescape(f"&{'#' * match[1].isdigit()}{match[1]};"), source)
    lines = [" ".join(line.split()) for line in _BREAK.sub("\n", plain(decoded)).split("\n")]
    text = "\n".join(line for line in lines if line)
    if len(text) > LONGEST_LABEL:
        raise DiagramNotSupported
    return text
