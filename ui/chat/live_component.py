"""Live component: the field for messages and the answer as it comes, drawn by `components/homeroom_live`."""

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from services.conversations.items import ApprovalItem, AssistantText, UserMessage
from services.files import limits
from services.files.upload import EXTENSIONS, OLDER, describe_limits, step_instead_of
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from ui import session
from ui.browser_component import live_component
from ui.chat.chat_state import ChatState
from ui.chat.transcript import retry_or_resume
from ui.flash_message import flash, keep_flash
from ui.streamlit_compat import chunk_addresses, tab_id

COMPOSER = "live-composer"
ANSWER = "live-answer"
GRACE_S = 2.0
"""Seconds that the browser has to begin to follow an answer; after them the script draws it."""
MOST_MISSES = 2
"""Answers that the browser did not follow, after which it is not waited for any more in this session."""
SCRIPT_TURN = "turn_of_script"
MISSES = "live_misses"
FINISHED = "live_finished"
PUT = "live_put"
FILE_QUESTIONS = (gettext_noop("What is in this file?"), gettext_noop("What is in these files?"))
"""Questions for files without a message: one file, or several."""


def is_live() -> bool:
    """Whether the browser sends and draws by itself, as far as this session knows."""
    return int(st.session_state.get(MISSES, 0)) < MOST_MISSES


def is_drawn_by_script(chat: ChatState) -> bool:
    """Whether the script follows the running turn of this chat."""
    return chat.running is not None and (not is_live() or st.session_state.get(SCRIPT_TURN) == chat.running.turn_id)


def drawn_before(chat: ChatState) -> int:
    """Number of items of the running turn that the page draws itself: up to the last card, which only it can draw."""
    items = chat.running.items if chat.running else []
    return max((at + 1 for at, item in enumerate(items) if isinstance(item, ApprovalItem)), default=0)


def draw_live_composer(
    *,
    placeholder: str,
    assistant: str,
    effort: str | None,
    text: str | None,
    waits: bool,
    draw_picker: Callable[[], None],
    on_typed: Callable[..., None],
) -> None:
    """Draw the field. placeholder: what it says while it is empty. text: to write into it now.

    waits: the page asks for a consent, and nothing is sent before it. draw_picker: draws what stands in the field, of
    who answers. on_typed: called when the browser could not post a text.
    """
    if not is_live():
        return
    with st.bottom.container(key="live-field"):
        live_component()(
            key=COMPOSER,
            data={
                "part": "composer",
                "run": _run_number(),
                "tab": tab_id(),
                "assistant": assistant,
                "effort": effort,
                "put": put_into_field(text),
                "waits": waits,
                "words": _composer_words(placeholder),
                "file_questions": [gettext(question) for question in FILE_QUESTIONS],
                "largest_bytes": limits.LARGEST_FILE,
                "most_files": limits.MOST_FILES,
                "extensions": EXTENSIONS,
                "steps_instead": {ending: step_instead_of(ending) for ending in ("", *OLDER)},
            },
            on_typed_change=on_typed,
            on_blocked_change=_ask_for_files_again,
            on_held_change=keep_flash,
        )
        with st.container(key="field-picker"):
            draw_picker()


def draw_live_answer(student: Student, chat: ChatState) -> None:
    """Place of the answer that comes, below the drawn chat."""
    if not is_live():
        return
    live_component()(
        key=ANSWER,
        data={
            "part": "answer",
            "run": _run_number(),
            "chat": chat.id or "",
            "running": chat.running.turn_id if chat.running else "",
            "failed": is_drawn_by_script(chat),
            "finished": st.session_state.get(FINISHED, ""),
            "last": max((item.seq for item in chat.items if isinstance(item, UserMessage | AssistantText)), default=0),
            "found": bool(chat.found_seq),
            "skipped": drawn_before(chat),
            "tab": tab_id(),
            "words": _answer_words(),
            "chunks": chunk_addresses(),
        },
        on_finished_change=_remember_finished,
        on_failed_change=_give_up,
        on_changed_change=keep_flash,
        on_go_on_change=partial(_go_on, student),
    )


