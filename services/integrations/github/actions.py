"""Actions of the GitHub tool: a function for each, from GitHub's JSON to what the model reads."""

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from services.errors import BadArguments, TooLarge
from services.i18n import formats, gettext
from services.i18n.english import clock, count, day, sentence
from services.integrations.github.client import LABEL, GitHubClient, Json
from services.llm.citations import Source
from services.safety.text import one_line
from services.tools.result import ToolResult

RELEASES = 10
COMMENTS = 30
MATCHES = 10
MOST_WORDS = 4_000


@dataclass(frozen=True, kw_only=True)
class ActionCall:
    """Call with its arguments, and the student's time; `owner` and `repo` are valid names, or "" for a search."""

    owner: str
    repo: str
    path: str
    ref: str
    number: int | None
    query: str
    now: datetime

    @property
    def name(self) -> str:
        return f"{self.owner}/{self.repo}"

    @property
    def as_of(self) -> str:
        return f"({LABEL}, as of {clock(self.now)})"


def get_file(github: GitHubClient, call: ActionCall) -> ToolResult:
    """Text of a file, or entries of a folder."""
    github.repository(call.owner, call.repo)
    found = github.contents(call.owner, call.repo, _path_in_repository(call.path), call.ref)
    return _folder(found, call) if isinstance(found, list) else _file(found, call)


def get_readme(github: GitHubClient, call: ActionCall) -> ToolResult:
    """Description and README of a repository."""
    repository = github.repository(call.owner, call.repo)
    read = _file(github.readme(call.owner, call.repo, call.ref), call)
    about = one_line(repository.get("description") or "", 300)
    return ToolResult(output=f"{about}\n{read.output}".strip(), data=read.data, sources=read.sources)


def list_releases(github: GitHubClient, call: ActionCall) -> ToolResult:
    """Newest releases, with their notes."""
    github.repository(call.owner, call.repo)
    found = [release for release in github.releases(call.owner, call.repo, RELEASES) if not release.get("draft")]
    heading = sentence(f"{count(len(found), 'release')} of {call.name}, the newest first {call.as_of}.")
    cut = [f"Note: only the newest {RELEASES} are shown."] if len(found) == RELEASES else []
    fields = ("tag_name", "name", "published_at", "prerelease", "html_url")
    return ToolResult(
        output="\n".join([heading, *(_release_line(release) for release in found), *cut]),
        data={"releases": [_select(release, *fields) for release in found]},
        sources=tuple(_source(f"{call.name} {release['tag_name']}", release) for release in found),
    )


def get_issue(github: GitHubClient, call: ActionCall) -> ToolResult:
    """Issue or pull request with its discussion."""
    assert call.number is not None
    github.repository(call.owner, call.repo)
    issue = github.issue(call.owner, call.repo, call.number)
    comments = github.comments(call.owner, call.repo, call.number, COMMENTS) if issue.get("comments") else []
    kind = "Pull request" if "pull_request" in issue else "Issue"
    title = one_line(issue["title"])
    lines = [
        f"{kind} #{call.number} of {call.name}: “{title}”, {issue['state']} {call.as_of}.",
        _post_text(issue),
        *(_post_text(comment) for comment in comments),
    ]
    if issue.get("comments", 0) > len(comments):
        lines.append(f"Note: only the first {len(comments)} of {issue['comments']} comments are shown.")
    return ToolResult(
        output="\n\n".join(lines),
        data=_select(issue, "number", "title", "state", "html_url", "created_at", "comments"),
        sources=(_source(f"{call.name} #{call.number}: {title}", issue),),
    )


def search_code(github: GitHubClient, call: ActionCall) -> ToolResult:
    """Public files that match the query, with the matching lines."""
    query = f"{call.query} repo:{call.name}" if call.repo else call.query
    found = github.search_code(query, MATCHES)
    items = [item for item in found["items"] if item["repository"].get("private") is False]
    heading = sentence(f"{count(len(items), 'file')} with “{one_line(call.query, 80)}” in public code {call.as_of}.")
    cut = found["total_count"] > len(found["items"]) or found.get("incomplete_results")
    note = ["Note: there are more; narrow the search with repo:, language: or path:."] if cut else []
    return ToolResult(
        output="\n".join([heading, *(_match_line(item) for item in items), *note]),
        data={"items": [_select(item, "path", "html_url") | {"repository": _repository_name(item)} for item in items]},
        sources=tuple(_source(f"{_repository_name(item)}: {item['path']}", item) for item in items),
    )


