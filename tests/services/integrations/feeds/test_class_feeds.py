"""T03: a class's feeds are fetched on a schedule, once for the class; a question only reads what is stored."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import pytest

from services.assistants.assistant import Assistant, FollowedFeed
from services.classes.assistants.published_assistants import PublishedAssistants
from services.errors import ServiceUnavailable
from services.integrations.feeds.class_feeds import EVERY, LOOK_EVERY, ClassFeeds
from services.integrations.feeds.tools import rss_feed
from services.safety.fetch import SafeFetch
from services.safety.field_log import field_log
from services.safety.provenance import Provenance
from services.storage.store import Store
from services.tools.result import ToolResult
from tests.fakes import FakeClock, FakeDocuments
from tests.services.integrations.feeds.conftest import NOW, NewsSite, item, rss
from tests.tool_calls import FakeSettings, container_of, run


@dataclass
class FakePublished:
    pairs: set[tuple[str, str]] = field(default_factory=set)

    def feeds_in_use(self) -> frozenset[tuple[str, str]]:
        return frozenset(self.pairs)


class CountingFetch(SafeFetch):
    """Real client that counts what it is asked for."""

    def __init__(self, origin: str) -> None:
        super().__init__(allow=frozenset({origin}))
        self.asked: list[str] = []

    def get(self, url: str, **more: Any) -> Any:
        self.asked.append(url)
        return super().get(url, **more)


@dataclass
class Desk:
    store: Store
    clock: FakeClock
    fetch: CountingFetch
    published: FakePublished = field(default_factory=FakePublished)

    def __post_init__(self) -> None:
        published = cast(PublishedAssistants, self.published)
        self.feeds = ClassFeeds(store=self.store, published=published, fetch=self.fetch, clock=self.clock)

    def ask(self, *urls: str) -> ToolResult:
        feeds = tuple(FollowedFeed(title="The club", url=url) for url in urls)
        assistant = Assistant(id="reader", name="Reader", feeds=feeds, class_id="c1")
        container = container_of(
            settings=FakeSettings({"feeds": {"URLS": ""}}), fetch=self.fetch, clock=self.clock, store=self.store
        )
        return run(rss_feed, {"action": "get_configured"}, container=container, chosen=assistant)


@pytest.fixture
def desk(site: NewsSite) -> Desk:
    clock = FakeClock(NOW)
    return Desk(store=Store(FakeDocuments(clock=clock)), clock=clock, fetch=CountingFetch(site.url))


def test_a_question_opens_no_address_and_reads_what_was_stored(desk: Desk, site: NewsSite) -> None:
    url = site.put("/club.xml", rss(item("Meeting on Friday")))
    desk.published.pairs = {("c1", url)}

    with pytest.raises(ServiceUnavailable, match="not read yet"):
        desk.ask(url)
    before = list(desk.fetch.asked)
    desk.feeds.refresh_due()
    with field_log() as log:
        results = [desk.ask(url) for _ in range(3)]

    assert before == []
    assert desk.fetch.asked == [url]
    assert all("Meeting on Friday" in result.output for result in results)
    assert log.writers == {Provenance.PUBLIC}


def test_each_feed_is_fetched_once_in_an_hour_for_the_class_and_not_before_it_is_followed(
    desk: Desk, site: NewsSite
) -> None:
    urls = [site.put(f"/{number}.xml", rss(item(f"Post {number}"))) for number in range(3)]
    desk.published.pairs = {("c1", url) for url in urls}

    for _ in range(6):
        desk.feeds.refresh_due()
    once = sorted(desk.fetch.asked)
    desk.clock.at += EVERY - timedelta(seconds=1)
    desk.feeds.refresh_due()
    still = len(desk.fetch.asked)
    desk.clock.at += LOOK_EVERY
    for _ in range(3):
        desk.feeds.refresh_due()

    assert once == sorted(urls)
    assert still == 3
    assert sorted(desk.fetch.asked) == sorted(urls * 2)


def test_a_feed_that_fails_keeps_what_was_read_says_so_and_holds_up_no_other(desk: Desk, site: NewsSite) -> None:
    broken, good = site.put("/a.xml", rss(item("Old post"))), site.put("/b.xml", rss(item("Good post")))
    desk.published.pairs = {("c1", broken), ("c1", good)}
    desk.feeds.refresh_due()
    site.put("/a.xml", "gone", status=500)
    desk.clock.at += EVERY
    desk.feeds.refresh_due()

    result = desk.ask(broken, good)

    assert "Old post" in result.output
    assert "Good post" in result.output
    assert result.is_partial


def test_a_document_that_cannot_be_read_is_fetched_anew(desk: Desk, site: NewsSite) -> None:
    url = site.put("/club.xml", rss(item("Meeting")))
    desk.published.pairs = {("c1", url)}
    desk.feeds.refresh_due()
    (document,) = desk.store.shared.find("class_feeds", {})
    desk.store.shared.put("class_feeds", {**document, "fetched_at": 7, "feed": "spoiled"})
    desk.clock.at += LOOK_EVERY

    desk.feeds.refresh_due()

    assert "Meeting" in desk.ask(url).output


def test_an_address_that_breaks_the_reading_holds_up_no_other_class(
    desk: Desk, site: NewsSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, poison = site.put("/b.xml", rss(item("Good post"))), site.put("/a.xml", rss(item("Odd post")))
    desk.published.pairs = {("c0", "https://news.example/\ud800"), ("c0", poison), ("c1", good)}
    real = desk.fetch.get

    def get(url: str, **more: Any) -> Any:
        if url == poison:
            raise KeyError(url)
        return real(url, **more)

    monkeypatch.setattr(desk.fetch, "get", get)

    desk.feeds.refresh_due()

    assert "Good post" in desk.ask(good).output
