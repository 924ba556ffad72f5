"""A page or a link that answers with nonsense: what is read is what stands there or "no text", never words of ours."""

import pytest

from services.errors import HomeroomError, RequestRefused, ServiceUnavailable
from services.integrations.links.link_checker import LinkState, check_link
from services.integrations.web.tools import web_read_page
from services.safety.fetch import SafeFetch
from tests.campus_server import CampusServer
from tests.services.safety.fetch.raw_server import RawServer, answer
from tests.spoiled_bodies import SPOILED, answer_of, spoiled_bodies
from tests.telling import telling
from tests.web_calls import WebCalls

TYPES = ("text/html", "application/pdf", "application/octet-stream", "text/plain", "application/json")


def read(calls: WebCalls, url: str) -> tuple[str, str]:
    """What is said of a page that is refused, and the text of one that is shown."""
    try:
        return "", str(calls.run(web_read_page, url=url).data["text"])
    except (RequestRefused, ServiceUnavailable) as refused:
        return str(refused), ""


@pytest.mark.parametrize("content_type", telling(TYPES, lambda name: name.startswith("text/")))
@spoiled_bodies(tells=("empty", "null"))
def test_a_spoiled_page_is_refused_or_shown_as_it_is(campus: CampusServer, body: str, content_type: str) -> None:
    with RawServer(answer_of(body, content_type)) as server:
        calls = WebCalls(campus, fetch=SafeFetch(allow=frozenset((server.origin,))))
        told, text = read(calls, f"{server.origin}/page")

    assert "pictures" not in told
    assert bool(text) is not bool(told)
    assert [word for word in text.split() if word.strip("#\\") not in SPOILED[body]] == []


@spoiled_bodies(tells=("empty", "null", "web page"))
def test_what_is_no_answer_at_all_makes_no_link_good(body: str) -> None:
    """Whatever sends these bytes in the place of an answer is no web server."""
    with RawServer(SPOILED[body].encode()) as server:
        link = check_link(SafeFetch(allow=frozenset((server.origin,))), f"{server.origin}/a", 2.0)

    assert link.state in (LinkState.UNCHECKED, LinkState.BROKEN)
    assert link.detail


@spoiled_bodies(tells=("empty",))
def test_a_link_is_judged_by_its_status_and_never_by_its_words(body: str) -> None:
    words = SPOILED[body].encode()
    for status, state in (("200 OK", LinkState.OK), ("404 Not Found", LinkState.BROKEN)):
        with RawServer(answer(words, status=status, content_type="application/json", connection="close")) as server:
            link = check_link(SafeFetch(allow=frozenset((server.origin,))), f"{server.origin}/a", 2.0)

        assert link.state is state


def test_a_page_of_blanks_is_no_page_without_news(campus: CampusServer) -> None:
    with RawServer(answer(b"\n \t" * 500, content_type="text/plain", connection="close")) as server:
        calls = WebCalls(campus, fetch=SafeFetch(allow=frozenset((server.origin,))))

        with pytest.raises(HomeroomError):
            calls.run(web_read_page, url=f"{server.origin}/page")
