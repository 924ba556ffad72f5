"""Plain pages of a launch: no Streamlit, nothing kept in the browser, a policy of their own, buttons without script."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from starlette.responses import HTMLResponse

from api.errors import FRESH
from services.classes.lti.refusals import LaunchRefused
from services.i18n import get_language, gettext

_STYLE = """\
:root{color-scheme:light dark}
body{font:1.05rem/1.5 system-ui,sans-serif;max-width:36rem;margin:10vh auto 3rem;padding:0 1.25rem}
body{overflow-wrap:anywhere}
button{font:inherit;padding:.6rem 1.1rem;min-height:44px;cursor:pointer;border-radius:8px;border:1px solid currentColor;
background:#1f5f99;color:#fff;border-color:#1f5f99}
button.quiet{background:transparent;color:inherit;border-color:currentColor}
label{display:block;padding:.4rem 0;min-height:32px}
label small{display:block;padding-left:1.75rem;opacity:.8}
form{margin:1rem 0}
fieldset{border:0;padding:0;margin:0 0 1rem}
legend{font-weight:600;padding:0}
code{font-size:.95em}
"""


def lti_page(
    title: str,
    words: Sequence[str],
    *,
    body: str = "",
    frames: Iterable[str] = (),
    forms: Iterable[str] = (),
    script: str = "",
    status: int = 200,
    refused: str = "",
) -> HTMLResponse:
    """A page with a heading, paragraphs and `body`, which is HTML already.

    frames: origins whose pages may show it. forms: origins beside ours to which its forms may lead. script: runs with
    a nonce. refused: the code of a refusal.
    """
    nonce = secrets.token_urlsafe(16)
    mark = f' data-lti-refused="{escape(refused)}"' if refused else ""
    paragraphs = "".join(f"<p>{escape(text)}</p>" for text in words)
    code = f'<script nonce="{nonce}">{script}</script>' if script else ""
    html = (
        f'<!doctype html><html lang="{get_language()}"><head><meta charset="utf-8"><title>{escape(title)} · Homeroom'
        '</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" '
        f'content="noindex"><style nonce="{nonce}">{_STYLE}</style></head>'
        f"<body><main{mark}><h1>{escape(title)}</h1>{paragraphs}{body}</main>{code}</body></html>"
    )
    return HTMLResponse(html, status, headers={**FRESH, **page_headers(nonce, frames=frames, forms=forms)})


def page_headers(nonce: str, *, frames: Iterable[str], forms: Iterable[str]) -> Mapping[str, str]:
    """The policy of one page; with frames, the older header that would forbid them all is left out."""
    ancestors = " ".join(sorted(set(frames))) or "'none'"
    targets = " ".join(("'self'", *sorted(set(forms))))
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; base-uri 'none'; "
        f"form-action {targets}; frame-ancestors {ancestors}"
    )
    opener = {"cross-origin-opener-policy": "unsafe-none"}
    return {
        "content-security-policy": policy,
        **opener,
        **({"x-frame-options": "DENY"} if ancestors == "'none'" else {}),
    }


def refusal_page(error: LaunchRefused, frames: Iterable[str]) -> HTMLResponse:
    """What a person reads of a launch that was not let in: what happened, what to do next, a code for the help desk."""
    words = gettext("Code: {code}", code=f"{error.code} {error.reference}".strip())
    code = f"<p><small>{escape(words)}</small></p>"
    return lti_page(
        error.title,
        (str(error), error.next_step),
        body=code,
        frames=frames,
        status=error.status,
        refused=error.code,
    )


def form(action: str, fields: Mapping[str, str], inner: str, *, name: str = "go", target: str = "") -> str:
    """A form that posts hidden fields. inner: HTML of its own fields and buttons."""
    hidden = "".join(
        f'<input type="hidden" name="{escape(field)}" value="{escape(value)}">' for field, value in fields.items()
    )
    opens = f' target="{target}" rel="noopener"' if target else ""
    return f'<form id="{name}" method="post" action="{escape(action)}"{opens}>{hidden}{inner}</form>'


def button(words: str, *, name: str = "", value: str = "", is_quiet: bool = False) -> str:
    """A button that sends its form; name and value: what it sends of itself."""
    sent = f' name="{escape(name)}" value="{escape(value)}"' if name else ""
    look = ' class="quiet"' if is_quiet else ""
    return f"<button{sent}{look}>{escape(words)}</button>"
