"""Mailbox: every e-mail that the campus's server took, in its state."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default as modern_policy
from typing import Any

from sandbox.state import State

KIND = "mail.messages"
COUNTER = "mail"
KEPT = 500


@dataclass(frozen=True, kw_only=True)
class StoredMail:
    """E-mail as it came. to: the recipient of its envelope."""

    id: int
    sender: str
    to: str
    received_at: str
    message: EmailMessage = field(repr=False)

    @property
    def subject(self) -> str:
        return str(self.message["subject"] or "(no subject)")

    @property
    def headers(self) -> list[tuple[str, str]]:
        return [(name, str(value)) for name, value in self.message.items()]

    @property
    def text(self) -> str:
        return self._part("plain")

    @property
    def html(self) -> str:
        return self._part("html")

    @property
    def unsubscribe_link(self) -> str:
        return str(self.message["list-unsubscribe"] or "").strip().strip("<>")

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "id": self.id,
            "from": self.sender,
            "to": self.to,
            "received_at": self.received_at,
            "subject": self.subject,
            "headers": self.headers,
            "text": self.text,
            "html": self.html,
            "unsubscribe_link": self.unsubscribe_link,
        }

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        return "" if part is None else str(part.get_content())


class Mailbox:
    def __init__(self, state: State) -> None:
        self._state = state

    def add(self, *, sender: str, to: str, content: bytes) -> None:
        with self._state.transaction():
            number = (self._state.get("sandbox.counters", COUNTER) or 0) + 1
            self._state.put("sandbox.counters", COUNTER, number)
            received_at = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
            written = {"id": number, "from": sender, "to": to, "at": received_at, "content": content.decode("latin-1")}
            self._state.put(KIND, number, written)
            self._state.delete(KIND, number - KEPT)

    def get(self, id: int) -> StoredMail | None:
        stored = self._state.get(KIND, id)
        return None if stored is None else _read(stored)

    def all(self) -> list[StoredMail]:
        """All of them, in the order in which they came."""
        return [_read(stored) for stored in self._state.all(KIND)]


def _read(stored: dict[str, Any]) -> StoredMail:
    message = message_from_bytes(stored["content"].encode("latin-1"), policy=modern_policy)
    assert isinstance(message, EmailMessage)
    return StoredMail(
        id=stored["id"], sender=stored["from"], to=stored["to"], received_at=stored["at"], message=message
    )
