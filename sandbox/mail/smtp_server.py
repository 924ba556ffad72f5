"""SMTP server of the campus (aiosmtpd), on a thread of its own beside the campus's HTTP."""

import logging
import socket
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from sandbox.mail.mailbox import Mailbox

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
LARGEST_BYTES = 1_000_000


class _Taking:
    """Handler that takes every mail for whomever it is."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - its name
        content: Any = envelope.content
        for recipient in envelope.rcpt_tos:
            self._mailbox.add(sender=envelope.mail_from or "", to=recipient, content=bytes(content))
        return "250 OK"


def serve_mail(mailbox: Mailbox, port: int) -> Controller | None:
    """Start the server on this machine's `port`; None where another process of the same demo has it already."""
    if not _is_free(port):
        log.info("campus_mail_elsewhere port=%s", port)
        return None
    controller = Controller(
        _Taking(mailbox), hostname=HOST, port=port, data_size_limit=LARGEST_BYTES, server_hostname="campus"
    )
    controller.start()
    return controller


def _is_free(port: int) -> bool:
    """The controller would wait for seconds before it says that it could not bind."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
