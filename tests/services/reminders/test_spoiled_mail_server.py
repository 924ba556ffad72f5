"""A mail server that answers nonsense has taken no mail: none is called sent but by its own word (250)."""

import asyncio
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from services.reminders.deliveries import DeliveryStatus
from services.reminders.mail import Mail, MailSender
from services.settings.mail_server import MailSecurity, MailServer
from tests.spoiled_bodies import SPOILED, spoiled_bodies

SOUND = {
    "": b"220 mail",
    "EHLO": b"250 mail",
    "MAIL": b"250 ok",
    "RCPT": b"250 ok",
    "DATA": b"354 go",
    ".": b"250 taken",
}
STEPS = tuple(SOUND)


@contextmanager
def mail_server(spoiled: Mapping[str, bytes]) -> Iterator[int]:
    """The port of a server that answers each step soundly, but those that are spoiled, and then hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        step = ""
        while True:
            writer.write(spoiled.get(step, SOUND.get(step, b"250 ok")) + b"\r\n")
            if step in spoiled:
                break
            line = b"\n"
            while step == "DATA" and line not in (b".\r\n", b""):
                line = await reader.readline()
            if step == "DATA":
                step = "."
                continue
            step = (await reader.readline()).decode("latin-1").split(" ")[0].strip().upper()
            if not step:
                break
        writer.close()

    loop = asyncio.new_event_loop()
    listener = socket.create_server(("127.0.0.1", 0))
    server = loop.run_until_complete(asyncio.start_server(serve, sock=listener))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


def sent(spoiled: Mapping[str, bytes]) -> DeliveryStatus:
    with mail_server(spoiled) as port:
        server = MailServer(
            host="127.0.0.1", port=port, security=MailSecurity.NONE, user="", password="", sender="h@campus.example"
        )
        return (
            MailSender(server)
            .send(Mail(to="maya@campus.example", message_id="<x@y>", content=b"Subject: x\r\n\r\nHello\r\n"))
            .status
        )


def test_a_sound_server_takes_the_mail() -> None:
    assert sent({}) is DeliveryStatus.SENT


@spoiled_bodies(tells=("empty", "null", "web page", "bytes"))
def test_no_mail_is_sent_by_a_spoiled_answer(body: str) -> None:
    answers = {step: sent({step: SPOILED[body].encode()}) for step in STEPS if step != "EHLO"}

    assert {step for step, status in answers.items() if status is DeliveryStatus.SENT} == set()
    assert answers["."] is DeliveryStatus.UNCLEAR
    assert answers["DATA"] in (DeliveryStatus.UNCLEAR, DeliveryStatus.WAITING)
