"""The outside web: what the tools that go out are tested against keeps its promises."""

import httpx
import pytest

from tests.campus_server import CampusServer


def get(campus: CampusServer, path: str, **more: object) -> httpx.Response:
    return campus.http.get(f"{campus.url}/web/{path}", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["", "news/library-hours", "wiki/Bandung_Conference", "es/biblioteca", "notes.txt"])
def test_there_are_pages_to_read(campus: CampusServer, path: str) -> None:
    answer = get(campus, path)

    assert answer.status_code == 200
    assert len(answer.text) > 30


def test_every_link_of_the_index_leads_somewhere(campus: CampusServer) -> None:
    addresses = [part.partition('"')[0] for part in get(campus, "").text.split('href="')[1:]]

    assert len(addresses) >= 10
    assert {campus.http.get(address).status_code for address in addresses} == {200}


def test_western_letters_are_sent_as_the_header_says(campus: CampusServer) -> None:
    answer = get(campus, "cafe/menu")

    assert answer.headers["content-type"] == "text/html; charset=ISO-8859-1"
    assert "Käsespätzle" in answer.content.decode("cp1252")


@pytest.mark.parametrize(
    ("path", "status"),
    [("go/moved", 301), ("go/temporary", 302), ("go/loop", 302), ("status/410", 410), ("nowhere", 404)],
)
def test_links_lead_where_they_are_said_to(campus: CampusServer, path: str, status: int) -> None:
    assert get(campus, path).status_code == status


def test_a_chain_has_as_many_links_as_it_says(campus: CampusServer) -> None:
    answer = get(campus, "go/chain/4", follow_redirects=True)

    assert len(answer.history) == 4
    assert str(answer.url).endswith("/item/1")


def test_one_server_knows_get_alone(campus: CampusServer) -> None:
    assert campus.http.head(f"{campus.url}/web/no-head").status_code == 405
    assert get(campus, "no-head").status_code == 200


@pytest.mark.parametrize("name", ["campus-news.xml", "library.atom"])
def test_a_feed_is_not_sent_twice_to_a_reader_that_has_it(campus: CampusServer, name: str) -> None:
    first = get(campus, f"feeds/{name}")

    again = get(campus, f"feeds/{name}", headers={"if-none-match": first.headers["etag"]})

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_search_answers_as_searxng_does(campus: CampusServer) -> None:
    found = get(campus, "search", params={"q": "library hours", "format": "json"}).json()

    assert {"query", "number_of_results", "results", "unresponsive_engines"} <= set(found)
    assert {"url", "title", "content", "publishedDate", "engine", "score"} <= set(found["results"][0])
    scores = [result["score"] for result in found["results"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    "query", [{}, {"q": " "}, {"q": "a", "time_range": "decade"}, {"q": "a", "page": "1"}, {"q": "a", "pageno": "x"}]
)
def test_search_refuses_what_it_does_not_know(campus: CampusServer, query: dict[str, str]) -> None:
    assert get(campus, "search", params={"format": "json", **query}).status_code == 400


def test_what_is_sent_there_is_in_the_log(campus: CampusServer) -> None:
    get(campus, "collect", params={"data": "x"})

    assert [(entry["path"], entry["query"]) for entry in campus.log(service="web")] == [("/collect", {"data": "x"})]


def test_the_web_can_be_made_to_fail(campus: CampusServer) -> None:
    campus.fault(service="web", path="/notes.txt", fault="status", status=503)

    assert get(campus, "notes.txt").status_code == 503
    assert get(campus, "notes.txt").status_code == 200
