"""Contexts: what a message can be about, each with a sentence for people, and the tools that are tagged with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.discovery.server_contexts import inferred_contexts
from services.tools.tool_categories import categories_of

if TYPE_CHECKING:
    from services.tools.tool import Tool

SERVER_CONTEXT = "jira"
"""The learned context that only MCP servers bring."""


@dataclass(frozen=True, kw_only=True)
class Context:
    """Subject that a message can be about.

    name: as tools are tagged with it. sentence: what it covers, for a person. is_main: whether most students
    need it; the others are found sparingly. is_learned: whether the classifier finds it in any message; the others are
    found by their words beside the server's (`work_contexts`).
    """

    name: str
    sentence: str
    is_main: bool = False
    is_learned: bool = True


VOCABULARY = (
    Context(
        name="courses",
        sentence="Assignments, due dates, grades, announcements and everything else in your courses.",
        is_main=True,
    ),
    Context(
        name="calendar",
        sentence="Events, free time, reminders and appointments in your calendar.",
        is_main=True,
    ),
    Context(name="notes", sentence="Your own notes and pages: finding, reading and adding to them.", is_main=True),
    Context(name="search", sentence="Facts that have to be looked up on the web.", is_main=True),
    Context(
        name="news", sentence="What the feeds, blogs and newsletters that you follow have published.", is_main=True
    ),
    Context(name="github", sentence="Repositories, issues, pull requests, commits and releases.", is_main=True),
    Context(name="links", sentence="Whether web addresses still work and where they lead.", is_main=True),
    Context(name="planner", sentence="Your own list of tasks in Homeroom, and what they wait for."),
    Context(name="study", sentence="Practice: quizzes, flashcards, what is due to review, and plans for an exam."),
    Context(name="documents", sentence="Making and changing documents of yours."),
    Context(name="mail", sentence="Drafting and sending mail."),
    Context(name="writing", sentence="Readability, grammar checks and entries for a bibliography."),
    Context(name="jira", sentence="Issues and boards in Jira, when such a server is connected."),
    Context(name="agile", sentence="Sprints, epics and the backlog of a team's tracker.", is_learned=False),
    Context(name="communication", sentence="Comments, messages and discussions on a server's items.", is_learned=False),
    Context(name="users", sentence="Who is assigned, who watches and who is in the team.", is_learned=False),
)
CONTEXT_NAMES = tuple(context.name for context in VOCABULARY)
LEARNED_CONTEXTS = tuple(context.name for context in VOCABULARY if context.is_learned)
MAIN_CONTEXTS = tuple(context.name for context in VOCABULARY if context.is_main)
SERVER_CONTEXTS = frozenset((SERVER_CONTEXT, *(context.name for context in VOCABULARY if not context.is_learned)))
"""What only MCP servers bring: without a server's tool that is tagged with it, none of these is found."""
_SENTENCES = {context.name: context.sentence for context in VOCABULARY}


def sentence_of(name: str) -> str:
    """What a context covers, for a person; of one that only a server or an extension brings, its name."""
    return _SENTENCES.get(name, f"What has to do with {name}.")


def contexts_of(tool: Tool) -> frozenset[str]:
    """The contexts that a tool is tagged with; for one of an MCP server without tags, those inferred from its name.

    An MCP server that the operator gave no contexts has its own name as the only one: it is kept, and known contexts
    are added.
    """
    declared = frozenset(tool.contexts)
    if tool.server is None or declared - {tool.server}:
        return declared
    return declared | {tool.server} | inferred_contexts(tool)


def filter_by_context(
    tools: Sequence[Tool], contexts: Collection[str], category: str | None = None
) -> tuple[Tool, ...]:
    """Filter the tools by contexts, of which one must match, and by category if given; their order is kept."""
    wanted = frozenset(contexts)
    return tuple(
        tool for tool in tools if wanted & contexts_of(tool) and (category is None or category in categories_of(tool))
    )


@dataclass(frozen=True, kw_only=True)
class FoundContext:
    """Context that a message needs. confidence: from 0 to 1, rounded to two places."""

    name: str
    confidence: float
