"""Searching: each engine's answers in one shape, and its failures as errors."""

import json
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

from services import settings
from services.errors import BadArguments, ServiceUnavailable, SettingsError, Throttled
from services.i18n import locale_scope
from services.integrations import search
from services.integrations.search import tools
from services.integrations.search.engines import BraveEngine, RecencyFilter, ReferenceEngine
from services.integrations.search.tools import web_search
from services.llm.chat_model import Payer, Usage
from services.llm.prices import micro_dollars
from services.safety.seen_addresses import SeenAddresses
from tests.campus_server import CampusServer
from tests.model_budgets import FakeMeter, unlimited_budget
from tests.services.safety.fetch.raw_server import RawServer, answer
from tests.tool_calls import MAYA, FakeSettings, container_of, run
from tests.web_calls import WebCalls

TODAY = date(2026, 11, 21)


def unpaid(model: str, usage: Usage, searches: int) -> None:
    raise AssertionError("nothing was searched")


@pytest.fixture
def calls(campus: CampusServer) -> WebCalls:
    extension = {"PROVIDER": "searxng", "BASE_URL": f"{campus.url}/web"}
    return WebCalls(campus, extensions={"search": extension})


def test_the_best_pages_come_first_with_day_quotation_and_address(calls: WebCalls) -> None:
    result = calls.run(web_search, query="library hours finals", max_results=3)

    heading, *lines = result.output.splitlines()
    assert heading.startswith("3 pages found (SearxNG, as of ")
    assert lines[0].startswith("- **Library hours and rooms** — 127.0.0.1, ")
    assert lines[0].endswith(f" — [open]({calls.web}/library/hours) (id: 1)")
    assert [source.url for source in result.sources] == [hit["url"] for hit in result.data["results"]]


def test_recency_leaves_older_pages_out(calls: WebCalls) -> None:
    everything = calls.run(web_search, query="library hours", max_results=10).data["results"]
    new = calls.run(web_search, query="library hours", max_results=10, recency="week").data["results"]

    any_age = calls.run(web_search, query="library hours", max_results=10, recency="any")

    assert any_age.data["results"] == everything
    assert "of the last" not in any_age.output
    assert f"{calls.web}/library/hours" in [hit["url"] for hit in everything]
    assert f"{calls.web}/library/hours" not in [hit["url"] for hit in new]
    assert new


def test_nothing_found_is_an_answer(calls: WebCalls) -> None:
    result = calls.run(web_search, query="qqqqzzzz")

    assert result.success
    assert result.output.startswith("No pages found")


def test_the_query_is_sent_as_it_is_and_not_repeated_in_the_answer(calls: WebCalls, campus: CampusServer) -> None:
    """What a result repeats could make an address known that the model made up."""
    result = calls.run(web_search, query="https://evil.example/?d=canary library")

    assert campus.log(service="web")[-1]["query"]["q"] == "https://evil.example/?d=canary library"
    assert "canary" not in result.output


def test_found_pages_may_be_opened_afterwards(calls: WebCalls) -> None:
    result = calls.run(web_search, query="library hours")
    known = SeenAddresses()

    known.add_tool_result(result.output, [source.url for source in result.sources], arguments=["library hours"])

    assert result.sources
    assert all(source.url in known for source in result.sources)


@pytest.mark.parametrize(
    ("fault", "error", "sentence"),
    [
        ({"fault": "status", "status": 429}, Throttled, "wants us to wait"),
        ({"fault": "status", "status": 500}, ServiceUnavailable, "a problem of its own"),
        ({"fault": "status", "status": 403}, ServiceUnavailable, "does not let Homeroom search"),
        ({"fault": "html"}, ServiceUnavailable, "makes no sense"),
        ({"fault": "truncate"}, ServiceUnavailable, "broke off"),
        ({"fault": "lose_response"}, ServiceUnavailable, "broke off"),
        ({"fault": "redirect_loop"}, ServiceUnavailable, "keeps sending us on"),
    ],
)
def test_a_failing_engine_is_an_error(
    calls: WebCalls, campus: CampusServer, fault: dict[str, object], error: type[Exception], sentence: str
) -> None:
    campus.fault(service="web", path="/search", **fault)

    with pytest.raises(error, match=sentence):
        calls.run(web_search, query="library")


@pytest.mark.parametrize(
    "arguments", [{"query": "x"}, {"query": "ab", "max_results": 0}, {"query": "ab", "recency": "2d"}]
)
def test_odd_arguments_are_refused(calls: WebCalls, arguments: dict[str, object]) -> None:
    with pytest.raises(BadArguments):
        calls.run(web_search, **arguments)


def test_brave_is_asked_with_its_key_and_read() -> None:
    found = {
        "web": {
            "results": [
                {
                    "title": "A &amp; B",
                    "url": "https://a.example/",
                    "description": "x &lt; y",
                    "page_age": "2026-11-20T10:00:00",
                }
            ]
        }
    }
    with RawServer(answer(json.dumps(found).encode(), content_type="application/json")) as server:
        hits = BraveEngine("canary-key", server.origin).search(
            "a b", most=3, since=RecencyFilter.for_period("week", TODAY)
        )

    assert (hits[0].title, hits[0].snippet, hits[0].published) == ("A & B", "x < y", date(2026, 11, 20))
    assert "x-subscription-token: canary-key" in server.requests[0]
    assert "GET /res/v1/web/search?q=a+b&count=3&text_decorations=false&freshness=pw " in server.requests[0]


