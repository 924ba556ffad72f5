"""Diagrams are read as far as they are understood, and not at all otherwise."""

import pytest

from services.diagrams.diagram import Graph
from services.diagrams.parser import parse_diagram
from services.diagrams.renderer import to_mermaid, to_text_lines

_UNDERSTOOD = [
    (
        [
            "graph TD",
            "  A --> B",
        ],
        ["A → B"],
    ),
    (
        [
            "flowchart LR;",
            "A-->B;B-->C",
        ],
        ["A → B", "B → C"],
    ),
    (
        [
            "graph TD",
            "  A[Sun light] -->|gives| B(Sugar)",
            "  B -- feeds --> C{Enough?}",
        ],
        ["Sun light → Sugar (gives)", "Sugar → Enough? (feeds)"],
    ),
    (
        [
            "flowchart TD",
            '  a["x < 5 (or 6)"] -. "maybe" .-> b((Go))',
            "  b ==> c[(Store)]",
        ],
        ["x < 5 (or 6) → Go (maybe)", "Go → Store"],
    ),
    (
        [
            "graph TD",
            " A & B --> C & D",
        ],
        ["A → C", "A → D", "B → C", "B → D"],
    ),
    (
        [
            "graph TD",
            " A <--> B",
            " B --- C",
            " C --x D",
        ],
        ["A ↔ B", "B – C", "C → D"],
    ),
    (
        [
            "graph TD",
            " A[one<br/>two] --> A",
        ],
        ["one two → one two"],
    ),
    (
        [
            "graph TD",
            " A[#quot;q#quot; &amp; #9829;] --> B",
        ],
        ['"q" &amp; ♥ → B'],
    ),
    (
        [
            "graph TD",
            "  style A fill:#f9f,stroke:#333",
            "  A:::big --> B",
            "  classDef big fill:#fff;",
            "  %% a note",
            "  linkStyle 0 stroke:red",
        ],
        ["A → B"],
    ),
    (
        [
            "graph TD",
            "subgraph one [Light reactions]",
            "  A --> B",
            "end",
            "subgraph two",
            "C",
            "end",
            "one --> two",
        ],
        ["A → B", "Light reactions → two", "C", "Light reactions: A, B", "two: C"],
    ),
    (
        [
            "---",
            "title: Plan",
            "---",
            "graph TD",
            "A-->B-->C-->A",
        ],
        ["A → B", "B → C", "C → A"],
    ),
    (
        [
            "mindmap",
            "  root((Cell))",
            "    Nucleus",
            "      DNA",
            "    ::icon(fa fa-book)",
            "    b[Membrane]",
        ],
        ["Cell – Nucleus", "Nucleus – DNA", "Cell – Membrane"],
    ),
    (
        [
            "timeline",
            "  title History",
            "  section Early",
            "  1665 : Hooke : cells",
            "       : cork",
            "  section Late",
            "  1735: Linnaeus",
        ],
        ["1665 Hooke cells cork → 1735 Linnaeus", "Early: 1665 Hooke cells cork", "Late: 1735 Linnaeus"],
    ),
    (
        [
            "sequenceDiagram",
            "  participant A as Alice",
            "  A->>+Bob: Hi; there",
            "  loop each day",
            "  Bob-->>-A: Yes",
            "  end",
            "  Note over A,Bob: friends",
        ],
        ["Alice → Bob: Hi; there", "loop: each day", "Bob → Alice: Yes", "Alice, Bob: friends"],
    ),
]
_DOTS = [
    (
        [
            "digraph { a -> b -> c }",
        ],
        ["a → b", "b → c"],
    ),
    (
        [
            'digraph G { rankdir=LR; node [shape=box, style=filled]; a [label="Sun"]; a -> {b c} [label="to"]; }',
        ],
        ["Sun → b (to)", "Sun → c (to)"],
    ),
    (
        [
            'graph "g" { a -- b [style=dashed]; // note',
            " # line",
            ' /* more */ "long name" -- a }',
        ],
        ["a – b", "long name – a"],
    ),
    (
        [
            'digraph { subgraph cluster_0 { label="Inside"; a; b } a -> b }',
        ],
        ["a → b", "Inside: a, b"],
    ),
]

