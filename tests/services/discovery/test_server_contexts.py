"""A message that speaks of what an MCP server does finds that server's context; nobody tags anything."""

import pytest

from services.discovery.detector import Detector
from tests.mcp_tools import listed, mcp_tool

ROOT = listed("everything", "filesystem", "memory", "tracker")
DETECTOR = Detector()


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
