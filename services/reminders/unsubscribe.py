"""Unsubscribe links: they switch the e-mails of one student off, and can do nothing else; they sign nobody in."""

from datetime import timedelta

from itsdangerous import BadData, SignatureExpired, URLSafeTimedSerializer

LIFETIME = timedelta(days=180)
"""How long a link in an old e-mail works. RFC 8058 names no time; laws ask for a month at least."""


class LinkExpired(Exception):
    """The link was ours, and is too old."""


class UnsubscribeLinks:
    def __init__(self, secret: str, public_url: str) -> None:
        self._seal = URLSafeTimedSerializer(secret, salt="homeroom/unsubscribe")
        self._public_url = public_url

    def link(self, student_id: str) -> str:
        return f"{self._public_url}/unsubscribe/{self._seal.dumps(student_id)}"

    def student_of(self, token: str) -> str | None:
        """Id of the student whose e-mails the token ends; None for a forged one. Raises `LinkExpired`."""
        try:
            student_id = self._seal.loads(token, max_age=int(LIFETIME.total_seconds()))
        except SignatureExpired:
            raise LinkExpired from None
        except BadData:
            return None
        return student_id if isinstance(student_id, str) and student_id and "/" not in student_id else None
