"""What a click may change: everything that does goes through here, since Streamlit runs it before the frame looks.

The frame finds in each run of a page who was signed out elsewhere or deleted. A callback runs before that, and a click
inside an open dialog runs the dialog alone: both would act once more.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import streamlit as st

from services.errors import SignInRequired
from services.identity.students import Student
from ui import session
from ui.error_boundary import error_boundary
from ui.flash_message import flash_errors

P = ParamSpec("P")
R = TypeVar("R")


def guarded_callback(act: Callable[Concatenate[Student, P], R]) -> Callable[Concatenate[Student, P], R | None]:
    """For a callback: does nothing, and gives None, in a session that is over, which the page then says by itself.

    A foreseen error is shown at the top of the page's next run. One store read.
    """

    @wraps(act)
    def checked(student: Student, *args: P.args, **kwargs: P.kwargs) -> R | None:
        with flash_errors():
            session.require_signed_in(student)
            return act(student, *args, **kwargs)
        return None

    return checked


def guarded_dialog(
    title: str, draw: Callable[Concatenate[Student, P], None], *, icon: str | None = None
) -> Callable[Concatenate[Student, P], None]:
    """A dialog, opened by calling it, whose clicks do nothing in a session that is over: the page then says so.

    One store read each time that it is drawn, be it by the click that opens it or by one inside.
    """

    @wraps(draw)
    def checked(student: Student, *args: P.args, **kwargs: P.kwargs) -> None:
        with error_boundary():
            try:
                session.require_signed_in(student)
            except SignInRequired:
                st.rerun()
            draw(student, *args, **kwargs)

    return st.dialog(title, icon=icon)(checked)
