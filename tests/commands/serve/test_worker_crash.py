"""A worker dies in the middle of an answer; its browser goes on with the other one, which recovers the turn."""

import asyncio
import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from bench.load.sign_in import sign_in
from bench.load.streamlit_client import StreamlitClient
from commands.serve.haproxy import COOKIE
from tests.commands.serve.deployment import Deployment
from tests.flows.faults import speak

pytestmark = pytest.mark.soak
CAMPUS, OTHER = "1", 2
"""Workers; the first plays the campus, the model included."""


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    server = Deployment(tmp_path).start()
    yield server
    server.kill()


def test_the_other_worker_tells_that_the_answer_was_interrupted_and_takes_the_next_message(
    deployment: Deployment,
) -> None:
    cookies = {**sign_in(deployment.url), COOKIE: str(OTHER)}
    asyncio.run(_open_page(deployment.url, cookies))
    speak(deployment, words_per_second=20)
    with httpx.Client(base_url=deployment.url, cookies=cookies, timeout=90, trust_env=False) as browser:
        sent = _send(browser, "/live/messages", "/say-long 400")
        assert sent.status_code == 202, sent.text
        conversation = sent.json()["conversation_id"]
        # What the campus's worker tells was stored: an answer that died before that is one to ask for anew.
        with httpx.Client(
            base_url=deployment.url, cookies={**cookies, COOKIE: CAMPUS}, timeout=90, trust_env=False
        ) as second_tab:
            _follow(second_tab, conversation, until="word20")
        deployment.kill_worker(OTHER)
        # The lease of the dead worker ends 20 s after it was last renewed, and the other one looks every 5 s.
        ends = _follow(browser, conversation, until='"status"')
        speak(deployment, words_per_second=400)
        assert _send(browser, f"/live/{conversation}/messages", "/say-long 5").status_code == 202
        again = _follow(browser, conversation, until='"status"')

    assert '"status": "interrupted"' in _spaced(ends)
    assert '"status": "done"' in _spaced(again)


async def _open_page(url: str, cookies: dict[str, str]) -> None:
    async with StreamlitClient(url, cookies) as tab:
        await tab.open()


def _send(browser: httpx.Client, path: str, text: str) -> httpx.Response:
    headers = {
        "Origin": str(browser.base_url).rstrip("/"),
        "X-Requested-With": "homeroom",
        "Idempotency-Key": str(uuid.uuid4()),
    }
    return browser.post(path, json={"text": text, "assistant": "homeroom", "effort": None}, headers=headers)


def _follow(browser: httpx.Client, conversation: str, *, until: str) -> str:
    """What the live route tells until these letters came."""
    heard = ""
    with browser.stream("GET", f"/live/{conversation}") as response:
        assert response.status_code == 200, response.status_code
        for piece in response.iter_text():
            heard += piece
            # A piece may end in the middle of an event.
            if until in heard and heard.endswith("\n\n"):
                return heard
    return heard


def _spaced(heard: str) -> str:
    """The data of its last event, as json.dumps writes it."""
    last = [line.removeprefix("data: ") for line in heard.splitlines() if line.startswith("data: ")][-1]
    return json.dumps(json.loads(last))
