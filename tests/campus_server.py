"""The demo campus on a real socket, for tests that want real HTTP."""

import socket
import threading
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import httpx

from sandbox.serve import listen, server

CLIENT_ID = "homeroom"
CLIENT_SECRET = "homeroom-demo-secret"
REDIRECT_URI = "http://localhost:8501/connections"


class CampusServer:
    """A running campus; `url` is "http://127.0.0.1:PORT/sandbox", `http` a client for plain requests to it."""

    def __init__(self, database: Path) -> None:
        self._listener: socket.socket = listen("127.0.0.1", 0)
        origin = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.url = f"{origin}/sandbox"
        self._server = server(origin=origin, database=database)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._listener]}, daemon=True)
        self.http = httpx.Client(timeout=10, trust_env=False)

    def start(self) -> None:
        """Accept connections; those made from now on wait until they are served."""
        self._listener.listen(128)
        self._thread.start()

    def stop(self) -> None:
        """End the server and its thread."""
        self.clear_faults()
        self.http.close()
        self._server.should_exit = True
        self._thread.join(timeout=10)
        self._listener.close()

    def log(self, **filters: Any) -> list[dict[str, Any]]:
        """The log's entries, oldest first; filters: service, method, writes=1, since=ID."""
        answer = self.http.get(f"{self.url}/log", params=filters).raise_for_status()
        entries: list[dict[str, Any]] = answer.json()["entries"]
        return entries

    def fault(self, **fields: Any) -> dict[str, Any]:
        """Set a failure: service=, fault=, method=, path=, times=, skip= and the kind's own fields."""
        answer = self.http.post(f"{self.url}/faults", json=fields)
        assert answer.status_code == 201, answer.text
        fault: dict[str, Any] = answer.json()
        return fault

    def clear_faults(self) -> None:
        """Forget every failure; requests that hang are let go."""
        self.http.delete(f"{self.url}/faults").raise_for_status()

    def reset(self) -> None:
        """Make the campus as new."""
        self.http.post(f"{self.url}/reset").raise_for_status()

    def token(self, service: str, person: str = "maya") -> str:
        """An access token of this person, through the service's own consent page and token endpoint."""
        token: str = self.grant(service, person)["access_token"]
        return token

    def pasted_token(self, person: str = "maya") -> str:
        """A Canvas token of 120 days, made by hand on the settings page."""
        return press_settings(self.url, person)

    def grant(self, service: str, person: str = "maya") -> dict[str, Any]:
        """The whole answer of the service's token endpoint for a consent given by this person."""
        address, exchange = GRANTS[service]
        code = self.consent(self.url + address, person)
        answer = exchange(self.http, self.url, code)
        assert answer.status_code == 200, answer.text
        grant: dict[str, Any] = answer.json()
        return grant

    def consent(self, address: str, person: str = "maya", button: str = "Allow") -> str:
        """The code that comes back after choosing the person and pressing the button on a consent page."""
        location = self.press(address, person, button)
        return parse_qs(urlsplit(location).query)["code"][0]

    def press(self, address: str, person: str, button: str) -> str:
        """The address that a consent page sends the browser to."""
        page = self.http.get(address)
        assert page.status_code == 200, page.text
        form = _Form(page.text)
        fields = [*form.hidden, ("person", person), *form.button(button)]
        target = urljoin(str(page.url), form.action)
        answer = self.http.request(
            form.method,
            target,
            content=urlencode(fields),
            headers={"content-type": "application/x-www-form-urlencoded"},
        )
        assert answer.is_redirect, answer.text
        return answer.headers["location"]


def press_settings(url: str, person: str) -> str:
    """A token made by hand on Canvas's settings page, as a person would copy it."""
    page = httpx.post(f"{url}/canvas/profile/settings", data={"person": person, "purpose": "Homeroom"})
    return unescape(page.text.partition('<code id="token">')[2].partition("</code>")[0])


class _Form(HTMLParser):
    """The first form of a page: its address, hidden fields and buttons."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.action, self.method = "", "POST"
        self.hidden: list[tuple[str, str]] = []
        self._buttons: dict[str, tuple[str, str]] = {}
        self._open: tuple[str, str] | None = None
        self.feed(html)

    def button(self, label: str) -> list[tuple[str, str]]:
        """What pressing the button adds to the form."""
        name, value = self._buttons[label]
        return [(name, value)] if name else []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what a browser would send."""
        found = {name: value or "" for name, value in attrs}
        if tag == "form" and not self.action:
            self.action, self.method = found.get("action", ""), found.get("method", "get").upper()
        elif tag == "input" and found.get("type") == "hidden":
            self.hidden.append((found["name"], found.get("value", "")))
        elif tag == "button":
            self._open = (found.get("name", ""), found.get("value", ""))

    def handle_data(self, data: str) -> None:
        """A button's label."""
        if self._open is not None:
            self._buttons.setdefault(data.strip(), self._open)
            self._open = None


def _address(path: str, **fields: str) -> str:
    query = {"client_id": CLIENT_ID, "redirect_uri": REDIRECT_URI, "response_type": "code", "state": "test", **fields}
    return f"{path}?{urlencode(query)}"


def _by_form(path: str) -> Callable[[httpx.Client, str, str], httpx.Response]:
    def exchange(http: httpx.Client, url: str, code: str) -> httpx.Response:
        fields = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "redirect_uri": REDIRECT_URI}
        return http.post(url + path, data={**fields, "grant_type": "authorization_code", "code": code})

    return exchange


def _by_notion(http: httpx.Client, url: str, code: str) -> httpx.Response:
    body = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT_URI}
    headers = {"Notion-Version": "2025-09-03"}
    return http.post(f"{url}/notion/v1/oauth/token", json=body, auth=(CLIENT_ID, CLIENT_SECRET), headers=headers)


GOOGLE_SCOPES = "openid email https://www.googleapis.com/auth/calendar.events https://www.googleapis.com/auth/calendar.calendarlist.readonly"
GRANTS = {
    "canvas": (_address("/canvas/login/oauth2/auth"), _by_form("/canvas/login/oauth2/token")),
    "google": (
        _address("/google/o/oauth2/v2/auth", scope=GOOGLE_SCOPES, access_type="offline", prompt="consent"),
        _by_form("/google/token"),
    ),
    "notion": (_address("/notion/v1/oauth/authorize", owner="user"), _by_notion),
}
