"""Where the student writes and attaches files: starts a turn, and keeps everything when it cannot start."""

from collections.abc import Sequence

import streamlit as st

from services.errors import AnsweredElsewhere, HomeroomError, TurnBusy
from services.files import limits
from services.files.upload import Upload
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.runtime.priority_limiter import INTERPRETER, Rank
from ui import area, outcome, session
from ui.chat import assistant_picker, attachments, effort_picker, kept, who_reads

KEY = "composer"
WORDLESS = (gettext_noop("What is in this file?"), gettext_noop("What is in these files?"))
"""What is asked when files come without a word."""


def draw(student: Student, conversation: str | None) -> None:
    """The field stays open while Homeroom answers, so that the next question can be written meanwhile.

    It is one element in every run, whatever else the page shows: another one would be without what was being written.
    """
    if text := kept.take():
        st.session_state[KEY] = text
    attachments.draw_kept()
    attachments.draw_words()
    st.chat_input(
        gettext("Ask about your week"),
        key=KEY,
        # Of any kind: what the field itself refuses it only marks. What is too large it need not send here to be told.
        accept_file="multiple",
        max_upload_size=limits.LARGEST_MB,
        on_submit=_send_written,
        args=(student, conversation),
    )
    # A chat that goes on has its room for what is said in it: a file that does not fit is told when it is chosen.
    notes = [note for note in ("" if conversation else limits.said(), who_reads.words(student)) if note]
    # Emptied at once: what is not drawn again stays in grey for as long as an answer runs.
    below = st.bottom.empty()
    if notes:
        below.caption("  \n".join(f":small[{note}]" for note in notes))


def _send_written(student: Student, conversation: str | None) -> None:
    if (written := st.session_state[KEY]) is None:
        return
    new = [Upload(name=file.name, content=file.getvalue()) for file in written.files]
    uploads, text = [*attachments.take(), *new], written.text
    if uploads and not text.strip():
        text = gettext(WORDLESS[len(uploads) > 1])
    send(student, conversation, text, uploads)


def send(student: Student, conversation: str | None, text: str, uploads: Sequence[Upload] = ()) -> None:
    """Start a turn with this text and these files, in a new conversation when there is none yet.

    When it cannot start, the text goes back into the field, and the files that nothing is wrong with stay above it.
    """
    services = session.services()
    if not text.strip():
        return
    try:
        session.require_in(student)
        with INTERPRETER.enter(Rank.SEND):
            if conversation is None:
                chosen = {"assistant": assistant_picker.for_new_chat(), "effort": effort_picker.for_new_chat()}
                conversation = services.turns.begin(student, text, uploads, **chosen)
            else:
                services.turns.start(student, conversation, text, uploads)
            who_reads.note(student)
        st.query_params["c"] = conversation
        # The page is drawn once the questions that others sent at the same moment are with the model.
        INTERPRETER.enter(Rank.PAGE)
    except HomeroomError as error:
        is_elsewhere = isinstance(error, TurnBusy) and not _is_answered_here(student, conversation, error)
        outcome.flash(AnsweredElsewhere() if is_elsewhere else attachments.told(error, uploads))
        kept.keep("" if text in map(gettext, WORDLESS) else text)
        attachments.keep(attachments.good(error, uploads))


def _is_answered_here(student: Student, conversation: str | None, error: TurnBusy) -> bool:
    """Whether this page shows what is being done; an answer to another tab's question nobody sees on it."""
    if conversation is None or error.next_step != TurnBusy.next_step:
        return True
    running = session.services().turns.current(student.id, conversation)
    return running is not None and area.follows(f"{conversation}/{running.turn_id}")
