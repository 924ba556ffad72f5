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
    "ui.streamlit_compat.redirect_browser": "another address",
    "ui.session.sign_out": "ends the session that it is asked in",
    "ui.approvals.approval_card._open_edit": "opens a form",
    "ui.arguments.nested_fields._add_item": "a blank group in a form that is not sent yet",
    "ui.arguments.nested_fields._remove_item": "a group of a form that is not sent yet",
    "ui.chat.draft._drop_file": "a file that is not sent yet",
    "ui.approvals.activity_list._show_more": "shows more",
    "ui.approvals.activity_list._reset_length": "shows less",
    "ui.chat.answer_actions._open_version": "opens another version of the chat",
    "ui.chat.chat_state.show_from": "shows earlier messages",
    "ui.classroom.assistants.draft_fields.keep_text": "what is typed in a form that is not saved yet",
    "ui.classroom.class_address.close_editor": "goes back to all assistants of the class",
    "ui.classroom.class_address.open_editor": "opens a form",
    "ui.classroom.class_address.leave_class": "goes back to the list of classes",
    "ui.classroom.class_address.open_class": "shows another class",
    "ui.classroom.class_address.show_view": "shows another part of the class",
    "ui.classroom.class_views._keep_view": "shows another part of the class",
    "ui.classroom.join_panel._open_code": "shows what a code leads to, before anybody joins",
    "ui.materials.course_picker._choose": "shows another course",
    "ui.materials.materials_state.look_again": "forgets what this page has looked up",
    "ui.settings.api_keys_card._forget_created": "hides a key that was copied",
    "ui.study.course_choice._keep_course": "shows another course",
    "ui.study.open_dialog.open_dialog": "opens a form",
    "ui.study.open_dialog.close_dialog": "closes a form",
    "ui.study.card_list._first_page": "shows other cards",
    "ui.study.card_list._leaf": "shows other cards",
    "ui.study.card_list._leaf_back": "shows other cards",
    "ui.study.learner_notes._show_more": "shows more",
    "ui.study.quiz_list._show_more": "shows more",
    "ui.study.topic_bars._show_more": "shows more",
    "ui.study.study_views.leave": "goes back from a quiz or the review",
    "ui.study.study_views._keep_view": "shows another part of the page",
    "ui.study.study_views.open_quiz": "opens a quiz",
    "ui.study.study_views.open_review": "opens the review",
    "ui.week.week_state.go_to_days": "shows other days",
    "ui.week.week_state.keep_filters": "shows other courses",
    "ui.week.week_state.keep_view": "shows the same days in another way",
    "ui.week.schedule._toggle_all": "shows all that is late, or less",
}
"""Callbacks that change nothing but what this browser shows, and why each may do without `guarded_callback`."""
ASKS_FIRST = {
    "ui.chat.composer.send_message": "keeps the words when it cannot",
    "ui.chat.composer._send_typed": "leaves it to `send_message`",
    "ui.chat.guided_study.send": "is `send_message`, which the page hands over",
}
ONLY_LOOKS = {
    "ui.approvals.approval_card._rerun_when_changed",
    "ui.approvals.pending_approvals._rerun_when_done",
    "ui.chat.ask_again._draw_progress",
    "ui.classroom.presenter._draw_joined",
    "ui.materials.read_ahead._draw_progress",
    "ui.study.quiz_list._draw_progress",
}
"""Fragments: they draw nothing that could be clicked, and run the page anew, where the frame looks."""


@cache
def _modules() -> dict[str, ast.Module]:
    """Each by its whole name, such as "ui.chat.composer"."""
    files = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    return {_dotted(file.relative_to(ROOT)): ast.parse(file.read_text(encoding="utf-8")) for file in files}


def _dotted(file: Path) -> str:
    return ".".join(file.with_suffix("").parts)


def _calls() -> Iterator[tuple[str, ast.Call]]:
    for name, tree in _modules().items():
        yield from ((name, node) for node in ast.walk(tree) if isinstance(node, ast.Call))


def _callbacks() -> Iterator[str]:
    """Each as "ui.file.function"; whatever is not a function of ours is written as it stands there."""
    for module, call in _calls():
        for given in call.keywords:
            if given.arg in ON and not isinstance(given.value, ast.Constant):
                yield _whole_name(module, ast.unparse(given.value))


def _whole_name(module: str, written: str) -> str:
    first, dot, rest = written.partition(".")
    if first in _imported(module):
        return f"{_imported(module)[first]}{dot}{rest}"
    return f"{module}.{written}" if written.isidentifier() else written


@cache
def _imported(module: str) -> dict[str, str]:
    """What a file calls the other files of ours, with their whole names."""
    return {
        name.asname or name.name: f"{node.module}.{name.name}"
        for node in ast.walk(_modules()[module])
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "ui"
        for name in node.names
    }


def _function(name: str) -> ast.FunctionDef | None:
    module, _, function = name.rpartition(".")
    body = _modules()[module].body if module in _modules() else []
    return next(
        (statement for statement in body if isinstance(statement, ast.FunctionDef) and statement.name == function), None
    )


def _is_guarded(name: str) -> bool:
    function = _function(name)
    return function is not None and "guarded_callback" in map(ast.unparse, function.decorator_list)


@pytest.mark.parametrize("name", sorted(set(_callbacks())))
def test_a_callback_that_changes_something_asks_whether_the_session_still_counts(name: str) -> None:
    assert _is_guarded(name) or name in HARMLESS or name in ASKS_FIRST, (
        f"Streamlit runs {name} before the frame looks who is here. Decorate it with @guarded_callback of "
        "ui/session_guard.py or, if it changes only what this browser shows, name it in HARMLESS with the reason."
    )


def test_what_is_called_harmless_or_left_to_itself_is_there_and_is_so() -> None:
    harmless = [_function(name) for name in HARMLESS if not name.startswith(("st.", "ui.session."))]
    asks = _function("ui.chat.composer.send_message")

    assert set(HARMLESS) | set(ASKS_FIRST) <= set(_callbacks())
    assert [function.name for function in harmless if function and "services()" in ast.unparse(function)] == []
    assert None not in harmless
    assert asks is not None
    assert "session.require_signed_in(student)" in ast.unparse(asks)


def test_every_dialog_asks_with_each_click_and_no_other_part_of_a_page_runs_alone() -> None:
    dialogs = {module for module, call in _calls() if ast.unparse(call.func) == "st.dialog"}
    used = {
        f"{module}.{node.name}"
        for module, tree in _modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(decorator).startswith(("st.fragment", "st.dialog")) for decorator in node.decorator_list)
    }
    fragments = {module for module, tree in _modules().items() if "st.fragment" in ast.unparse(tree)}

    assert dialogs == {"ui.session_guard"}, (
        "Open dialogs with ui.session_guard.guarded_dialog: their clicks never reach the frame."
    )
    assert used == ONLY_LOOKS, "A fragment's clicks never reach the frame; see ui/session_guard.py."
    assert fragments == {name.rpartition(".")[0] for name in ONLY_LOOKS}
