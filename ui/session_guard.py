"""Session guard for callbacks and dialogs: refuses to act once the session is over.

The frame finds in each run of a page whether the session was ended or the student deleted. A callback runs before
that, and a click inside an open dialog runs the dialog alone: both would act once more.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import streamlit as st

from services.errors import SignInRequired
from services.identity.students import Student
from ui import session
from ui.error_boundary import error_boundary
from ui.flash_message import flash_errors

P = ParamSpec("P")
R = TypeVar("R")


def guarded_callback(act: Callable[Concatenate[Student, P], R]) -> Callable[Concatenate[Student, P], R | None]:
    """Decorator of a callback: does nothing, and returns None, once the session is over, which the page then says.

    A foreseen error is flashed on the next run. One store read.
    """

    @wraps(act)
    def checked(student: Student, *args: P.args, **kwargs: P.kwargs) -> R | None:
        with flash_errors():
            session.require_signed_in(student)
            return act(student, *args, **kwargs)
        return None

    return checked


def guarded_dialog(
    title: str,
    draw: Callable[Concatenate[Student, P], None],
    *,
    icon: str | None = None,
    on_dismiss: Callable[[], None] | None = None,
) -> Callable[Concatenate[Student, P], None]:
    """Dialog, opened by calling it, that does nothing once the session is over: the page then says so.

    One store read each time that it is drawn, by the click that opens it or by those inside.
    on_dismiss: called when it is closed by its cross, by Escape or by a click beside it.
    """

    @wraps(draw)
    def checked(student: Student, *args: P.args, **kwargs: P.kwargs) -> None:
        with error_boundary():
            try:
                session.require_signed_in(student)
            except SignInRequired:
                st.rerun()
            draw(student, *args, **kwargs)

    closing: dict[str, Any] = {} if on_dismiss is None else {"on_dismiss": on_dismiss}
    return st.dialog(title, icon=icon, **closing)(checked)
