"""Student's browser behind a proxy: it keeps cookies, sends again what nobody took, and connects again."""

import asyncio
import json
import time
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

import httpx

from bench.load.sign_in import sign_in
from bench.load.streamlit_client import XSRF_COOKIE, StreamlitClient
from tests.deploy.site import Site

WAIT_S = 240.0
"""For what comes within seconds where nothing else runs."""
AGAIN_S = 0.5
_LOCAL = "localhost.local"
"""What Python's cookie jars call the domain of http://localhost."""

PEOPLE = ("Maya Chen", "Diego Ramos", "Anne Okafor")
Event = tuple[str, dict[str, Any]]


class Browser:
    """taken: conversations whose message was taken. heard: what came of each request, and when.

    was_cut_off: whether an answer broke off under way.
    """

    def __init__(self, site: Site, person: str) -> None:
        self._site = site
        self._page_cookies = sign_in(site.url, person)
        asyncio.run(self._open_page())
        self.http = httpx.Client(base_url=site.url, timeout=60, trust_env=False)
        for name, value in self._page_cookies.items():
            self.http.cookies.set(name, value, domain=_LOCAL)
        self.taken: list[str] = []
        self.heard: list[str] = []
        self.was_cut_off = False

    @property
    def replica(self) -> str:
        """Which replica the cookie names."""
        return str(self.http.cookies.get(self._site.proxy.cookie, domain=_LOCAL))

    def ask(self, text: str) -> str:
        """Send it, again while nobody takes it, as the page does; the conversation."""
        key, deadline = str(uuid.uuid4()), time.monotonic() + WAIT_S
        while True:
            told = self._post(text, key)
            if told is not None and told.status_code == 202:
                self.taken.append(told.json()["conversation_id"])
                return self.taken[-1]
            assert told is None or told.status_code in (429, 502, 503), (told.status_code, told.text[:300])
            assert time.monotonic() < deadline, f"nobody took the message: {self.heard[-20:]}"
            time.sleep(AGAIN_S)

    def events(self, conversation: str) -> Iterator[Event]:
        """What the live route tells of an answer, over breaks of the line, to its end.

        Nothing is told of an answer that is over, which a page reads from the store: so does this, as of its end.
        """
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            self._note(f"follows {conversation[:6]}")
            try:
                with self.http.stream("GET", f"/live/{conversation}") as answer:
                    if answer.status_code == 204:
                        yield "end", {"status": self._site.stored_status(conversation)}
                        return
                    for name, data in _events(answer.iter_lines()):
                        yield name, data
                        if name == "end":
                            return
                    # Caddy before 2.7 ends in good order what broke off behind it.
                    self.was_cut_off |= answer.status_code == 200
                    self._note(f"no end of {conversation[:6]}: {answer.status_code}")
            except httpx.TransportError as error:
                # The replica is gone: the next call finds another.
                self.was_cut_off = True
                self._note(f"cut off {conversation[:6]}: {error!r}")
            time.sleep(AGAIN_S)
        raise AssertionError(f"the answer never ended: {self.heard[-20:]}")

    def upload(self) -> int:
        """Status of a file that is sent to the session of a page."""
        return asyncio.run(self._upload())

    def close(self) -> None:
        self.http.close()

    def _post(self, text: str, key: str) -> httpx.Response | None:
        headers = {"Origin": self._site.url, "X-Requested-With": "homeroom", "Idempotency-Key": key}
        body = {"text": text, "assistant": "homeroom", "effort": None}
        try:
            answer = self.http.post("/live/messages", json=body, headers=headers)
        except httpx.TransportError as error:
            self._note(f"sending {key[:6]}: {error!r}")
            return None
        self._note(f"sending {key[:6]}: {answer.status_code} {answer.text[:40]}")
        return answer

    def _note(self, what: str) -> None:
        self.heard.append(f"{time.monotonic():.1f} {what}")

    async def _open_page(self) -> None:
        async with StreamlitClient(self._site.url, self._page_cookies) as tab:
            self._page_cookies |= tab.new_cookies
            await tab.open()

    async def _upload(self) -> int:
        async with StreamlitClient(self._site.url, self._page_cookies) as tab:
            cookies = self._page_cookies = {**self._page_cookies, **tab.new_cookies}
            await tab.open()
            async with httpx.AsyncClient(
                base_url=self._site.url, cookies=cookies, timeout=60, trust_env=False
            ) as browser:
                path = f"/_stcore/upload_file/{tab.page.session}/a-file"
                files = {"file": ("notes.txt", b"x" * 5_000_000)}
                return (await browser.put(path, files=files, headers={"X-Xsrftoken": cookies[XSRF_COOKIE]})).status_code


def hear(events: Iterator[Event], word: str) -> None:
    """Follow an answer until this word has come."""
    assert any(word in json.dumps(data) for _, data in events), f"{word!r} never came"


def end(events: Iterator[Event]) -> str:
    """Follow an answer to its end; how it ended."""
    return str(next(data["status"] for name, data in events if name == "end"))


def browsers_of(site: Site) -> list[Browser]:
    """Browsers, each with another replica, as many as there are."""
    found: dict[str, Browser] = {}
    for _ in range(20 * len(site.replicas)):
        browser = Browser(site, PEOPLE[len(found)])
        if browser.replica in found:
            browser.close()
            continue
        found[browser.replica] = browser
        if len(found) == len(site.replicas):
            return list(found.values())
    raise AssertionError("some replica never had a browser")


def _events(lines: Iterable[str]) -> Iterator[Event]:
    """Events of a stream; one that is cut off in its middle is none."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
            continue
        if "data" in fields:
            yield fields.get("event", ""), json.loads(fields["data"])
        fields = {}
