"""A real mail server (aiosmtpd) for tests: keeps what it takes, and can refuse, or cut the line at a named moment."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default as modern_policy
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP


@dataclass
class MailCatcher:
    """answer: to the end of the next mails. cuts: the line is cut after a mail was taken, before that is said.

    delay_s, holds: how long a mail is with us before that is said, a time or until an event. has_one: a mail is there.
    """

    port: int
    answer: str = "250 OK"
    recipient_answer: str = "250 OK"
    cuts: bool = False
    delay_s: float = 0.0
    holds: threading.Event | None = None
    has_one: threading.Event = field(default_factory=threading.Event)
    mails: list[EmailMessage] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"smtp://localhost:{self.port}"

    async def handle_RCPT(self, server: SMTP, session: Any, envelope: Any, address: str, _: Any) -> str:
        if self.recipient_answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.recipient_answer

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:
        if self.answer.startswith("250"):
            mail = message_from_bytes(envelope.content, policy=modern_policy)
            assert isinstance(mail, EmailMessage)
            self.mails.append(mail)
            self.has_one.set()
        await asyncio.sleep(self.delay_s)
        if self.holds is not None:
            await asyncio.to_thread(self.holds.wait)
        if self.cuts and server.transport is not None:
            server.transport.abort()
        return self.answer


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def mail_server() -> Iterator[MailCatcher]:
    catcher = MailCatcher(port=free_port())
    controller = Controller(catcher, hostname="127.0.0.1", port=catcher.port, server_hostname="catcher")
    controller.start()
    try:
        yield catcher
    finally:
        controller.stop()
