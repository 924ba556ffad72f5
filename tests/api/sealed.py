"""The cookie of a sign-in, made as Streamlit makes it."""

from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from api.auth import SIGN_IN_COOKIE

SECRET = "for tests only, and long enough to be one"


def sealed(secret: str = SECRET) -> str:
    """A value that a browser brings after a sign-in."""
    return create_signed_value(secret, SIGN_IN_COOKIE, '{"sub": "maya"}').decode()
