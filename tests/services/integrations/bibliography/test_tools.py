from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from services.errors import BadArguments, HomeroomError, ItemNotFound, RequestRefused, ServiceError
from services.integrations.bibliography import bibliography_entry, reference_list
from services.llm.citations import Source
from services.safety.fetch import AddressRefused
from services.safety.seen_addresses import SeenAddresses
from services.tools.context import ToolExecutionContext
from services.tools.failures import failed_result
from services.tools.result import ToolResult
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.tool_calls import container_of, run
from tests.web_calls import WebCalls


def cite(campus: CampusServer, path: str, **more: Any) -> ToolResult:
    calls = WebCalls(campus)
    return calls.run(bibliography_entry, url=f"{calls.web}/{path}", **more)


@pytest.mark.parametrize(("style", "name"), [("apa", "Raman, P. "), ("mla", "Raman, Priya. “Library opens")])
def test_an_entry_says_who_when_what_and_where(campus: CampusServer, style: str, name: str) -> None:
    result = cite(campus, "news/library-hours", style=style)

    heading, blank, entry = result.output.splitlines()
    assert heading.startswith(f"An {style.upper()} entry for “Library opens around the clock for finals”")
    assert blank == ""
    assert entry.startswith(name)
    assert result.data["missing"] == []
    assert result.data["site"] in entry
    assert [source.url for source in result.sources] == [f"{campus.url}/web/news/library-hours"]


def test_what_the_page_does_not_name_is_said_and_never_made_up(campus: CampusServer) -> None:
    result = cite(campus, "cafe/menu")

    assert result.data["missing"]
    assert "Note: the page does not name" in result.output


def test_only_known_addresses_are_opened(campus: CampusServer) -> None:
    with pytest.raises(AddressRefused):
        cite(campus, "news/library-hours", seen_addresses=SeenAddresses)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"fault": "status", "status": 404}, ItemNotFound),
        ({"fault": "status", "status": 503}, ServiceError),
        ({"fault": "truncate"}, ServiceError),
        ({"fault": "redirect_loop"}, ServiceError),
    ],
)
def test_each_failure_has_its_error(campus: CampusServer, fault: dict[str, Any], error: type[Exception]) -> None:
    campus.fault(service="web", times=0, **fault)

    with pytest.raises(error):
        cite(campus, "news/library-hours")


def test_what_is_no_page_is_refused(campus: CampusServer) -> None:
    with pytest.raises(RequestRefused):
        cite(campus, "feeds/campus-news.xml")


def work(campus: CampusServer, **given: Any) -> ToolResult:
    web = f"{campus.url}/web"
    registries = {"bibliography": {"DOI_URL": f"{web}/doi", "ISBN_URL": f"{web}/openlibrary/"}}
    return WebCalls(campus, extensions=registries).run(bibliography_entry, **given)


def test_a_doi_becomes_the_entry_of_its_article(campus: CampusServer) -> None:
    result = work(campus, doi="doi:10.1038/NATURE14539")

    assert result.data["entry"] == (
        "LeCun, Y., Bengio, Y., & Hinton, G. (2015). Deep learning. *Nature*, *521*(7553), 436–444. "
        "https://doi.org/10.1038/nature14539"
    )
    assert result.data["authors"] == ["Yann LeCun", "Yoshua Bengio", "Geoffrey Hinton"]
    assert [source.url for source in result.sources] == ["https://doi.org/10.1038/nature14539"]
    assert "(DOI 10.1038/nature14539), [open](https://doi.org/10.1038/nature14539)." in result.output


def test_an_address_of_the_resolver_is_a_doi(campus: CampusServer) -> None:
    by_url = work(campus, url="https://doi.org/10.1145/3292500.3330701", style="mla")

    assert by_url.data["entry"] == (
        "Akiba, Takuya, and Shotaro Sano. “Optuna.” *Proceedings of the 25th ACM SIGKDD International Conference on "
        "Knowledge Discovery & Data Mining*, ACM, 2019, pp. 2623–2631, https://doi.org/10.1145/3292500.3330701."
    )


def test_an_isbn_becomes_the_entry_of_its_book(campus: CampusServer) -> None:
    result = work(campus, isbn="0-262-03384-4")

    assert result.data["entry"] == (
        "Cormen, T. H., & Leiserson, C. E. (2009). *Introduction to algorithms*. MIT Press."
    )
    assert result.data["missing"] == []


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"doi": "10.5281/zenodo.1234567"}, ["year", "publisher"]),
        ({"isbn": "080442957X"}, ["author", "year", "publisher"]),
    ],
)
def test_what_a_registry_does_not_know_is_said_and_never_made_up(
    campus: CampusServer, given: dict[str, str], missing: list[str]
) -> None:
    result = work(campus, **given)

    assert result.data["missing"] == missing
    assert f"Note: the registry does not name {' or '.join(missing)}" in result.output
    assert "<i>" not in result.output


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"doi": "10.1038/no-such-work"}, "No work has the DOI 10.1038/no-such-work"),
        ({"isbn": "9780143127741"}, "Open Library has no book with the ISBN 9780143127741"),
    ],
)
def test_a_work_that_nobody_registered_is_not_found(campus: CampusServer, given: dict[str, str], words: str) -> None:
    with pytest.raises(ItemNotFound, match=words):
        work(campus, **given)


