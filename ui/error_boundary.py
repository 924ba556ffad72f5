"""Error boundary: shows an error as one calm sentence with the next step, never as a stack trace."""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from services.errors import ApprovalError, BadArguments, HomeroomError, ItemNotFound, StorageUnavailable, TurnBusy
from services.i18n import gettext
from services.safety.text import literal
from ui.chat.draft import peek_draft_text

NOT_FAILURES = (ApprovalError, BadArguments, ItemNotFound, TurnBusy)
"""Errors after which nothing is broken: they are shown as information."""

log = logging.getLogger(__name__)

_STREAMLITS_REPORT = "Uncaught app execution"
# Streamlit logs the error with its message, which may hold a student's words; our log leaves the message out.
logging.getLogger("streamlit.error_util").addFilter(lambda record: record.msg != _STREAMLITS_REPORT)


@contextmanager
def error_boundary() -> Iterator[None]:
    """Show a foreseen error where it happens, and let the rest of the page stand."""
    try:
        yield
    except StorageUnavailable as error:
        _show_storage(error)
    except HomeroomError as error:
        show_error(error)


def _show_storage(error: StorageUnavailable) -> None:
    if error.remedy:
        log.warning("store_out_of_order kind=%s remedy=%s", type(error).__name__, error.remedy)
    heading = gettext("**Your data cannot be reached right now.**")
    st.warning(f"{heading} {literal(str(error))} {gettext(error.next_step)}", icon=":material/cloud_off:")
    if text := peek_draft_text():
        with st.container(border=True, key="kept-message", gap="xsmall"):
            st.caption(gettext("Not sent yet. It comes back into the field when your data can be reached."))
            st.text(text)
    st.button(gettext("Try again"), key="storage-retry", icon=":material/refresh:")


def show_error(error: HomeroomError) -> None:
    """Show a foreseen error: as information when nothing is broken."""
    draw = st.info if isinstance(error, NOT_FAILURES) else st.error
    draw(f"{literal(str(error))} {literal(_next_step(error))}".rstrip(), icon=":material/info:")


def _next_step(error: HomeroomError) -> str:
    """Next step for a person: that of wrong arguments is written for the model."""
    return "" if error.next_step == BadArguments.next_step else gettext(error.next_step)


def show_unforeseen_error(error: Exception) -> bool:
    """Streamlit's hook for any other error: log it under a number, and show the number."""
    number = secrets.token_hex(3)
    log.error("page_failed number=%s kind=%s", number, type(error).__name__, exc_info=_without_words(error))
    st.error(
        gettext(
            "Something went wrong on our side. Nothing you saved is lost. Reload the page to go on; "
            "if it comes back, tell whoever runs Homeroom the number {number}.",
            number=number,
        ),
        icon=":material/build:",
    )
    return True


def _without_words(error: Exception) -> Exception:
    """Error with the same trace but without its message, which may hold a student's words."""
    return RuntimeError(type(error).__name__).with_traceback(error.__traceback__)
