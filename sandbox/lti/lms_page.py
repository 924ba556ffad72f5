"""The shell of a platform's pages: those with a script of ours, and those that carry a form on by themselves."""

from collections.abc import Iterable, Mapping

from starlette.responses import Response

from sandbox.lti.flavour import Flavour
from sandbox.pages import esc, hidden_fields, message_page, page

SCRIPT = "/sandbox/lti/lms.js"
# A school's pages may show tools of any origin, and send forms to them; nobody else may show theirs.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self'; frame-src http: https:; "
    "form-action http: https:; base-uri 'none'; frame-ancestors 'self'"
)


def lms_page(flavour: Flavour, title: str, body: str, *, status: int = 200, script: str = "") -> Response:
    """A page of this school's system. script: what `lms.js` does on it."""
    told = f'<script src="{SCRIPT}" data-does="{esc(script)}"></script>' if script else ""
    return with_policy(page(title, body + told, site=flavour.product, status=status))


def lms_message(flavour: Flavour, title: str, sentence: str, *, status: int = 400) -> Response:
    """A page with one sentence."""
    return with_policy(message_page(title, sentence, site=flavour.product, status=status))


def carried_on(
    flavour: Flavour, address: str, fields: Mapping[str, str] | Iterable[tuple[str, str]], *, method: str = "post"
) -> Response:
    """A page whose form goes on at once."""
    body = (
        f'<form method="{method.lower()}" action="{esc(address)}" id="on">{hidden_fields(fields)}'
        '<button class="go">Go on</button></form>'
    )
    return lms_page(flavour, "One moment", body, script="submit")


def with_policy(response: Response) -> Response:
    """The page, which may be inside one of its own and holds frames of tools."""
    response.headers["content-security-policy"] = POLICY
    return response
