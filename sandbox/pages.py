"""The plain pages of the campus's services: one shell, light and dark, no script, everything escaped."""

from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from sandbox.people import Person


def esc(text: Any) -> str:
    """The text made safe between tags and inside quoted attributes."""
    return escape(str(text), quote=True)


def page(title: str, body: str, *, site: str = "Demo campus", status: int = 200) -> HTMLResponse:
    """A whole page; `title` and `site` are escaped here, `body` is HTML that its maker escaped with `esc`."""
    where = site if site == "Demo campus" else f"{site} on the demo campus, not the real service"
    html = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{esc(title)} · {esc(site)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_style()}</style></head>'
        f"<body><header>{esc(where)}</header>"
        f"<main><h1>{esc(title)}</h1>{body}</main></body></html>"
    )
    return HTMLResponse(html, status, {"cache-control": "no-store", "referrer-policy": "no-referrer"})


def message_page(title: str, sentence: str, *, site: str = "Demo campus", status: int = 400) -> HTMLResponse:
    """A page with one sentence: a refusal that a person reads."""
    return page(title, f"<p>{esc(sentence)}</p>", site=site, status=status)


def hidden_fields(fields: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> str:
    """Hidden inputs that carry a request's parameters through a form."""
    pairs = fields.items() if isinstance(fields, Mapping) else fields
    return "".join(f'<input type="hidden" name="{esc(name)}" value="{esc(value)}">' for name, value in pairs)


def person_choices(people: Mapping[str, Person]) -> str:
    """Radio buttons named `person`, one for each person, the first one checked."""
    return "".join(
        f'<label class="person"><input type="radio" name="person" value="{esc(person.id)}"{" checked" * (not index)}>'
        f"<div>{esc(person.name)}<br><span>{esc(person.role)} · {esc(person.email)}</span></div></label>"
        for index, person in enumerate(people.values())
    )


def consent_page(request: Request, people: Mapping[str, Person], *, site: str, asks: Iterable[str]) -> HTMLResponse:
    """The consent page of an OAuth service: who you are, what Homeroom asks for, Allow or Deny.

    The form posts back to the same path: every query parameter of this request as a hidden field, `person` (a person's
    id) and `decision` ("allow" or "deny"). The service checks the parameters again.
    """
    if not people:
        return message_page("Nobody is signed in here", "Sign in to Homeroom in this browser first.", site=site)
    wishes = "".join(f"<li>{esc(ask)}</li>" for ask in asks)
    body = (
        f"<p>Homeroom asks to:</p><ul>{wishes}</ul>"
        f'<form method="post" action="{esc(request.url.path)}">{hidden_fields(request.query_params.multi_items())}'
        f"<fieldset><legend>Continue as</legend>{person_choices(people)}</fieldset>"
        '<button class="go" name="decision" value="allow">Allow</button>'
        '<button name="decision" value="deny">Deny</button></form>'
    )
    return page(f"Allow Homeroom to use your {site} account?", body, site=site)


@cache
def _style() -> str:
    return Path(__file__).with_name("pages.css").read_text()
