"""Addresses at the host that keeps the bytes of files: signed, short-lived, and none of Canvas's own."""

import secrets
from urllib.parse import urlsplit

from itsdangerous import BadSignature, URLSafeTimedSerializer
from starlette.datastructures import URL

from sandbox.campus import Campus
from sandbox.canvas.school import Row

LIFETIME_S = 3600
OTHER_NAME = {"localhost": "127.0.0.1", "127.0.0.1": "localhost"}


class DownloadKey:
    """Signs and reads keys with a secret of the campus."""

    def __init__(self, campus: Campus) -> None:
        self._campus = campus

    def address(self, row: Row, asked: URL) -> str:
        """Where the bytes are for an hour: on this machine's other name, where Canvas's token is a stranger's."""
        key = self._signer().dumps([row["id"], row["updated_at"]])
        base = urlsplit(self._campus.origin)
        name = OTHER_NAME.get(asked.hostname or "", base.hostname or "")
        port = f":{asked.port or base.port}" if (asked.port or base.port) else ""
        return f"{base.scheme}://{name}{port}{base.path}/files/{key}/{row['id']}"

    def file(self, key: str) -> tuple[int, str] | None:
        """Id and time of change of the file that a key opens; None for a wrong or an old key."""
        try:
            number, changed = self._signer().loads(key, max_age=LIFETIME_S)
        except BadSignature:
            return None
        return number, changed

    def _signer(self) -> URLSafeTimedSerializer:
        state = self._campus.state
        state.insert("canvas.settings", "files_key", secrets.token_urlsafe(24))
        return URLSafeTimedSerializer(state.get("canvas.settings", "files_key"), salt="files")
