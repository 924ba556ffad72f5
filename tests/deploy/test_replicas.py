"""Two replicas on MongoDB behind each proxy of `deploy/`: one is killed, both are replaced, nothing is lost (R99); and
three behind HAProxy, of which one is killed and one is replaced meanwhile.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from services.identity.api_keys import ApiKeys, KeyScope
from services.identity.students import Students
from services.runtime.clock import utc_now
from services.storage.mongo import MongoDocuments
from services.storage.store import Store
from services.turns.stop_reasons import CRASHED, CRASHED_BEFORE_A_WORD
from tests.deploy.browser import WAIT_S, Browser, browsers_of, end, hear
from tests.deploy.proxy import Caddy, HaProxy, Proxy
from tests.deploy.site import Site, running_site
from tests.flows.faults import fault, mend, speak

pytestmark = [pytest.mark.soak, pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="proxies come from Debian")]
MOST_REQUESTS = 5_000
PAUSE_S = 0.3
"""Between an answer and the next question, so that a replica that starts gets some of the machine."""


@pytest.fixture(params=[HaProxy, Caddy], ids=lambda proxy: proxy.name)
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    proxy: type[Proxy] = request.param
    if proxy.program() is None:
        pytest.skip(f"there is no {proxy.name} here, and none can be installed")
    with running_site(tmp_path, proxy) as site:
        yield site


def test_a_replica_that_is_killed_takes_no_answer_of_the_other_and_loses_no_message(site: Site) -> None:
    # Both answers stand still in their middle, however long the machine takes for the rest.
    fault(site.campus, "anthropic", "pause", after_words=40, times=0)
    browsers = browsers_of(site)
    talks = [browser.ask("/say-long 90") for browser in browsers]
    answers = [browser.events(talk) for browser, talk in zip(browsers, talks, strict=True)]
    for answer in answers:
        hear(answer, "word30")
    # An answer of which nothing was stored yet would be one to ask for anew, not to continue.
    wait_until(lambda: all("word30" in site.stored_text(talk) for talk in talks), what="both are stored up to there")
    site.replicas[0].kill()
    mend(site.campus)
    ends = [(end(answer), browser.was_cut_off) for browser, answer in zip(browsers, answers, strict=True)]
    after = [end(browser.events(browser.ask("/say-long 5"))) for browser in browsers]
    uploads = [browser.upload() for browser in browsers]
    for browser in browsers:
        browser.close()

    assert sorted(ends) == [("done", False), ("interrupted", True)]
    assert [notice["action"] for notice in site.stored_notices()] == ["continue"]
    assert (after, uploads) == (["done", "done"], [204, 204])
    assert browsers[0].replica == browsers[1].replica


def test_replacing_one_after_the_other_turns_nobody_away(site: Site) -> None:
    """Each ends by SIGTERM with 0 and is started again, while students ask and send files.

    Two ask for short answers, so that the signal often meets a message on its way in; two for long ones, which run on.
    """
    speak(site.campus, words_per_second=200)
    browsers, stop = [*browsers_of(site), *browsers_of(site)], threading.Event()
    texts = ["/say-long 30"] * 2 + ["/say-long 600"] * 2
    ends: list[str] = []
    uploads: list[int] = []

    def study(browser: Browser, text: str) -> None:
        while not stop.is_set():
            ends.append(end(browser.events(browser.ask(text))))
            stop.wait(PAUSE_S)

    codes = []
    with ThreadPoolExecutor(len(browsers)) as pool:
        students = [pool.submit(study, browser, text) for browser, text in zip(browsers, texts, strict=True)]
        try:
            for replica in site.replicas:
                await_messages(browsers, students)
                replica.signal(signal.SIGTERM)
                codes.append(replica.wait())
                replica.start()
                uploads += [browser.upload() for browser in browsers]
            await_messages(browsers, students)
        finally:
            stop.set()
        for student in students:
            student.result()
    for browser in browsers:
        browser.close()

    taken = [conversation for browser in browsers for conversation in browser.taken]
    assert codes == [0, 0]
    assert uploads == [204] * len(browsers) * 2
    assert site.stored_questions() == dict.fromkeys(taken, 1)
    # Who ends in good order finishes what runs and what was let in; what it refuses goes to the other one.
    assert ends == ["done"] * len(taken), site.stored_notices()


def await_messages(browsers: list[Browser], students: list[Future[None]]) -> None:
    """Wait until everybody's next message was taken, the last of them just now; raises what ended a student."""
    before = [len(browser.taken) for browser in browsers]

    def are_taken() -> bool:
        for student in students:
            if student.done():
                student.result()
        return all(len(browser.taken) > count for browser, count in zip(browsers, before, strict=True))

    wait_until(are_taken, what="everybody's message is taken")


