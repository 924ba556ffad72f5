"""Graphviz parser (DOT) for the subset that is rendered: nodes, edges with labels, clusters and a direction."""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from services.diagrams.diagram import DiagramNotSupported, Direction, Edge, GraphBuilder, Head, Line, Shape, parse_label
from services.diagrams.diagram import EdgeEnd as _End

_TOKEN = re.compile(
    r"\s+|//[^\n]*|/\*.*?\*/|#[^\n]*"
    r'|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<edge>->|--)|(?P<mark>[{}\[\]=;,:])|(?P<word>-?(?:\d++(?:\.\d*)?|\.\d+)|[^\W\d]\w*)',
    re.DOTALL,
)
_MOST_TOKENS = 4_000
# What only says how it looks is passed over; an attribute that is not here (URL, image, tooltip, …) is not understood.
_LOOKS = re.compile(
    r"arrowhead|arrowsize|arrowtail|bgcolor|center|charset|class|color|colorscheme|compound|concentrate|constraint|"
    r"fillcolor|fixedsize|fontcolor|fontname|fontsize|forcelabels|group|headport|height|labelangle|labeldistance|"
    r"labelfontcolor|labelfontname|labelfontsize|labeljust|labelloc|layout|len|margin|minlen|newrank|nodesep|ordering|"
    r"orientation|outputorder|overlap|pack|pad|pencolor|penwidth|peripheries|pos|quantum|rank|ranksep|ratio|resolution|"
    r"rotate|samehead|sametail|sep|sides|size|splines|tailport|weight|width"
)
_DRAWN = frozenset({"label", "xlabel", "headlabel", "taillabel", "shape", "style", "dir", "rankdir"})
_SHAPES: dict[str, Shape] = {
    "ellipse": "stadium",
    "oval": "stadium",
    "circle": "circle",
    "doublecircle": "circle",
    "point": "circle",
    "diamond": "diamond",
    "hexagon": "hexagon",
    "cylinder": "store",
    "parallelogram": "slanted",
}
_HEADS: dict[str, Head] = {"none": "none", "dot": "dot", "odot": "dot", "tee": "cross"}
_NOWHERE = _End(number=0)


@dataclass
class _Scope:
    """Default attributes of the nodes and edges named from here on."""

    part: dict[str, str] = field(default_factory=dict)
    edge: dict[str, str] = field(default_factory=dict)


