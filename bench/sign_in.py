"""Signs a person of the campus in over plain HTTP, for clients that are no browser."""

from html.parser import HTMLParser

import httpx


def sign_in(url: str, person: str = "maya") -> dict[str, str]:
    """The cookies of a browser in which `person` signed in at `url`."""
    with httpx.Client(base_url=url, follow_redirects=True, timeout=20, trust_env=False) as client:
        choice = client.get("/auth/login")
        form = _Form()
        form.feed(choice.text)
        client.post(str(choice.url.copy_with(query=None)), data={**form.fields, "person": person}).raise_for_status()
        return {cookie.name: cookie.value or "" for cookie in client.cookies.jar}


class _Form(HTMLParser):
    """Collects the hidden fields of a page's form."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "input" and given.get("type") == "hidden" and given.get("name"):
            self.fields[str(given["name"])] = given.get("value") or ""
