"""A message that speaks of what an MCP server does finds that server's context; nobody tags anything."""

from collections.abc import Iterable

import pytest

from services.discovery.contexts import contexts_of
from services.discovery.detector import Detector
from services.discovery.usage import LearnedContextsToolsProvider, ServerUsage
from services.runtime.clock import utc_now
from services.storage.store import Store
from services.tools.providers.local import LocalToolsProvider
from services.tools.tool import Tool
from tests.fakes import FakeDocuments
from tests.mcp_tools import listed, mcp_tool

ROOT = listed("everything", "filesystem", "memory", "tracker")
DETECTOR = Detector()


def learned(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """As a Homeroom offers them in which nobody has used them yet."""
    use = ServerUsage(Store(FakeDocuments()), utc_now)
    return tuple(LearnedContextsToolsProvider(LocalToolsProvider(list(tools)), use).tools())


def names(message: str, tools: tuple = ROOT) -> set[str]:
    return {found.name for found in DETECTOR.detect(message, tools=tools)}


@pytest.mark.parametrize(
    ("message", "server"),
    [
        ("read the file handouts/week3.txt", "filesystem"),
        ("what's in the folder lectures?", "filesystem"),
        ("lista los archivos de la carpeta apuntes", "filesystem"),
        ("rename essay.txt to final.txt", "filesystem"),
        ("add an observation to the entity Ana: she is my lab partner", "memory"),
        ("search the knowledge graph for Ana", "memory"),
        ("open the nodes about photosynthesis", "memory"),
        ("give me the sum of 3 and 4", "everything"),
        ("compress this file with gzip", "everything"),
        ("which issues are in the current sprint on jira", "tracker"),
        ("check jira", "tracker"),
    ],
)
def test_a_message_finds_the_server_that_does_it(message: str, server: str) -> None:
    assert server in names(message)


@pytest.mark.parametrize(
    "message",
    [
        "thanks for everything!",
        "my memory is terrible lately",
        "how do I read a file in Python",
        "explain the concept of entity relation diagrams",
        "what is a knowledge graph",
        "file a complaint about my roommate",
        "is my profile ok",
    ],
)
def test_the_same_words_in_another_sense_find_no_server(message: str) -> None:
    assert not names(message) & {"everything", "filesystem", "memory", "tracker"}


def test_an_issue_key_speaks_of_jira_only_where_a_server_brings_it() -> None:
    assert "jira" in names("what does PROJ-123 say")
    assert "jira" not in names("what does PROJ-123 say", ())
    assert "jira" not in names("what does PROJ-123 say", listed("filesystem"))


def test_a_server_is_found_by_the_contexts_that_its_operator_declared() -> None:
    library = (mcp_tool("lib", "renew_loan", "Renew a loan of a book.", contexts=("library",)),)

    assert names("renew my loan, please", library) >= {"library"}


def test_a_server_of_two_subjects_is_found_by_the_tool_that_a_message_speaks_of() -> None:
    given = {"create_note": ("notes", "writing"), "get_jira_issue": ("jira", "tickets")}
    declared = learned(mcp_tool("work", name, contexts=contexts) for name, contexts in given.items())
    guessed = learned(mcp_tool("work", name) for name in given)

    for tools in (declared, guessed):
        assert "jira" in names("read the ticket PROJ-123", tools)
        assert not names("read the ticket PROJ-123", tools) & {"notes", "work"}
        assert "jira" not in names("create a note about mitosis", tools)
    assert names("create a note about mitosis", declared) >= {"notes", "writing"}


@pytest.mark.parametrize("server", ["work", "notes-and-jira"])
def test_tools_of_one_server_have_the_subjects_of_their_own_names(server: str) -> None:
    note, issue, both = (mcp_tool(server, name) for name in ("create_note", "get_jira_issue", "list_all"))

    assert contexts_of(note) == {server, "notes"}
    assert contexts_of(issue) == {server, "jira"}
    assert contexts_of(both) == {server, *({"notes", "jira"} if server != "work" else ())}


def test_a_comment_on_a_server_of_jira_stays_jiras() -> None:
    assert contexts_of(mcp_tool("jira", "add_comment")) == {"jira", "communication"}
