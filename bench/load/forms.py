"""Fills in the campus's pages over plain HTTP, as a browser without script would."""

from html.parser import HTMLParser
from urllib.parse import urljoin

import httpx


def press(client: httpx.Client, page: httpx.Response, button: str, **fields: str) -> httpx.Response:
    """Send the page's form with these fields by the button of that name; where that leads."""
    form = _Form(page.raise_for_status().text)
    values = {**form.hidden, **fields, **form.buttons[button]}
    return client.request(form.method, urljoin(str(page.url), form.action), data=values)


class _Form(HTMLParser):
    """The first form of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.action, self.method = "", "POST"
        self.hidden: dict[str, str] = {}
        self.buttons: dict[str, dict[str, str]] = {}
        self._open: dict[str, str] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and not self.action:
            self.action, self.method = given.get("action", ""), given.get("method", "get").upper()
        elif tag == "input" and given.get("type") == "hidden":
            self.hidden[given["name"]] = given.get("value", "")
        elif tag == "button":
            self._open = {given["name"]: given.get("value", "")} if given.get("name") else {}

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self.buttons.setdefault(data.strip(), self._open)
            self._open = None
