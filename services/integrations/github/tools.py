"""GitHub tool: reads public repositories, with a function for each action."""

import re
from typing import Annotated, Literal

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.integrations.github.actions import ACTIONS, ActionCall
from services.integrations.github.client import github_of, unreadable_answer_error
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import CallRate, Example

_NAME = re.compile(r"(?:https?://github\.com/)?([\w-][\w.-]*)/([\w.-]+?)(?:\.git)?/?", re.ASCII)


@tool(
    label=gettext_noop("Looking at GitHub"),
    title=gettext_noop("Look at GitHub"),
    summary=gettext_noop("Look at public projects on GitHub: files, releases, issues, code"),
    service=gettext_noop("GitHub"),
    category="github",
    contexts=("github",),
    is_optional=True,
    usage_hint="Reads public repositories: a file, the README, releases, an issue or pull request, or a code search.",
    when=(
        "the student names a repository, project, issue or pull request",
        "an assignment builds on public code",
        "example code from a known library would help",
    ),
    when_not=("it is a general question of programming", "the repository is private, such as submitted work"),
    produces=("github_content", "citations"),
    rate=CallRate(calls=20, seconds=60.0),
    fresh_for_s=300.0,
    examples=(
        Example(
            description="Read the README of a repository",
            arguments={"action": "get_readme", "owner": "campus-cs", "repo": "cs101-starter"},
        ),
        Example(
            description="Find where a function is used",
            arguments={"action": "search_code", "query": "binary_search language:python"},
        ),
    ),
)
def github_api(
    context: ToolExecutionContext,
    *,
    action: Annotated[
        Literal["get_file", "get_readme", "list_releases", "get_issue", "search_code"],
        Field(description="What to look at."),
    ],
    owner: Annotated[str, Field(max_length=100, description="Like campus-cs.")] = "",
    repo: Annotated[str, Field(max_length=200, description="Its name; owner/name or its address fit as well.")] = "",
    path: Annotated[str, Field(max_length=500, description="For get_file; empty lists the folder.")] = "",
    ref: Annotated[str, Field(max_length=200, description="A branch, tag or commit; empty for the usual branch.")] = "",
    issue_number: Annotated[int | None, Field(ge=1, description="For get_issue: of the issue or pull request.")] = None,
    query: Annotated[
        str, Field(max_length=256, description="For search_code: words, with qualifiers like language:python.")
    ] = "",
) -> ToolResult:
    """Look at public repositories on GitHub: a file or folder, the README,
    releases, an issue or pull request, code.

    Everything but search_code needs owner and repo.
    """
    who, what = _repository(action, owner, repo, issue_number, query)
    call = ActionCall(owner=who, repo=what, path=path, ref=ref, number=issue_number, query=query, now=context.now())
    github = github_of(context.container.settings.extension("github"))
    try:
        return ACTIONS[action](github, call)
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError):
        # Missing fields, and fields of another type, can break the parsing anywhere.
        raise unreadable_answer_error() from None


def _repository(action: str, owner: str, repo: str, number: int | None, query: str) -> tuple[str, str]:
    """Owner and name of the repository, both empty for a search in all;
    raises `BadArguments` for what the action lacks.
    """
    errors = ArgumentErrorCollector()
    found = errors.read(_owner_and_name, owner, repo) if repo else None
    if not repo and action != "search_code":
        problem = gettext("Say which repository, like campus-cs/cs101-starter.")
        errors.add(BadArguments(problem, field="repo"))
    if action == "get_issue" and number is None:
        problem = gettext("Give the number of the issue or pull request.")
        errors.add(BadArguments(problem, field="issue_number"))
    if action == "search_code" and not query:
        problem = gettext("Say what to search for, like “binary search language:python”.")
        errors.add(BadArguments(problem, field="query"))
    errors.raise_found()
    return found or ("", "")


def _owner_and_name(owner: str, repo: str) -> tuple[str, str]:
    """Owner and name of a repository, in any usual form; raises `BadArguments`."""
    found = _NAME.fullmatch(repo if "/" in repo or not owner else f"{owner}/{repo}")
    if found is None or {found[1], found[2]} & {".", ".."}:
        raise BadArguments(
            gettext("Write the repository as owner and name, like campus-cs/cs101-starter."), field="repo"
        )
    return found[1], found[2]
