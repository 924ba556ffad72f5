"""Each tool has its subject and what it does as categories, those of MCP servers too."""

from dataclasses import replace

import pytest

from services.tools.tool import Effect
from services.tools.tool_categories import categories_of
from tests.api.every_tool import root

ROOT = root()
PURPOSES = {"retrieval", "search", "creation", "update", "deletion", "calculation", "communication"}


def test_every_tool_has_its_subject_and_a_purpose() -> None:
    poor = [tool.name for tool in ROOT.values() if not PURPOSES & set(categories_of(tool)[1:])]

    assert poor == []
    assert all(categories_of(tool)[0] == tool.category for tool in ROOT.values())


def test_a_purpose_agrees_with_the_effect() -> None:
    wrong = [
        (tool.name, categories_of(tool))
        for tool in ROOT.values()
        if (tool.effect.needs_approval and "retrieval" in categories_of(tool))
        or (not tool.effect.needs_approval and {"update", "deletion"} & set(categories_of(tool)))
    ]

    assert wrong == []


@pytest.mark.parametrize(
    ("name", "effect", "categories"),
    [
        ("jira__get_issue", Effect.WRITE, ("mcp", "jira", "retrieval")),
        ("jira__calculate", Effect.WRITE, ("mcp", "jira", "calculation")),
        ("jira__get_and_delete", Effect.WRITE, ("mcp", "jira", "deletion")),
        ("jira__get_issue", Effect.READ, ("mcp", "jira", "retrieval")),
        ("jira__getIssueComments", Effect.READ, ("mcp", "jira", "retrieval", "communication")),
        ("jira__addComment", Effect.WRITE, ("mcp", "jira", "creation", "communication")),
        ("jira__transition_issue", Effect.WRITE, ("mcp", "jira", "update")),
        ("jira__delete_issue", Effect.WRITE, ("mcp", "jira", "deletion")),
        ("jira__searchIssues", Effect.READ, ("mcp", "jira", "retrieval", "search")),
        ("jira__frobnicate", Effect.READ, ("mcp", "jira", "retrieval")),
        ("jira__frobnicate", Effect.OUTBOUND, ("mcp", "jira", "update")),
    ],
)
def test_a_servers_tool_is_read_by_its_name(name: str, effect: Effect, categories: tuple[str, ...]) -> None:
    tool = replace(ROOT["notion_search"], name=name, effect=effect, server="jira", category="mcp")

    assert categories_of(tool) == categories


@pytest.mark.parametrize(("effect", "is_read_only"), [(Effect.OUTBOUND, True), (Effect.WRITE, True)])
def test_a_servers_tool_that_only_reads_is_called_retrieval_although_it_waits(
    effect: Effect, is_read_only: bool
) -> None:
    tool = replace(ROOT["notion_search"], name="jira__frobnicate", effect=effect, server="jira", category="mcp")

    assert categories_of(replace(tool, is_read_only=is_read_only)) == ("mcp", "jira", "retrieval")
    assert categories_of(replace(tool, is_read_only=False)) == ("mcp", "jira", "update")