class _Reader:
    def __init__(self, source: str) -> None:
        self.draft = GraphBuilder()
        self._tokens = _tokens(source)
        self._at = 0
        self._scopes = [_Scope()]
        self._titles: dict[int, str] = {}

    def read(self) -> GraphBuilder:
        self._take_word("strict")
        self._is_directed = self._take_word("digraph")
        if not self._is_directed and not self._take_word("graph"):
            raise DiagramNotSupported
        if self._peek() != "{":
            self._name()
        self._block()
        if self._peek():
            raise DiagramNotSupported
        return self.draft

    def _block(self) -> list[str]:
        """`{ … }`; the names of the parts in it."""
        self._expect("{")
        inside: list[str] = []
        while not self._take("}"):
            if not self._take(";"):
                inside += self._statement()
        return inside

    def _statement(self) -> list[str]:
        for kind in ("node", "edge", "graph"):
            if self._peek() == kind and self._peek(1) == "[":
                self._at += 1
                self._defaults(kind, self._attributes())
                return []
        if self._peek(1) == "=" and self._peek() not in ("{", "}"):
            name = self._name()
            self._expect("=")
            self._defaults("graph", _checked({name.lower(): self._name()}))
            return []
        chain = [self._endpoint()]
        while self._peek() in ("->", "--"):
            self._expect("->" if self._is_directed else "--")
            chain.append(self._endpoint())
        given = self._attributes()
        if len(chain) == 1 and self._was_part:
            self._put(chain[0][0], given)
        elif len(chain) == 1 and given:
            raise DiagramNotSupported
        for starts, ends in pairwise(chain):
            self.draft.add_edges(starts, ends, self._way({**self._scopes[-1].edge, **given}))
        return [name for names in chain for name in names]

    def _endpoint(self) -> list[str]:
        self._was_part = not (self._peek() == "{" or self._peek() == "subgraph")
        if self._was_part:
            name = self._name()
            while self._take(":"):
                self._name()
            self._put(name, {})
            return [name]
        named = self._name() if self._take_word("subgraph") and self._peek() != "{" else ""
        is_frame = named.startswith("cluster")
        if is_frame:
            self.draft.open_cluster(f"\0{named}", "")
        if len(self._scopes) > 20:
            raise DiagramNotSupported
        self._scopes.append(_Scope(part=dict(self._scopes[-1].part), edge=dict(self._scopes[-1].edge)))
        inside = self._block()
        self._scopes.pop()
        if is_frame:
            self.draft.close_cluster()
        self._was_part = False
        return list(dict.fromkeys(inside))

    def _defaults(self, kind: str, given: dict[str, str]) -> None:
        if kind == "node":
            self._scopes[-1].part.update(given)
        elif kind == "edge":
            self._scopes[-1].edge.update(given)
        elif "label" in given:
            self._title(_label(given["label"]))
        if kind == "graph" and len(self._scopes) == 1 and given.get("rankdir", "").upper() in ("TB", "BT", "LR", "RL"):
            self.draft.direction = _direction(given["rankdir"].upper())

    def _title(self, title: str) -> None:
        if not self.draft.inside:
            self.draft.title = title
            return
        names = list(self.draft.groups)
        name = names[self.draft.inside[-1]]
        known = self.draft.groups[name]
        self.draft.groups[name] = type(known)(title=title, parent=known.parent)

    def _put(self, name: str, given: dict[str, str]) -> None:
        is_new = name not in self.draft.parts
        look = {**self._scopes[-1].part, **given} if is_new else given
        label = look.get("label")
        if not is_new and not given:
            self.draft.add_node(name)
            return
        shape = _SHAPES.get(look.get("shape", "ellipse" if is_new else ""), "box")
        if not is_new and "shape" not in given:
            shape = self.draft.parts[name].shape
        if label is None and not is_new:
            text = self.draft.parts[name].label
        else:
            text = _label(name if label is None else label.replace("\\N", name)) or " "
        self.draft.add_node(name, text, shape)

    def _way(self, look: dict[str, str]) -> Edge:
        style, way = look.get("style", ""), look.get("dir", "forward" if self._is_directed else "none")
        line: Line = "dotted" if "dashed" in style or "dotted" in style else "thick" if "bold" in style else "solid"
        head = _HEADS.get(look.get("arrowhead", ""), "arrow")
        return Edge(
            start=_NOWHERE,
            end=_NOWHERE,
            label=_label(look.get("label") or look.get("xlabel") or ""),
            line=line,
            head="none" if way == "none" else head,
            is_mutual=way == "both",
        )

    def _attributes(self) -> dict[str, str]:
        given: dict[str, str] = {}
        while self._take("["):
            while not self._take("]"):
                name = self._name().lower()
                self._expect("=")
                given[name] = self._name()
                _ = self._take(",") or self._take(";")
        return _checked(given)

    def _name(self) -> str:
        token = self._peek()
        if not token or token in ("{", "}", "[", "]", "=", ";", ",", ":", "->", "--"):
            raise DiagramNotSupported
        self._at += 1
        return re.sub(r'\\(["\n])', lambda match: match[1].strip(), token[1:-1]) if token[0] == '"' else token

    def _peek(self, further: int = 0) -> str:
        at = self._at + further
        return self._tokens[at] if at < len(self._tokens) else ""

    def _take(self, mark: str) -> bool:
        is_there = self._peek() == mark
        self._at += is_there
        if not is_there and not self._peek():
            raise DiagramNotSupported
        return is_there

    def _take_word(self, word: str) -> bool:
        is_there = self._peek().lower() == word
        self._at += is_there
        return is_there

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise DiagramNotSupported


def parse_graphviz(source: str) -> GraphBuilder:
    """The chart in this source; raises `DiagramNotSupported`. https://graphviz.org/doc/info/lang.html"""
    return _Reader(source).read()


def _tokens(source: str) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None or len(found) > _MOST_TOKENS:
            raise DiagramNotSupported
        if match.lastgroup:
            found.append(match[0])
        at = match.end()
    return found


def _checked(given: dict[str, str]) -> dict[str, str]:
    if not all(name in _DRAWN or _LOOKS.fullmatch(name) for name in given):
        raise DiagramNotSupported
    return given


def _label(text: str) -> str:
    """Graphviz ends lines by \\n, \\l and \\r, which also says on which side they stand."""
    return parse_label(re.sub(r"\\[lr]", r"\\n", text))


def _direction(word: str) -> Direction:
    return word  # type: ignore[return-value]
