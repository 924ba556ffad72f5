"""What the pages show is said through the catalogue: no text of ours stands in a call that draws."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from services.i18n.messages import read_catalog

ROOT = Path(__file__).resolve().parents[2]
MARKING = {"gettext", "gettext_noop", "ngettext"}
DRAWING = {
    *(
        "title",
        "header",
        "subheader",
        "markdown",
        "write",
        "text",
        "caption",
        "badge",
        "metric",
        "tabs",
        "guarded_dialog",
    ),
    *("info", "warning", "error", "success", "toast", "status", "spinner", "expander", "popover", "flash"),
    *("button", "link_button", "menu_button", "download_button", "form_submit_button", "page_link", "feedback"),
    *("text_input", "text_area", "number_input", "date_input", "time_input", "datetime_input", "chat_input"),
    *("selectbox", "multiselect", "checkbox", "toggle", "radio", "pills", "segmented_control", "file_uploader"),
}
FIRST = 2
"""Of the arguments without a name, those that may be words: what is drawn, or a label and a value."""
NAMED = {"label", "body", "help", "placeholder", "alt"}
WORD = re.compile(r"[^\W\d_]{2,}")
NO_WORDS = re.compile(r":[\w/-]+:?\[?")
"""Icons, and Markdown's directives."""
EXCEPT = {
    ("ui/connections/connect_dialog.py", "canvas.example.edu"),
    ("ui/classroom/school_systems.py", "https://canvas.example.edu"),
}
"""Texts that are the same in every language, each with its file."""


def test_each_text_that_is_drawn_goes_through_the_catalogue() -> None:
    assert [found for found in _bare() if found not in EXCEPT] == []


def test_the_catalogue_knows_each_text_that_is_said() -> None:
    """Babel does not look into f-strings, for one: a text that is said there would stay in English."""
    known = {msgid for said in read_catalog("es") for msgid in (said.id if isinstance(said.id, tuple) else (said.id,))}

    assert sorted(text for _, text in _said() if text not in known) == []


def _bare() -> Iterator[tuple[str, str]]:
    for file, call in _calls("ui", "pages"):
        if _called(call) in DRAWING:
            given = [*call.args[:FIRST], *(keyword.value for keyword in call.keywords if keyword.arg in NAMED)]
            for text in (text for node in given for text in _literals(node)):
                if WORD.search(NO_WORDS.sub("", text)):
                    yield file, text


def _said() -> Iterator[tuple[str, str]]:
    for file, call in _calls("ui", "pages", "services", "api"):
        if _name(call.func) in MARKING:
            words = call.args[:2] if _name(call.func) == "ngettext" else call.args[:1]
            yield from (
                (file, word.value) for word in words if isinstance(word, ast.Constant) and isinstance(word.value, str)
            )


def _calls(*rooms: str) -> Iterator[tuple[str, ast.Call]]:
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            yield from ((file, node) for node in ast.walk(_tree(path)) if isinstance(node, ast.Call))


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _literals(value: ast.expr) -> Iterator[str]:
    """The texts that stand in an expression as they are; what a call gives is that call's matter."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif not isinstance(value, ast.Call):
        for part in ast.iter_child_nodes(value):
            if isinstance(part, ast.expr):
                yield from _literals(part)


def _called(call: ast.Call) -> str:
    """The function's own name; "" for what is written to the log."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr if _name(call.func.value) != "log" else ""
    return _name(call.func)


def _name(value: ast.expr) -> str:
    return value.id if isinstance(value, ast.Name) else ""
