"""Streamlit internals that the pages use: what to check when Streamlit is updated (1.67)."""

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx


def is_script_running() -> bool:
    """Whether this thread runs a page's script."""
    return get_script_run_ctx(suppress_warning=True) is not None


def redirect_browser(address: str) -> None:
    """Leave for `address` in the same tab, the way `st.login` leaves for the provider (streamlit/user_info.py)."""
    context = get_script_run_ctx()
    if context is not None:
        message = ForwardMsg()
        message.auth_redirect.url = address
        context.enqueue(message)
