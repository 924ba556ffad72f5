"""An answer of a search engine's that is none is "unavailable" and never "no pages were found"."""

import json
from collections.abc import Callable

import pytest

from services.errors import ServiceUnavailable
from services.integrations.search.claude import ClaudeEngine
from services.integrations.search.engines import BraveEngine, ReferenceEngine, SearchEngine, SearxngEngine
from tests.model_budgets import unlimited_budget
from tests.services.safety.fetch.raw_server import RawServer, answer
from tests.spoiled_bodies import answer_of, called_unavailable, spoiled_bodies

NO_PAGES, NO_WORKS = answer(b'{"pages": []}'), answer(b'{"meta": {"count": 0}, "results": []}')


def claude(origin: str) -> ClaudeEngine:
    return ClaudeEngine(
        api_key="key", base_url=origin, model="claude-haiku-5-5", on_paid=lambda *_: None, budget=unlimited_budget
    )


ENGINES: tuple[Callable[[str], SearchEngine], ...] = (SearxngEngine, lambda at: BraveEngine("key", at), claude)


@spoiled_bodies()
def test_no_engine_has_no_results_by_a_spoiled_answer(body: str) -> None:
    with RawServer(answer_of(body)) as server:
        for number, engine in enumerate(ENGINES):
            with called_unavailable(f"engine {number}, {body!r}"):
                engine(server.origin).search("library", most=3, since=None)


@spoiled_bodies()
def test_an_encyclopedia_that_answers_nonsense_is_not_one_without_articles(body: str) -> None:
    with (
        RawServer(answer_of(body)) as spoiled,
        RawServer(NO_PAGES) as articles,
        RawServer(NO_WORKS) as works,
    ):
        for engine in (ReferenceEngine(spoiled.origin, works.origin), ReferenceEngine(articles.origin, spoiled.origin)):
            with called_unavailable(body):
                engine.search("library", most=4, since=None)


@pytest.mark.parametrize(
    ("engine", "nothing"),
    [
        (ENGINES[0], {"query": "library", "results": [], "unresponsive_engines": []}),
        (ENGINES[1], {"type": "search", "query": {"original": "library"}}),
        (ENGINES[1], {"type": "search", "web": {"type": "search", "results": []}}),
    ],
)
def test_an_engine_that_says_so_has_no_results(engine: Callable[[str], SearchEngine], nothing: object) -> None:
    with RawServer(answer(json.dumps(nothing).encode(), connection="close")) as server:
        assert not engine(server.origin).search("library", most=3, since=None)


@pytest.mark.parametrize("row", ["null", "{}", '"x"'])
def test_a_row_that_is_none_is_not_left_out(row: str) -> None:
    body = f'{{"query": "x", "type": "search", "web": {{"results": [{row}]}}, "results": [{row}]}}'.encode()
    with RawServer(answer(body, connection="close")) as server:
        for engine in ENGINES[:2]:
            with pytest.raises(ServiceUnavailable):
                engine(server.origin).search("library", most=3, since=None)


def test_a_model_that_did_not_search_has_not_looked() -> None:
    said = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "No."}], "usage": {}}
    reply = answer(json.dumps(said).encode(), content_type="application/json", connection="close")
    with RawServer(reply) as server, pytest.raises(ServiceUnavailable):
        claude(server.origin).search("library", most=3, since=None)
