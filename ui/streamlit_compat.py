"""Sends the browser elsewhere in the same tab, which Streamlit offers only to its own sign-in."""

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx


def redirect_browser(address: str) -> None:
    """Leave for `address`, the way `st.login` leaves for the sign-in provider (streamlit/user_info.py, 1.67)."""
    context = get_script_run_ctx()
    if context is not None:
        message = ForwardMsg()
        message.auth_redirect.url = address
        context.enqueue(message)