@pytest.mark.parametrize("given", [{}, {"doi": "10.1038/nature14539", "isbn": "9780262033848"}, {"isbn": "123"}])
def test_one_of_address_doi_and_isbn_is_needed(campus: CampusServer, given: dict[str, str]) -> None:
    with pytest.raises(BadArguments):
        work(campus, **given)


@pytest.mark.parametrize("given", [{"doi": "10.1038/nature14539"}, {"isbn": "9780262033848"}])
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"fault": "status", "status": 503}, ServiceError),
        ({"fault": "status", "status": 429}, ServiceError),
        ({"fault": "truncate"}, ServiceError),
        ({"fault": "html"}, ServiceError),
    ],
)
def test_each_failure_of_a_registry_has_its_error(
    campus: CampusServer, given: dict[str, str], fault: dict[str, Any], error: type[Exception]
) -> None:
    campus.fault(service="web", times=0, **fault)

    with pytest.raises(error):
        work(campus, **given)


class NestedEntries:
    """Entries of pages of the campus, asked for as the chat's tools are."""

    def __init__(self, campus: CampusServer) -> None:
        self._web = WebCalls(campus)

    def call_all(
        self, context: ToolExecutionContext, calls: Sequence[tuple[str, Mapping[str, Any]]]
    ) -> list[ToolResult]:
        return [self._entry(arguments) for _, arguments in calls]

    def _entry(self, arguments: Mapping[str, Any]) -> ToolResult:
        try:
            return self._web.run(bibliography_entry, **arguments)
        except HomeroomError as error:
            return failed_result(error)


def listed(campus: CampusServer, *cited: Source, style: str = "apa") -> ToolResult:
    facts = {"cited_sources": lambda: cited, "nested_calls": NestedEntries(campus)}
    return run(reference_list, {"style": style}, container=container_of(), **facts)


def test_every_cited_source_is_listed_in_alphabetical_order(campus: CampusServer) -> None:
    news = Source(title="Library opens", url=f"{campus.url}/web/news/library-hours")
    closed = Source(title="Essay 4", url="https://canvas.invalid/courses/1/assignments/2")

    result = listed(campus, news, closed, style="mla")

    first, second = result.data["entries"]
    assert first.startswith("“Essay 4.” *canvas.invalid*, canvas.invalid/courses/1/assignments/2. Accessed ")
    assert second.startswith("Raman, Priya. “Library opens around the clock")
    assert result.output.startswith("Works Cited (MLA), 2 of this chat's sources:")
    assert "Note: Essay 4: author and day not named." in result.output
    assert result.sources == (news, closed)


def test_a_sign_in_page_is_not_taken_for_the_source(campus: CampusServer) -> None:
    private = Source(title="Midterm review", url=f"{campus.url}/web/news/library-hours")

    (entry,) = listed(campus, private).data["entries"]

    assert entry.startswith("*Midterm review.* (n.d.).")


def test_many_sources_are_cut_and_said_to_be(campus: CampusServer) -> None:
    many = [Source(title=f"Page {number}", url=f"https://x.invalid/{number}") for number in range(23)]

    result = listed(campus, *many)

    assert len(result.data["entries"]) == 20
    assert result.is_partial
    assert "Note: 3 more sources are not listed." in result.output


def test_a_chat_that_cites_nothing_has_no_list(campus: CampusServer) -> None:
    assert listed(campus).data["entries"] == []
    assert "No answer of this chat cites a source" in run(reference_list, {}, container=container_of()).output


def test_the_sources_are_those_of_the_chats_answers(campus: CampusServer, tmp_path: Any) -> None:
    room = CampusRoom(campus, tmp_path)
    room.connect("canvas")
    conversation, _ = room.ask("What is due this week?")
    _, view = room.ask('/call reference_list {"style": "apa"}', conversation)

    metas = [message.meta for message in room.services.conversations.messages(room.maya.id, conversation)]
    cited = {citation["url"] for meta in metas for citation in meta.get("cited", ())}
    told = [b for m in room.services.conversations.messages(room.maya.id, conversation) for b in m.content]
    (result,) = [b for b in told if b["type"] == "tool_result"][-1:]
    assert cited
    assert all(url in str(result["content"]) for url in cited)
    assert view.items
    room.close()