def wait_until(holds: Callable[[], bool], *, what: str) -> None:
    deadline = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < deadline, f"waited too long until {what}"
        time.sleep(0.02)


@pytest.mark.parametrize("site", [HaProxy], indirect=True, ids=["haproxy"])
def test_the_limit_of_a_key_is_one_over_both_replicas(site: Site) -> None:
    Browser(site, "Maya Chen").close()
    store = Store(MongoDocuments(site.uri))
    (maya,) = Students(store, utc_now).with_email("maya.chen@campus.example")
    secret = ApiKeys(store, utc_now).create(maya, label="a program", scopes=[KeyScope.READ]).secret
    store.close()
    answered: list[int] = []

    def ask_until_refused(url: str) -> None:
        headers = {"Authorization": f"Bearer {secret}"}
        with httpx.Client(base_url=url, headers=headers, timeout=60, trust_env=False) as program:
            while len(answered) < MOST_REQUESTS and answered.count(429) < 20:
                answered.append(program.get("/api/tools").status_code)

    began = time.monotonic()
    askers = [threading.Thread(target=ask_until_refused, args=(replica.url,)) for replica in site.replicas]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    took_s = time.monotonic() - began

    assert set(answered) == {200, 429}
    assert 120 <= answered.count(200) <= 120 + 5 * took_s + 2


def test_of_three_replicas_one_is_killed_while_another_is_replaced(tmp_path: Path) -> None:
    """Everybody goes on with whoever is left: each question is stored once and answered, whichever replica took it."""
    if HaProxy.program() is None:
        pytest.skip("there is no haproxy here, and none can be installed")
    with running_site(tmp_path, HaProxy, replicas=3) as site:
        speak(site.campus, words_per_second=200)
        browsers, stop = browsers_of(site), threading.Event()
        first = {browser.replica for browser in browsers}
        ends: list[tuple[str, str]] = []

        def study(browser: Browser) -> None:
            while not stop.is_set():
                conversation = browser.ask("/say-long 30")
                ends.append((conversation, end(browser.events(conversation))))
                stop.wait(PAUSE_S)

        with ThreadPoolExecutor(len(browsers)) as pool:
            students = [pool.submit(study, browser) for browser in browsers]
            try:
                await_messages(browsers, students)
                killed, replaced, _ = site.replicas
                killed.kill()
                replaced.signal(signal.SIGTERM)
                code = replaced.wait()
                await_messages(browsers, students)
                alone = {browser.replica for browser in browsers}
                replaced.start()
                killed.start()
                await_messages(browsers, students)
            finally:
                stop.set()
            for student in students:
                student.result()
        uploads = [browser.upload() for browser in browsers]
        for browser in browsers:
            browser.close()

        taken = [conversation for browser in browsers for conversation in browser.taken]
        assert (first, alone, code) == ({"1", "2", "3"}, {"3"}, 0)
        assert uploads == [204] * 3
        assert site.stored_questions() == dict.fromkeys(taken, 1)
        # Of the one that was killed, what ran breaks off and says so; everything else is answered to its end.
        assert sorted(conversation for conversation, _ in ends) == sorted(taken)
        broken = [how for _, how in ends if how != "done"]
        assert len(broken) <= 1
        said = {crashed.status.value: crashed.notice for crashed in (CRASHED, CRASHED_BEFORE_A_WORD)}
        told = [notice["sentence"] for notice in site.stored_notices()]
        assert told == [notice.sentence for how in broken if (notice := said[how]) is not None]
