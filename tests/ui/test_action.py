"""Whatever a click changes is refused in a session that is over: a walk over all callbacks of the pages."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
ON = {"on_click", "on_change", "on_submit", "on_dismiss"}
HARMLESS = {
    "st.login": "Streamlit's own way in",
    "st.logout": "Streamlit's own way out",
    "redirect.go_to": "another address",
    "session.sign_out": "ends the session that it is asked in",
    "approval_edit.open_for": "opens a form",
    "argument_things._one_more": "a blank group in a form that is not sent yet",
    "argument_things._drop": "a group of a form that is not sent yet",
    "attachments._drop": "a file that is not sent yet",
    "activity_list._more": "shows more",
    "activity_list._from_the_top": "shows less",
    "chat_head._go": "opens another chat",
    "opened.show_from": "shows earlier messages",
    "week_read.go": "shows another week",
    "week_entry._turn": "shows all that is late, or less",
}
"""Callbacks that change nothing but what this browser shows, and why each may do without `action.guarded`."""
ASKS_FIRST = {"composer.send": "keeps the words when it cannot", "composer._send_written": "leaves it to `send`"}
ONLY_LOOKS = {"approval_card._watch", "newer._look", "waiting_approvals._watch"}
"""Fragments: they draw nothing that could be clicked, and run the page anew, where the frame looks."""


@cache
def _modules() -> dict[str, ast.Module]:
    files = [*(ROOT / "ui").glob("*.py"), *(ROOT / "pages").glob("*.py")]
    return {file.stem: ast.parse(file.read_text(encoding="utf-8")) for file in files}


def _calls() -> Iterator[tuple[str, ast.Call]]:
    for name, tree in _modules().items():
        yield from ((name, node) for node in ast.walk(tree) if isinstance(node, ast.Call))


def _callbacks() -> Iterator[str]:
    """Each as "file.function"; whatever is not a plain name is written as it stands there."""
    for module, call in _calls():
        for given in call.keywords:
            if given.arg in ON and not isinstance(given.value, ast.Constant):
                written = ast.unparse(given.value)
                yield f"{module}.{written}" if isinstance(given.value, ast.Name) else written


def _function(name: str) -> ast.FunctionDef | None:
    module, _, function = name.partition(".")
    body = _modules()[module].body if module in _modules() else []
    return next((one for one in body if isinstance(one, ast.FunctionDef) and one.name == function), None)


def _is_guarded(name: str) -> bool:
    function = _function(name)
    return function is not None and "action.guarded" in map(ast.unparse, function.decorator_list)


@pytest.mark.parametrize("name", sorted(set(_callbacks())))
def test_a_callback_that_changes_something_asks_whether_the_session_still_counts(name: str) -> None:
    assert _is_guarded(name) or name in HARMLESS or name in ASKS_FIRST, (
        f"Streamlit runs {name} before the frame looks who is here. Decorate it with @action.guarded (ui/action.py) "
        "or, if it changes only what this browser shows, name it in HARMLESS with the reason."
    )


def test_what_is_called_harmless_or_left_to_itself_is_there_and_is_so() -> None:
    harmless = [_function(name) for name in HARMLESS if not name.startswith(("st.", "session."))]
    asks = _function("composer.send")

    assert set(HARMLESS) | set(ASKS_FIRST) <= set(_callbacks())
    assert [one.name for one in harmless if one and "services()" in ast.unparse(one)] == []
    assert None not in harmless
    assert asks is not None
    assert "session.require_in(student)" in ast.unparse(asks)


def test_every_dialog_asks_with_each_click_and_no_other_part_of_a_page_runs_alone() -> None:
    dialogs = {module for module, call in _calls() if ast.unparse(call.func) == "st.dialog"}
    used = {
        f"{module}.{node.name}"
        for module, tree in _modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(one).startswith(("st.fragment", "st.dialog")) for one in node.decorator_list)
    }
    fragments = {module for module, tree in _modules().items() if "st.fragment" in ast.unparse(tree)}

    assert dialogs == {"action"}, "Open dialogs with ui.action.dialog: their clicks never reach the frame."
    assert used == ONLY_LOOKS, "A fragment's clicks never reach the frame; see ui/action.py."
    assert fragments == {name.partition(".")[0] for name in ONLY_LOOKS}
