"""Streamlit internals that the pages use, in one place to check when Streamlit changes (1.67)."""

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx


def redirect_browser(address: str) -> None:
    """Leave for `address` in the same tab, the way `st.login` leaves for the provider (streamlit/user_info.py)."""
    context = get_script_run_ctx()
    if context is not None:
        message = ForwardMsg()
        message.auth_redirect.url = address
        context.enqueue(message)
