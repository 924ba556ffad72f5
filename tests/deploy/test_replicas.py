"""Two replicas on MongoDB behind the proxy that is shipped: one is killed, each is replaced, nothing is lost (R99)."""

import asyncio
import json
import os
import signal
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from pymongo import MongoClient

from bench.load.app_server import AppServer
from bench.load.sign_in import sign_in
from bench.load.streamlit_client import XSRF_COOKIE, StreamlitClient
from services.identity.api_keys import ApiKeys, KeyScope
from services.identity.students import Students
from services.runtime.clock import utc_now
from services.settings import new_vault_key
from services.storage.mongo import MongoDocuments
from services.storage.store import Store
from tests.deploy import proxy
from tests.deploy.proxy import Proxy
from tests.flows.faults import speak
from tests.mongo_server import MongoServer

pytestmark = [pytest.mark.soak, pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="Caddy comes from Debian")]
COOKIE = "homeroom_replica"
MOVES_S = 60.0


@dataclass(frozen=True)
class Site:
    """What runs, and its address. campus: plays the outside world, so that no replica that dies takes it along."""

    url: str
    uri: str
    campus: AppServer
    replicas: tuple[AppServer, AppServer]

    def stored_status(self, conversation: str) -> str:
        """How the last answer of a chat ended."""
        with MongoClient[dict[str, Any]](self.uri) as client:
            turns = client.get_default_database()["turns"].find({"conversation_id": conversation})
            return str(max(turns, key=lambda turn: turn["started_at"])["status"])

    def stored_questions(self) -> dict[str, int]:
        """How many questions stand in each chat."""
        with MongoClient[dict[str, Any]](self.uri) as client:
            asked = client.get_default_database()["messages"].find({"role": "user"})
            return dict(Counter(str(message["conversation_id"]) for message in asked))

    def stored_notices(self) -> list[Any]:
        """What answers that did not end well say."""
        with MongoClient[dict[str, Any]](self.uri) as client:
            return [turn["notice"] for turn in client.get_default_database()["turns"].find({"notice": {"$ne": None}})]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    if proxy.program() is None:
        pytest.skip("there is no Caddy here, and none can be installed")
    folders = {name: tmp_path / name for name in ("mongo", "campus", "one", "two", "proxy")}
    for folder in folders.values():
        folder.mkdir()
    mongo, front = MongoServer(folders["mongo"]), Proxy(folders["proxy"])
    mongo.start()
    uri = f"{mongo.uri}/homeroom"
    secrets = {"HOMEROOM_COOKIE_SECRET": "c" * 40, "HOMEROOM_VAULT_KEYS": new_vault_key()}
    campus = AppServer(folders["campus"], {"HOMEROOM_PUBLIC_URL": front.url, "MONGODB_URI": ""})
    # As in life the model is not behind the proxy: what an old Caddy drops of its words is no answer of ours.
    model = {"ANTHROPIC_API_KEY": "demo", "ANTHROPIC_BASE_URL": f"{campus.url}/sandbox/anthropic"}
    shared = {"HOMEROOM_PUBLIC_URL": front.url, "MONGODB_URI": uri, **secrets, **model}
    first, second = (AppServer(folders[name], shared) for name in ("one", "two"))
    servers = (campus, first, second)
    try:
        for server in servers:
            server.start()
        front.start([first.port, second.port], campus=campus.port)
        yield Site(front.url, uri, campus, (first, second))
    finally:
        front.stop()
        for server in servers:
            if server.is_running:
                server.kill()
        mongo.kill()


class Browser:
    """A student's browser behind the proxy: it keeps its cookies, the replica's among them."""

    def __init__(self, site: Site, person: str, *, replica: str = "") -> None:
        self._site = site
        self._cookies = {**sign_in(site.url, person), **({COOKIE: replica} if replica else {})}
        self.http = httpx.Client(base_url=site.url, cookies=self._cookies, timeout=30, trust_env=False)
        asyncio.run(self._open_page())
        self.taken: list[str] = []

    @property
    def replica(self) -> str:
        return str(self.http.cookies.get(COOKIE, ""))

    def ask(self, text: str, *, until_s: float = MOVES_S) -> str:
        """Send it, again while nobody takes it, as the page does; the conversation."""
        key, deadline = str(uuid.uuid4()), time.monotonic() + until_s
        while True:
            told = self._post(text, key)
            if told is not None and told.status_code == 202:
                self.taken.append(told.json()["conversation_id"])
                return self.taken[-1]
            assert told is None or told.status_code in (429, 502, 503), (told.status_code, told.text[:300])
            assert time.monotonic() < deadline, "nobody took the message"
            time.sleep(0.3)

    def hear(self, conversation: str, *, until: str, until_s: float = MOVES_S) -> str:
        """What the live route tells until these letters came; connects again when the line is cut.

        Nothing is told of an answer that is over, which a page reads from the store: so does this, as of its end.
        """
        deadline, heard = time.monotonic() + until_s, ""
        while time.monotonic() < deadline:
            try:
                with self.http.stream("GET", f"/live/{conversation}") as answer:
                    if answer.status_code == 204:
                        return "data: " + json.dumps({"status": self._site.stored_status(conversation)})
                    heard = ""
                    for piece in answer.iter_text():
                        heard += piece
                        if until in heard:
                            return heard
            except httpx.TransportError:
                """The replica is gone: the next call finds another."""
            time.sleep(1)
        raise AssertionError(f"{until!r} never came; heard {heard[-500:]!r}")

    def close(self) -> None:
        self.http.close()

    def upload(self) -> int:
        """Status of a file that is sent to the session of a page."""
        return asyncio.run(self._upload())

    def _post(self, text: str, key: str) -> httpx.Response | None:
        headers = {"Origin": self._site.url, "X-Requested-With": "homeroom", "Idempotency-Key": key}
        body = {"text": text, "assistant": "homeroom", "effort": None}
        try:
            return self.http.post("/live/messages", json=body, headers=headers)
        except httpx.TransportError:
            return None

    def _all_cookies(self) -> dict[str, str]:
        return {cookie.name: str(cookie.value) for cookie in self.http.cookies.jar}

    async def _open_page(self) -> None:
        async with StreamlitClient(self._site.url, self._cookies) as tab:
            await tab.open()

    async def _upload(self) -> int:
        cookies = self._all_cookies()
        async with StreamlitClient(self._site.url, cookies) as tab:
            await tab.open()
            async with httpx.AsyncClient(
                base_url=self._site.url, cookies=cookies, timeout=30, trust_env=False
            ) as browser:
                path = f"/_stcore/upload_file/{tab.page.session}/a-file"
                files = {"file": ("notes.txt", b"x" * 5_000_000)}
                return (await browser.put(path, files=files, headers={"X-Xsrftoken": cookies[XSRF_COOKIE]})).status_code


