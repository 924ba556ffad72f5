"""Who is looking at this page, and the services behind it."""

from contextlib import suppress

import streamlit as st

from services import bootstrap
from services.container import ServiceContainer
from services.errors import StorageError
from services.students import Student
from ui import identity, redirect
from ui.identity import Identity

RECHECK_S = 30.0
"""A disabled student is out within this time; every page run in between trusts the last look."""


def services() -> ServiceContainer:
    return bootstrap.container()


def student() -> Student | None:
    """The signed-in student, or None for a visitor, for someone disabled or unnamed, and before sign-in is set up."""
    if not st.user.get("is_logged_in") or (who := identity.claimed()) is None:
        return None
    now = services().clock()
    seen = st.session_state.get("seen_student")
    if seen is None or abs((now - seen[1]).total_seconds()) > RECHECK_S:
        seen = (_sign_in(who), now)
        st.session_state["seen_student"] = seen
    return seen[0] if not seen[0].is_disabled and not seen[0].is_signed_out else None


def is_over() -> bool:
    """Whether the last look found that this session was signed out, although its cookie is still good."""
    seen = st.session_state.get("seen_student")
    return seen is not None and seen[0].is_signed_out


def sign_out(student: Student) -> None:
    """End this session, so that no copy of its cookie counts any more; then forget it here."""
    who = identity.claimed()
    if who is not None:
        with suppress(StorageError):
            services().students.end_session(student.id, who.session)
    forget()
    st.logout()


def sign_out_everywhere(student: Student) -> None:
    """End all of their sessions, then leave by Streamlit's own way out, which the welcome page tells of.

    Raises `StorageError`, and then every session goes on, this one too.
    """
    services().students.end_all_sessions(student.id)
    forget()
    redirect.go_to("/auth/logout?everywhere")


def current() -> Student:
    """The student of a page that only signed-in students reach."""
    found = student()
    if found is None:
        st.stop()
    return found


def forget() -> None:
    """Look the student up anew on the next run, after a change of their settings."""
    st.session_state.pop("seen_student", None)


def _sign_in(who: Identity) -> Student:
    return services().students.sign_in(
        issuer=who.issuer,
        subject=who.subject,
        name=who.name,
        email=who.email,
        is_email_verified=who.is_email_verified,
        timezone=who.timezone or st.context.timezone,
        session=who.session,
    )