ACTIONS: Mapping[str, Callable[[GitHubClient, ActionCall], ToolResult]] = {
    "get_file": get_file,
    "get_readme": get_readme,
    "list_releases": list_releases,
    "get_issue": get_issue,
    "search_code": search_code,
}


def _path_in_repository(path: str) -> str:
    """Path as part of an address; raises `BadArguments` for one that leads out of the repository."""
    parts = [part for part in path.split("/") if part]
    if {".", ".."}.intersection(parts):
        raise BadArguments(gettext("Give the path from the top of the repository, without dots."), field="path")
    return quote("/".join(parts))


def _folder(entries: list[Json], call: ActionCall) -> ToolResult:
    heading = f"{count(len(entries), 'file or folder')} in {call.name}/{call.path} {call.as_of}."
    lines = [f"- {entry['path']}{'/' * (entry['type'] == 'dir')}" for entry in entries]
    return ToolResult(
        output="\n".join([sentence(heading), *lines]),
        data={"entries": [_select(entry, "path", "type", "size") for entry in entries]},
    )


def _file(found: Json, call: ActionCall) -> ToolResult:
    name = f"{call.name}/{found['path']}"
    if found.get("type", "file") != "file":
        raise BadArguments(gettext("{name} is not a file.", name=one_line(name)), field="path")
    if found.get("encoding") != "base64":
        raise TooLarge(
            LABEL,
            gettext("This file is too large to read here ({size} bytes).", size=formats.number(found.get("size", 0))),
        )
    text = _text(found)
    return ToolResult(
        output=f"{one_line(name)}, {count(len(text.splitlines()), 'line')} {call.as_of}.\n{_fenced(text)}",
        data=_select(found, "path", "size", "html_url") | {"text": text},
        sources=(_source(name, found),),
    )


def _text(found: Json) -> str:
    try:
        return base64.b64decode(found["content"]).decode()
    except (binascii.Error, UnicodeDecodeError):
        raise BadArguments(gettext("This file is not text, so it cannot be read here."), field="path") from None


def _fenced(text: str) -> str:
    """Fenced code block that none of the text's own lines can close."""
    longest = max((len(line) - len(line.lstrip("`")) for line in text.splitlines()), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text.rstrip()}\n{fence}"


def _release_line(release: Json) -> str:
    kind = " (pre-release)" if release.get("prerelease") else ""
    name = one_line(release.get("name") or release["tag_name"])
    notes = one_line(release.get("body") or "", 400)
    parts = [f"**{name}**{kind}", release["tag_name"], _day(release.get("published_at")), notes]
    return f"- {' — '.join(part for part in parts if part)} — [open]({release['html_url']})"


def _post_text(post: Json) -> str:
    words = (post.get("body") or "").strip()
    shown = words if len(words) <= MOST_WORDS else words[:MOST_WORDS].rstrip() + " …"
    return f"{(post.get('user') or {}).get('login', 'somebody')}, {_day(post['created_at'])}:\n{shown or '(no words)'}"


def _match_line(item: Json) -> str:
    lines = [one_line(match.get("fragment", ""), 300) for match in item.get("text_matches", [])[:3]]
    return "\n".join(
        [f"- **{_repository_name(item)}** — {item['path']} — [open]({item['html_url']})", *(f"  {x}" for x in lines)]
    )


def _repository_name(item: Json) -> str:
    return str(item["repository"]["full_name"])


def _day(stamp: str | None) -> str:
    return day(datetime.fromisoformat(stamp).date()) if stamp else ""


def _source(title: str, item: Json) -> Source:
    return Source(title=title, url=item["html_url"])


def _select(item: Json, *fields: str) -> dict[str, Any]:
    return {field: item.get(field) for field in fields}
