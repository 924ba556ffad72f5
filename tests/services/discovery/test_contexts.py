"""A tool matches when it shares one context, and the category when one is asked (row C1)."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from services.discovery.contexts import (
    CONTEXT_NAMES,
    MAIN_CONTEXTS,
    VOCABULARY,
    contexts_of,
    filter_by_context,
    sentence_of,
)
from tests.mcp_tools import mcp_tool

PLAIN = replace(mcp_tool("x", "y"), server=None)
TOOLS = tuple(
    replace(PLAIN, name=f"tool_{number}", category=category, contexts=contexts)
    for number, (category, contexts) in enumerate(
        [("courses", ("courses",)), ("notes", ("notes", "search")), ("github", ("github",)), ("notes", ("courses",))]
    )
)
NAME = st.sampled_from([*MAIN_CONTEXTS, "nothing"])


def test_every_context_has_a_sentence_for_people() -> None:
    assert len(set(CONTEXT_NAMES)) == len(VOCABULARY)
    assert all(sentence_of(name).endswith(".") for name in CONTEXT_NAMES)
    assert "files" in sentence_of("files")


@given(st.frozensets(NAME), st.sampled_from([None, "notes", "courses", "nothing"]))
@settings(max_examples=50)
def test_what_matches_shares_a_context_and_the_category_and_keeps_its_order(
    contexts: frozenset[str], category: str | None
) -> None:
    found = filter_by_context(TOOLS, contexts, category)

    expected = [
        tool for tool in TOOLS if set(tool.contexts) & contexts and (category is None or tool.category == category)
    ]
    assert list(found) == expected


def test_without_a_context_nothing_matches() -> None:
    assert filter_by_context(TOOLS, ()) == ()


def test_an_mcp_tool_that_nobody_tagged_gets_what_its_names_tell() -> None:
    assert contexts_of(mcp_tool("tracker", "jira_get_issue")) == {"tracker", "jira"}
    assert contexts_of(mcp_tool("obsidian-vault", "readPage")) == {"obsidian-vault", "notes"}
    assert contexts_of(mcp_tool("gh", "listGithubRepos")) == {"gh", "github"}
    assert contexts_of(mcp_tool("files", "read_file")) == {"files"}


def test_what_the_operator_declared_stands() -> None:
    assert contexts_of(mcp_tool("tracker", "jira_get_issue", contexts=("work",))) == {"work"}
    assert contexts_of(replace(PLAIN, name="jira_x", contexts=("notes",))) == {"notes"}
