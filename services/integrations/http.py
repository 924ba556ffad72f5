"""The HTTP connections that client libraries share: no cookies, no redirects, no words in the log."""

import atexit
import logging
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from services.tools.looking import refuse_while_looking

_READING_POSTS = ("/search", "/query", "/freeBusy", "/token")
"""Ends of addresses that are asked by POST and change nothing of the student's."""


@cache
def shared_client(service: str, timeout_s: float) -> httpx.Client:
    """The process's one client for a service; all students' calls share it, since it keeps nothing of one for the next.

    service: its id; each has a pool of connections of its own, so that one that hangs holds up no other.
    timeout_s: for connecting, and for each wait on the other side.
    """
    # httpx logs whole addresses at INFO, and ours carry search words and ids of events and pages (T15).
    logging.getLogger("httpx").setLevel(logging.WARNING)
    no_cookies = CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
    client = httpx.Client(
        timeout=timeout_s,
        cookies=no_cookies,
        follow_redirects=False,
        event_hooks={"request": [_refuse_writes_while_looking]},
    )
    atexit.register(client.close)
    return client


def _refuse_writes_while_looking(request: httpx.Request) -> None:
    is_reading = request.method in ("GET", "HEAD") or request.url.path.endswith(_READING_POSTS)
    if not is_reading:
        refuse_while_looking()