_REFUSED = {
    "no diagram": "hello",
    "nothing in it": "graph TD",
    "another kind": "classDiagram\n A <|-- B",
    "a directive": "%%{init: {'theme':'base'}}%%\ngraph TD\nA-->B",
    "front matter with more": "---\nconfig:\n  theme: base\n---\ngraph TD\nA-->B",
    "a script": 'graph TD\nA-->B\nclick A "javascript:alert(1)"',
    "a link": 'graph TD\nA-->B\nclick A href "https://evil.example/"',
    "a call": "graph TD\nA-->B\nclick A call steal()",
    "an image": 'graph TD\nA@{ img: "https://evil.example/x.png" }',
    "an escaped image": 'graph TD\nA@{ "im\\u0067": "\\x68ttps://evil.example/x.png" }',
    "broken": "graph TD\nA--",
    "a label that does not end": "graph TD\nA[one --> B",
    "a frame that does not end": "graph TD\nsubgraph x\nA-->B",
    "an end of nothing": "graph TD\nA-->B\nend",
    "a group in its own part": "graph TD\nsubgraph x\nA\nend\nx-->A",
    "10,000 parts": "graph TD\n" + "\n".join(f"a{n}-->b{n}" for n in range(10_000)),
    "61 parts": "graph TD\n" + "\n".join(f"a{n}" for n in range(61)),
    "many links at once": "graph TD\n" + " & ".join("abcdefghijkl") + " --> " + " & ".join("mnopqrstuvwx"),
    "a long label": f"graph TD\nA[{'x' * 300}]",
    "a long line": "graph TD\n" + "-" * 7_000,
    "deep frames": "graph TD\n" + "\n".join(f"subgraph s{n}" for n in range(9)) + "\nA\n" + "end\n" * 9,
    "a deep mind map": "mindmap\n" + "\n".join(" " * n + f"n{n}" for n in range(1, 20)),
    "a mind map of two roots": "mindmap\none\ntwo",
    "a sequence with a link": "sequenceDiagram\nA->>B: hi\nlink A: Home @ https://evil.example/",
    "a sequence with a box": "sequenceDiagram\nrect rgb(0,0,0)\nA->>B: hi\nend",
}  # fmt: skip

_REFUSED_DOTS = {
    "an address": 'digraph { a [URL="https://evil.example/"] }',
    "a script": 'digraph { a [href="javascript:alert(1)"] }',
    "an image": 'digraph { a [image="https://evil.example/x.png"] }',
    "a label of HTML": 'digraph { a [label=<<img src="https://evil.example/x.png"/>>] }',
    "an address of all": 'digraph { node [URL="https://evil.example/"]; a }',
    "an address of the whole": 'digraph { URL="https://evil.example/"; a }',
    "a file of shapes": 'digraph { a [shapefile="/etc/passwd"] }',
    "broken": "digraph { a -> }",
    "open": "digraph { a -> b",
    "deep": "digraph {" + "{" * 500 + "a" + "}" * 500 + "}",
    "words behind": "digraph { a } b",
    "the other arrow": "graph { a -> b }",
    "10,000 parts": "digraph {" + "; ".join(f"a{n}" for n in range(10_000)) + "}",
}


@pytest.mark.parametrize(("source", "said"), _UNDERSTOOD)
def test_what_models_write_is_understood(source: list[str], said: list[str]) -> None:
    diagram = parse_diagram("mermaid", "\n".join(source))

    assert diagram is not None
    assert to_text_lines(diagram) == said


@pytest.mark.parametrize(("source", "said"), _DOTS)
def test_graphviz_is_understood(source: list[str], said: list[str]) -> None:
    diagram = parse_diagram("dot", "\n".join(source))

    assert diagram is not None
    assert to_text_lines(diagram) == said


@pytest.mark.parametrize("source", _REFUSED.values(), ids=_REFUSED)
def test_the_rest_stays_code(source: str) -> None:
    assert parse_diagram("mermaid", source) is None


@pytest.mark.parametrize("source", _REFUSED_DOTS.values(), ids=_REFUSED_DOTS)
def test_the_rest_of_graphviz_stays_code(source: str) -> None:
    assert parse_diagram("dot", source) is None


_HOSTILE_LABELS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "![x](https://evil.example/x.png)",
    "%%{init: {'themeCSS': 'x'}}%%",
    "$$\\href{https://evil.example}{x}$$",
    "#lt;img src=x#gt; #60;b#62; &lt;b&gt;",
    "`**x**` \\u0022",
    "x\u202egnp.exe\u2066\u200b",
]


@pytest.mark.parametrize("label", _HOSTILE_LABELS)
@pytest.mark.parametrize("frame", ['graph TD\nA["{}"] -->|"{}"| B', "mindmap\n  {}", "sequenceDiagram\nA->>B: {}"])
def test_a_label_is_text_and_nothing_else(frame: str, label: str) -> None:
    diagram = parse_diagram("mermaid", frame.replace("{}", label))

    written = to_mermaid(diagram, summary=label) if diagram else ""

    said = written.split("\n")[1:]
    drawn = "\n".join(line for line in said if not line.startswith("%% stAlt: "))
    assert "<" not in drawn.replace("<br/>", "")
    assert not any(mark in "\n".join(said) for mark in ("%%{", "$$", "`", "\u202e", "\u2066", "\u200b"))
    assert all(line.count('"') % 2 == 0 for line in drawn.split("\n"))


def test_what_is_written_begins_with_the_same_line_whatever_it_is() -> None:
    diagrams = [
        parse_diagram("mermaid", "graph TD\nA"),
        parse_diagram("dot", "digraph { a -> b }"),
        parse_diagram("mermaid", "mindmap\n a"),
    ]

    assert len({to_mermaid(diagram, summary="").split("\n")[0] for diagram in diagrams if diagram}) == 1


def test_what_is_written_reads_as_the_same_diagram() -> None:
    source = 'graph LR\nsubgraph g ["G"]\nA["one"] -.->|"x"| B{"two"}\nend\nB ==> C(("three"))\nC <--> g'
    first = parse_diagram("mermaid", source)
    assert isinstance(first, Graph)

    again = parse_diagram("mermaid", to_mermaid(first, summary="a summary").partition("\n")[2])

    assert again is not None
    assert to_text_lines(again) == to_text_lines(first)
