"""A chat's list of references: every source that it cites, once, in the order of the style."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.errors import HomeroomError
from services.integrations.bibliography import bibliography_entry, reference_list
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.failures import failed_result
from services.tools.result import ToolResult
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.tool_calls import container_of, run
from tests.web_calls import WebCalls


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
