"""The cookie by which Streamlit knows a browser in which somebody signed in: whether one is ours, and fresh."""

from datetime import timedelta

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.requests import HTTPConnection

from api.auth import SIGNED_IN

LASTS = timedelta(days=31)
"""Thirty days, and the day beyond them for which Streamlit still takes one."""


class SignInCookie:
    """Checks the seal alone, in some 20 µs and without the store: who it names may be signed out or deleted by now."""

    def __init__(self, secret: str) -> None:
        # As Streamlit seals it (starlette_app_utils.py, 1.67). One that is too long for a browser is sealed in parts,
        # of which this, the first, tells how many there are.
        self._seal = URLSafeTimedSerializer(secret, salt=SIGNED_IN)

    def is_good(self, request: HTTPConnection) -> bool:
        """Whether the request brings one that was made here and has not run out."""
        try:
            self._seal.loads(request.cookies.get(SIGNED_IN, ""), max_age=int(LASTS.total_seconds()))
        except BadData:
            return False
        return True