def pair(site: Site) -> tuple[Browser, Browser]:
    """Two browsers, each with another replica."""
    first = Browser(site, "Maya Chen")
    first.http.get("/_stcore/health")
    for _ in range(40):
        second = Browser(site, "Diego Ramos")
        second.http.get("/_stcore/health")
        if second.replica != first.replica:
            return first, second
        second.close()
    raise AssertionError("every browser came to the same replica")


def status(heard: str) -> str:
    told = [json.loads(line[6:]) for line in heard.splitlines() if line.startswith("data: ") and '"status"' in line]
    return str(told[-1].get("status"))


def test_a_replica_that_is_killed_takes_no_answer_of_the_other_and_loses_no_message(site: Site) -> None:
    speak(site.campus, words_per_second=15)
    browsers = pair(site)
    talks = [browser.ask("/say-long 90") for browser in browsers]
    for browser, talk in zip(browsers, talks, strict=True):
        browser.hear(talk, until="word30")
    site.replicas[0].kill()
    ends = [status(b.hear(t, until='"status"')) for b, t in zip(browsers, talks, strict=True)]
    speak(site.campus, words_per_second=400)
    after = [status(b.hear(b.ask("/say-long 5"), until='"status"')) for b in browsers]

    uploads = [browser.upload() for browser in browsers]
    for browser in browsers:
        browser.close()

    assert sorted(ends) == ["done", "interrupted"]
    assert [notice["action"] for notice in site.stored_notices()] == ["continue"]
    assert (after, uploads) == (["done", "done"], [204, 204])


def test_replacing_one_after_the_other_turns_nobody_away(site: Site) -> None:
    """Each ends by SIGTERM with 0 and is started again, while students ask and send files without a pause.

    Two ask for short answers, so that the signal often meets a message on its way in; two for long ones, which run on.
    """
    speak(site.campus, words_per_second=200)
    browsers, stop = [*pair(site), *pair(site)], threading.Event()
    texts = ["/say-long 30"] * 2 + ["/say-long 1200"] * 2
    ends: list[str] = []
    uploads: list[int] = []

    def study(browser: Browser, text: str) -> None:
        while not stop.is_set():
            ends.append(status(browser.hear(browser.ask(text), until='"status"')))

    codes = []
    with ThreadPoolExecutor(len(browsers)) as pool:
        students = [pool.submit(study, browser, text) for browser, text in zip(browsers, texts, strict=True)]
        try:
            for replica in site.replicas:
                time.sleep(3)
                replica.signal(signal.SIGTERM)
                codes.append(replica.wait())
                replica.start()
                uploads += [browser.upload() for browser in browsers]
            time.sleep(3)
        finally:
            stop.set()
        for student in students:
            student.result()
    for browser in browsers:
        browser.close()

    taken = [conversation for browser in browsers for conversation in browser.taken]
    assert codes == [0, 0]
    assert uploads == [204] * len(browsers) * 2
    assert len(taken) >= 8
    assert site.stored_questions() == dict.fromkeys(taken, 1)
    # Who ends in good order finishes what runs and what was let in; what it refuses goes to the other one.
    assert ends == ["done"] * len(taken), site.stored_notices()


def test_the_limit_of_a_key_is_one_over_both_replicas(site: Site) -> None:
    Browser(site, "Maya Chen").close()
    store = Store(MongoDocuments(site.uri))
    (maya,) = Students(store, utc_now).with_email("maya.chen@campus.example")
    secret = ApiKeys(store, utc_now).create(maya, label="a program", scopes=[KeyScope.READ]).secret
    store.close()
    answered = []

    def ask_all(url: str) -> None:
        headers = {"Authorization": f"Bearer {secret}"}
        with httpx.Client(base_url=url, headers=headers, timeout=30, trust_env=False) as program:
            answered.extend(program.get("/api/tools").status_code for _ in range(120))

    began = time.monotonic()
    askers = [threading.Thread(target=ask_all, args=(replica.url,)) for replica in site.replicas]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    took_s = time.monotonic() - began

    assert set(answered) == {200, 429}
    assert 120 <= answered.count(200) <= 120 + 5 * took_s + 2