def require_live_follower(student: Student, chat: ChatState) -> None:
    """Rerun the page, which then draws the answer itself, when the browser does not begin to follow it in time."""
    services = session.services()
    for _ in range(8):
        if services.live_followers.wait_for(tab_id(), GRACE_S / 8):
            st.session_state.pop(MISSES, None)
            return
        if services.turns.current(student.id, chat.id or "") is None:
            break
    else:
        st.session_state[MISSES] = int(st.session_state.get(MISSES, 0)) + 1
        st.session_state[SCRIPT_TURN] = chat.running.turn_id if chat.running else ""
    keep_flash()
    st.rerun()


def _remember_finished() -> None:
    keep_flash()
    st.session_state[FINISHED] = _told(ANSWER, "finished")


def _go_on(student: Student) -> None:
    """The button of a notice was pressed before the page had drawn that notice."""
    told = _told(ANSWER, "go_on")
    retry_or_resume(student, str(told["chat"]), "retry" if told["action"] == "retry" else "continue")


def _give_up() -> None:
    keep_flash()
    give_up_live()


def give_up_live() -> None:
    """From now on this session goes without the component."""
    st.session_state[MISSES] = MOST_MISSES


def _ask_for_files_again() -> None:
    give_up_live()
    flash(gettext("Your files could not be sent this way. Choose them again below; your text is still there."))


def told_by_composer(event: str) -> Any:
    return _told(COMPOSER, event)


def _told(key: str, event: str) -> Any:
    return dict(st.session_state[key]).get(event)


def _run_number() -> int:
    """Number that each mount changes: the component is called only when its data are new, and the address may be."""
    number = st.session_state["live_run"] = int(st.session_state.get("live_run", 0)) + 1
    return number


def put_into_field(text: str | None) -> dict[str, Any] | None:
    """What the field is to hold. It goes along with every later run: the page may rerun before the browser has drawn
    the first one, and what has been written once is not written again.
    """
    kept: dict[str, Any] | None = st.session_state.get(PUT)
    if text:
        # No number: a session that begins anew in the same document would count from one again.
        kept = st.session_state[PUT] = {"id": secrets.token_hex(4), "text": text}
    return kept


def _composer_words(placeholder: str) -> dict[str, str]:
    return {
        "placeholder": placeholder,
        "attach": gettext("Attach files"),
        "send": gettext("Send message"),
        "stop": gettext("Stop"),
        "down": gettext("Down to the newest"),
        "retry": gettext("Retry"),
        "files": gettext("Files of your message"),
        "remove": gettext("Remove {file}", file="{file}"),
        "too_large": gettext(
            "The file marked in red is not attached: a file may have {megabytes} MB. Take it out to send your message.",
            megabytes=limits.LARGEST_MB,
        ),
        "unreadable": gettext(
            "{file} is not attached: it cannot be read here. {step} Take it out to send your message.",
            file="{file}",
            step="{step}",
        ),
        "limits": describe_limits(),
        "too_many": gettext(
            "A message takes {n} files. Take out what is marked in red, or send it with your next message.",
            n=limits.MOST_FILES,
        ),
        "no_pdf": gettext("{file} is not really a PDF. Save it as one again, or take it out.", file="{file}"),
        "files_gone": gettext(
            "The files that you had chosen here are gone, as you left before sending them. Choose them again."
        ),
        "held": gettext("Your message is kept. It is sent as soon as you agree to what stands above."),
        "away": gettext("Homeroom is not answering. Go on typing; your message goes out when it is back."),
    }


def _answer_words() -> dict[str, str]:
    return {
        "thinking": gettext("Thinking …"),
        "asked_for": gettext("Asked for"),
        "found": gettext("Found"),
        "show_as_text": gettext("Show as text"),
        "retry": gettext("Retry"),
        "continue": gettext("Continue"),
    }
