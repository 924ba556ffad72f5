"""Words for the model: in what a tool answers or refuses, "you" is the model and never the student."""

import ast
import re
from collections.abc import Iterator

from services.settings import ROOT

YOU = re.compile(r"\b(you|your|yours|yourself)\b", re.IGNORECASE)
FOR_PEOPLE = {"title", "summary", "label", "reads", "writes", "consent", "instructions", "setup"}
"""Keywords whose words a student reads on a page."""
ABOUT_TOOLS = {"description", "when", "when_not", "usage_hint", "arguments", "examples"}
"""Keywords whose words are to the model: there "you" is right."""
ROOMS = ("integrations", "tools", "safety/fetch")
UNSAID = {"__init__.py", "oauth.py", "feed_addresses.py", "grammar.py"}
"""What a student reads when they connect an account, and words that are looked for in texts."""
MEANT = (
    "Open Canvas in your browser",  # on the Connections page
    "nobody on the way can read your token",  # on the Connections page
    "Open in your mail program",  # a button
    "Test yourself",  # a heading of the student's own notes
    "read the text for those yourself",  # to the model
    "If you are just adding it",  # to the model
)


def test_you_is_never_the_student_in_what_a_tool_says() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {words}"
        for room in ROOMS
        for path in sorted((ROOT / "services" / room).rglob("*.py"))
        if path.name not in UNSAID
        for line, words in _sentences(ast.parse(path.read_text(encoding="utf-8")))
        if YOU.search(words) and not any(meant in words for meant in MEANT)
    ]

    assert not found


def _sentences(node: ast.AST, keyword: str | None = None) -> Iterator[tuple[int, str]]:
    """Strings of a module with two words or more, with their line; without docstrings and words of other keywords."""
    for child in ast.iter_child_nodes(node):
        inner = child.arg if isinstance(child, ast.keyword) else keyword
        if inner in FOR_PEOPLE | ABOUT_TOOLS or (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            continue
        if isinstance(child, ast.Constant) and isinstance(child.value, str) and _is_english(child.value):
            yield child.lineno, child.value
        yield from _sentences(child, inner)


def _is_english(text: str) -> bool:
    """Whether it is said to somebody: a list of words to look for in texts is not."""
    return not re.fullmatch(r"[\w\s]+", text) or text[:1].isupper() or len(text.split()) in (1, 2, 3)
