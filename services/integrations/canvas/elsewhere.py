"""A Canvas that the operator did not list: how its address is read, and the guarded way there.

A student's own word names it, so nothing goes there but what the guard lets out (T04), and only a token that the
student pasted: Homeroom's own client id and secret are never sent.
"""

import io
import re
from collections.abc import Mapping
from typing import Any

import requests
import urllib3
from requests.adapters import HTTPAdapter

from services.errors import BadArguments
from services.i18n import gettext
from services.safety.fetch import SafeFetch
from services.safety.fetch.target import read_target

LARGEST_ANSWER = 20 * 1024 * 1024
_LIMIT_S = 12.0
_PAGES = re.compile(r"/(?:accounts|calendar|conversations|courses|groups|login|profile|users)(?:/.*)?$")
"""What Canvas's own pages begin with: students copy the address of the one they are on."""
_UNPACKED = ("content-encoding", "content-length", "transfer-encoding")


def read_address(written: str, fetch: SafeFetch) -> str:
    """The address of a Canvas as a student wrote it: scheme, host and the path before Canvas's own pages.

    Raises `AddressRefused` for what the guard does not open, and `BadArguments` for one without encryption, which only
    the operator's own may be.
    """
    text = written.strip()
    target = read_target(text if "://" in text else f"https://{text}")
    if not fetch.is_operators(target.url) and target.scheme != "https":
        sentence = gettext("Write an address that begins with https://, so that nobody on the way can read your token.")
        raise BadArguments(sentence, field="origin")
    return target.origin + _PAGES.sub("", target.path.partition("?")[0]).rstrip("/")


class GuardedAdapter(HTTPAdapter):
    """Carries the requests of a session through the guard, each over a connection of its own; follows no redirect."""

    def __init__(self, fetch: SafeFetch) -> None:
        super().__init__()
        self._fetch = fetch

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """Raises what `SafeFetch` raises."""
        page = self._fetch.once(
            str(request.method),
            str(request.url),
            headers=dict(request.headers),
            limit_bytes=LARGEST_ANSWER,
            timeout_s=max(timeout) if timeout else _LIMIT_S,
        )
        answer = urllib3.HTTPResponse(
            body=io.BytesIO(page.body),
            headers={name: value for name, value in page.headers.items() if name not in _UNPACKED},
            status=page.status,
            preload_content=False,
        )
        return self.build_response(request, answer)
