"""Only a closed block of code that stands by itself, and is understood, is taken out of an answer to be drawn."""

import pytest

from services.diagrams.parser import DiagramBlock, split_diagrams

_BLOCK = "```mermaid\ngraph TD\nA-->B\n```"


def test_a_diagram_is_taken_out_of_the_words_around_it() -> None:
    before, drawn, after = split_diagrams(f"Look:\n\n{_BLOCK}\nThat is **all**.")

    assert (before, after) == ("Look:\n", "That is **all**.")
    assert isinstance(drawn, DiagramBlock)
    assert drawn.source == "graph TD\nA-->B"


@pytest.mark.parametrize(
    "text",
    [
        "no diagram at all",
        "```mermaid\ngraph TD\nA-->B",
        "```mermaid\ngraph TD\nA-->B\n``",
        "```mermaid\nnot one\n```",
        "```python\ngraph TD\nA-->B\n```",
        "```mermaid-x\ngraph TD\nA-->B\n```",
        "- ```mermaid\n  graph TD\n  A-->B\n  ```",
        "> ```mermaid\n> graph TD\n> A-->B\n> ```",
        "````text\n```mermaid\ngraph TD\nA-->B\n```\n````",
        "    ```mermaid\n    graph TD\n    A-->B\n    ```",
    ],
)
def test_everything_else_stays_in_one_piece(text: str) -> None:
    assert split_diagrams(text) == [text]


def test_of_very_many_only_some_are_drawn() -> None:
    pieces = split_diagrams("\n\n".join([_BLOCK] * 40))

    assert sum(isinstance(piece, DiagramBlock) for piece in pieces) == 6
    assert str(pieces[-1]).count("```mermaid") == 34
