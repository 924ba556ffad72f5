"""The campus's mail: a real SMTP server that takes everything, and pages that show what arrived."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.mail.mailbox import Mailbox, StoredMail
from sandbox.pages import esc, message_page, page

SITE = "Campus mail"


def routes(campus: Campus) -> list[BaseRoute]:
    """The routes below /sandbox/mail."""
    mailbox = Mailbox(campus.state)

    async def inbox(request: Request) -> Response:
        rows = "".join(
            f'<tr><td><a href="{esc(campus.origin)}/mail/{mail.id}">{esc(mail.subject)}</a></td>'
            f"<td>{esc(mail.to)}</td><td>{esc(mail.received_at)}</td></tr>"
            for mail in reversed(mailbox.all())
        )
        table = f"<table><tr><th>Subject</th><th>To</th><th>Received (UTC)</th></tr>{rows}</table>"
        return page("What arrived", table if rows else "<p>No e-mail has arrived yet.</p>", site=SITE)

    async def listed(request: Request) -> Response:
        return JSONResponse({"mails": [mail.as_json() for mail in mailbox.all()]})

    async def shown(request: Request) -> Response:
        mail = mailbox.get(request.path_params["id"])
        return _missing() if mail is None else page(mail.subject, _body(campus, mail), site=SITE)

    async def as_html(request: Request) -> Response:
        mail = mailbox.get(request.path_params["id"])
        return _missing() if mail is None else HTMLResponse(mail.html, headers={"cache-control": "no-store"})

    return [
        Route("/", inbox),
        Route("/messages.json", listed),
        Route("/{id:int}", shown),
        Route("/{id:int}/html", as_html),
    ]


def seed(campus: Campus) -> None:
    """The mailboxes begin empty."""


def _missing() -> Response:
    return message_page("No such e-mail", "It was deleted, or never arrived.", site=SITE, status=404)


def _body(campus: Campus, mail: StoredMail) -> str:
    headers = "".join(f"<tr><th>{esc(name)}</th><td>{esc(value)}</td></tr>" for name, value in mail.headers)
    link = mail.unsubscribe_link
    one_click = (
        f'<form method="post" action="{esc(link)}"><input type="hidden" name="List-Unsubscribe" value="One-Click">'
        "<button>Unsubscribe, as a mail program does it</button></form>"
        if link
        else ""
    )
    return (
        f'<p><a href="{esc(campus.origin)}/mail/{mail.id}/html">As a mail program shows it</a></p>'
        f'<pre style="white-space:pre-wrap;overflow-wrap:anywhere">{esc(mail.text)}</pre>'
        f"{one_click}<h2>Headers</h2><table>{headers}</table>"
        f'<p><a href="{esc(campus.origin)}/mail/">All e-mails</a></p>'
    )
