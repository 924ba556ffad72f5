"""Streamlit internals that the pages use: what to check when Streamlit is updated (1.67)."""

import secrets
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

import streamlit as st
from streamlit import runtime
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx
from streamlit.watcher.polling_path_watcher import PollingPathWatcher

BROWSER_TAB = "browser_tab"

LATER_S = 0.25
"""Until a rerun is tried again: a page is drawn in about that time."""


def stop_watching_configuration() -> None:
    """Let Streamlit look no more whether its configuration files have changed (`_install_config_watchers` in
    streamlit/web/bootstrap.py): at each of them five times a second, half of what a process costs that nobody uses.
    Like the settings they are read at the start.
    """
    PollingPathWatcher._check_if_path_changed = lambda _: None  # type: ignore[method-assign]


def is_script_running() -> bool:
    """Whether this thread runs a page's script."""
    return get_script_run_ctx(suppress_warning=True) is not None


def open_instead_of_unknown(known: Collection[str], wanted: str) -> None:
    """Let `st.navigation` open the page `wanted` in place of one that is not among the known paths; else it opens a
    dialog in English over the first page (`send_page_not_found` in streamlit/commands/navigation.py).
    """
    context = get_script_run_ctx(suppress_warning=True)
    pages = context.pages_manager if context is not None else None
    if pages and not pages.intended_page_script_hash and (pages.intended_page_name or "") not in known:
        pages.set_script_intent("", wanted)


def redirect_browser(address: str) -> None:
    """Leave for `address` in the same tab, the way `st.login` leaves for the provider (streamlit/user_info.py)."""
    context = get_script_run_ctx()
    if context is not None:
        message = ForwardMsg()
        message.auth_redirect.url = address
        context.enqueue(message)


@contextmanager
def drawn_at_once() -> Iterator[None]:
    """Send what is drawn within when it is whole: on a busy machine the browser would show states in between, and what
    stands below would jump (`ScriptRunContext.enqueue`).
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        yield
        return
    held: list[ForwardMsg] = []
    send, context._enqueue = context._enqueue, held.append
    try:
        yield
    finally:
        context._enqueue = send
        for message in held:
            send(message)


@dataclass(frozen=True, kw_only=True)
class BrowserTab:
    """Tab of a browser that shows a page, an `OpenPage` of `ChangeWatch`. It keeps no session alive.

    id: made by us, and known to the browser. session_id: Streamlit's.
    """

    id: str
    session_id: str

    def is_acting(self) -> bool:
        """Whether this thread runs the script of this tab."""
        context = get_script_run_ctx(suppress_warning=True)
        return context is not None and context.session_id == self.session_id

    def is_connected(self) -> bool:
        return runtime.exists() and runtime.get_instance().is_active_session(self.session_id)

    def rerun_when_idle(self, tries: int = 40) -> None:
        """Rerun the page's script as soon as it does not run, from any thread; nothing for a browser that is away."""
        if tries and self.is_connected():
            self.rerun(lambda: _later(self.session_id, lambda: self.rerun_when_idle(tries - 1)))

    def rerun(self, give_up: Callable[[], None]) -> None:
        """Rerun the page's script as after a change of its source, from any thread.

        `give_up` is called instead while it runs, which a rerun would break off, and while the browser is away.
        """
        session = runtime.get_instance().get_app_session(self.session_id) if runtime.exists() else None
        if session is None:
            give_up()
            return
        try:
            # Only its own loop may start a session's script.
            session._event_loop.call_soon_threadsafe(_rerun_if_idle, session, give_up)
        except RuntimeError:  # The loop is closed: the server ends.
            give_up()


def _later(session_id: str, act: Callable[[], None]) -> None:
    """Act a moment later, on the session's own loop."""
    if session := runtime.get_instance().get_app_session(session_id):
        session._event_loop.call_soon_threadsafe(session._event_loop.call_later, LATER_S, act)


def _rerun_if_idle(session: AppSession, give_up: Callable[[], None]) -> None:
    if session._scriptrunner is None:
        session.request_rerun(session._client_state)
    else:
        give_up()


def script_session_id() -> str | None:
    """Id of the session whose script runs on this thread; None without a server, as in a page test."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context is not None and runtime.exists() else None


_CHUNKS = {"formulas": "rehype-katex.*.js", "diagrams": "mermaid.core.*.js"}


@cache
def chunk_addresses() -> dict[str, str | None]:
    """Addresses of the files that Streamlit's own page loads for formulas and diagrams, whose names change with each
    of its versions. None for one that is not there; then formulas and diagrams stay text while an answer comes.
    """
    folder = Path(str(distribution("streamlit").locate_file("streamlit/static/static/js")))
    return {name: _only_address(folder, pattern) for name, pattern in _CHUNKS.items()}


def _only_address(folder: Path, pattern: str) -> str | None:
    found = sorted(folder.glob(pattern))
    return f"/static/js/{found[0].name}" if len(found) == 1 else None


def held_upload_bytes(session_id: str) -> int:
    """Bytes of the files that Streamlit holds in memory for a tab; it frees them with the tab."""
    if not runtime.exists():
        return 0
    manager = runtime.get_instance().uploaded_file_mgr
    files = manager.file_storage.get(session_id) if isinstance(manager, MemoryUploadedFileManager) else None
    return sum(len(file.data) for file in list(files.values())) if files else 0


def tab_id() -> str:
    """Random id of the tab that this script draws for, as long as its session lasts; the browser may know it."""
    if BROWSER_TAB not in st.session_state:
        st.session_state[BROWSER_TAB] = secrets.token_hex(8)
    return str(st.session_state[BROWSER_TAB])