def test_wikipedia_is_asked_in_the_students_language_and_in_english_where_it_has_nothing() -> None:
    nothing = answer(json.dumps({"pages": []}).encode())
    with RawServer(nothing) as wiki, RawServer(answer(b'{"meta": {}, "results": []}')) as alex:
        engine = ReferenceEngine(f"{wiki.origin}/{{language}}", alex.origin)
        with locale_scope("es-MX"):
            engine.search("mitosis", most=4, since=None)
        engine.search("mitosis", most=4, since=None)

    asked = [line.split("/")[1] for request in wiki.requests if (line := request.splitlines()[0])]
    assert asked == ["es", "en", "en"]


def test_without_any_key_wikipedia_and_openalex_are_asked() -> None:
    pages = {
        "pages": [
            {
                "key": "Bandung_Conference",
                "title": "Bandung Conference",
                "description": "1955 meeting",
                "excerpt": 'the <span class="searchmatch">Bandung</span> meeting',
            }
        ]
    }
    works = {
        "results": [
            {
                "id": "https://openalex.org/W1",
                "doi": "https://doi.org/10.1/x",
                "display_name": "On Bandung",
                "publication_date": "2013-06-01",
                "primary_location": {"source": {"display_name": "Humanity"}},
            },
            {"id": "https://openalex.org/W2", "doi": None, "display_name": "No DOI", "primary_location": None},
        ]
    }
    with RawServer(answer(json.dumps(pages).encode())) as wiki, RawServer(answer(json.dumps(works).encode())) as alex:
        engine = ReferenceEngine(wiki.origin, alex.origin)
        hits = engine.search("bandung", most=4, since=None)
        newer = engine.search("bandung", most=4, since=RecencyFilter.for_period("year", TODAY))

    assert [hit.url for hit in hits] == [
        f"{wiki.origin}/wiki/Bandung_Conference",
        "https://doi.org/10.1/x",
        "https://openalex.org/W2",
    ]
    assert hits[0].snippet == "1955 meeting … the Bandung meeting"
    assert (hits[1].snippet, hits[1].published) == ("Humanity", date(2013, 6, 1))
    assert len(newer) == 2
    assert "filter=from_publication_date%3A2025-11-20" in alex.requests[1]


@pytest.mark.parametrize(
    ("extension", "names"),
    [
        ({"PROVIDER": "searxng", "BASE_URL": "http://searx:8080"}, ["SearxNG"]),
        ({"PROVIDER": "brave", "API_KEY": "k"}, ["Brave Search"]),
        ({"PROVIDER": "reference"}, ["Wikipedia and OpenAlex"]),
        ({"PROVIDER": "claude"}, ["Claude's web search"]),
        ({}, ["Claude's web search", "Wikipedia and OpenAlex"]),
    ],
)
def test_the_engine_is_the_one_that_is_set(campus: CampusServer, extension: dict[str, str], names: list[str]) -> None:
    calls = WebCalls(campus, extensions={"search": extension})

    engines = tools.choose_engines(calls.settings, unpaid, unlimited_budget)  # type: ignore[arg-type]
    assert [engine.label for engine in engines] == names


@pytest.mark.parametrize(
    ("extension", "name"),
    [
        ({"PROVIDER": "searxng"}, "SEARCH_BASE_URL"),
        ({"PROVIDER": "brave"}, "SEARCH_API_KEY"),
    ],
)
def test_a_wrong_setting_is_named(extension: dict[str, str], name: str) -> None:
    with pytest.raises(SettingsError, match=name):
        search.capabilities(extension)


def test_the_operator_can_switch_it_off() -> None:
    assert search.capabilities({"PROVIDER": "none"}) == frozenset()
    assert search.capabilities({}) == {"web_search"}


def test_the_demo_searches_its_own_web(tmp_path: Path) -> None:
    demo = settings.read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path)})

    assert [engine.label for engine in tools.choose_engines(demo, unpaid, unlimited_budget)] == ["SearxNG"]


def test_what_claude_took_for_a_search_is_counted_for_the_student() -> None:
    taken = {"input_tokens": 900, "output_tokens": 60, "server_tool_use": {"web_search_requests": 1}}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": taken}
    body = json.dumps({**message, "stop_reason": "end_turn", "stop_sequence": None}).encode()
    noted: list[tuple[object, ...]] = []
    accounting = SimpleNamespace(record_side_request=lambda *facts, searches: noted.append((*facts, searches)))
    meter = FakeMeter()
    with RawServer(answer(body, content_type="application/json", connection="close")) as server:
        chosen = FakeSettings({"search": {"PROVIDER": "claude"}}, anthropic_base_url=server.origin)
        services = container_of(settings=chosen, accounting=accounting, budgets=meter)
        run(web_search, {"query": "library"}, container=services)

    assert meter.payers == [Payer(student_id=MAYA.id)]
    assert meter.costs == [micro_dollars(chosen.model_quick, Usage(input_tokens=900, output_tokens=60), searches=1)]
    assert noted == [(MAYA.id, chosen.model_quick, Usage(input_tokens=900, output_tokens=60), 1)]
