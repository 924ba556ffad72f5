"""What `github_api` can do: one function for each action, from GitHub's JSON to what the model reads."""

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
from services.integrations.github.client import LABEL, GitHub, Json
from services.safety.text import one_line
from services.tools.result import Source, ToolResult

RELEASES = 10
COMMENTS = 30
HITS = 10
MOST_WORDS = 4_000


@dataclass(frozen=True, kw_only=True)
class ActionArguments:
    """The arguments of one call, and the student's time; `owner` and `repo` are checked names, or "" for a search."""

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
    def seen(self) -> str:
        return f"({LABEL}, as of {clock(self.now)})"


def get_file(github: GitHub, arguments: ActionArguments) -> ToolResult:
    """The text of a file, or what is in a folder."""
    github.repository(arguments.owner, arguments.repo)
    found = github.contents(arguments.owner, arguments.repo, _within(arguments.path), arguments.ref)
    return _folder(found, arguments) if isinstance(found, list) else _file(found, arguments)


def get_readme(github: GitHub, arguments: ActionArguments) -> ToolResult:
    """What the repository says about itself."""
    repository = github.repository(arguments.owner, arguments.repo)
    read = _file(github.readme(arguments.owner, arguments.repo, arguments.ref), arguments)
    about = one_line(repository.get("description") or "", 300)
    return ToolResult(output=f"{about}\n{read.output}".strip(), data=read.data, sources=read.sources)


def list_releases(github: GitHub, arguments: ActionArguments) -> ToolResult:
    """The newest releases, with their notes."""
    github.repository(arguments.owner, arguments.repo)
    found = [release for release in github.releases(arguments.owner, arguments.repo, RELEASES) if not release.get("draft")]
    heading = sentence(f"{count(len(found), 'release')} of {arguments.name}, the newest first {arguments.seen}.")
    cut = [f"Note: only the newest {RELEASES} are shown."] if len(found) == RELEASES else []
    return ToolResult(
        output="\n".join([heading, *(_release(release) for release in found), *cut]),
        data={"releases": [_kept(release, "tag_name", "name", "published_at", "prerelease", "html_url") for release in found]},
        sources=tuple(_source(f"{arguments.name} {release['tag_name']}", release) for release in found),
    )


def get_issue(github: GitHub, arguments: ActionArguments) -> ToolResult:
    """An issue or pull request with its discussion."""
    if arguments.number is None:
        raise BadArguments(gettext("Give the number of the issue or pull request."), field="issue_number")
    github.repository(arguments.owner, arguments.repo)
    issue = github.issue(arguments.owner, arguments.repo, arguments.number)
    said = github.comments(arguments.owner, arguments.repo, arguments.number, COMMENTS) if issue.get("comments") else []
    kind = "Pull request" if "pull_request" in issue else "Issue"
    title = one_line(issue["title"])
    lines = [
        f"{kind} #{arguments.number} of {arguments.name}: “{title}”, {issue['state']} {arguments.seen}.",
        _said(issue),
        *(_said(comment) for comment in said),
    ]
    if issue.get("comments", 0) > len(said):
        lines.append(f"Note: only the first {len(said)} of {issue['comments']} comments are shown.")
    return ToolResult(
        output="\n\n".join(lines),
        data=_kept(issue, "number", "title", "state", "html_url", "created_at", "comments"),
        sources=(_source(f"{arguments.name} #{arguments.number}: {title}", issue),),
    )


def search_code(github: GitHub, arguments: ActionArguments) -> ToolResult:
    """Public files that hold the words, with the lines that match."""
    if not arguments.query:
        raise BadArguments(gettext("Say what to search for, like “binary search language:python”."), field="query")
    query = f"{arguments.query} repo:{arguments.name}" if arguments.repo else arguments.query
    found = github.search_code(query, HITS)
    items = [item for item in found["items"] if item["repository"].get("private") is False]
    heading = sentence(f"{count(len(items), 'file')} with “{one_line(arguments.query, 80)}” in public code {arguments.seen}.")
    cut = found["total_count"] > len(found["items"]) or found.get("incomplete_results")
    note = ["Note: there are more; narrow the search with repo:, language: or path:."] if cut else []
    return ToolResult(
        output="\n".join([heading, *(_hit(item) for item in items), *note]),
        data={"items": [_kept(item, "path", "html_url") | {"repository": _full(item)} for item in items]},
        sources=tuple(_source(f"{_full(item)}: {item['path']}", item) for item in items),
    )


ACTIONS: Mapping[str, Callable[[GitHub, ActionArguments], ToolResult]] = {
    "get_file": get_file,
    "get_readme": get_readme,
    "list_releases": list_releases,
    "get_issue": get_issue,
    "search_code": search_code,
}


def _within(path: str) -> str:
    """The path for an address; raises `BadArguments` for one that would lead out of the repository."""
    parts = [part for part in path.split("/") if part]
    if {".", ".."}.intersection(parts):
        raise BadArguments(gettext("Give the path from the top of the repository, without dots."), field="path")
    return quote("/".join(parts))


def _folder(entries: list[Json], arguments: ActionArguments) -> ToolResult:
    heading = f"{count(len(entries), 'file or folder')} in {arguments.name}/{arguments.path} {arguments.seen}."
    lines = [f"- {entry['path']}{'/' * (entry['type'] == 'dir')}" for entry in entries]
    return ToolResult(
        output="\n".join([sentence(heading), *lines]),
        data={"entries": [_kept(entry, "path", "type", "size") for entry in entries]},
    )


def _file(found: Json, arguments: ActionArguments) -> ToolResult:
    name = f"{arguments.name}/{found['path']}"
    if found.get("type", "file") != "file":
        raise BadArguments(gettext("{name} is not a file.", name=one_line(name)), field="path")
    if found.get("encoding") != "base64":
        raise TooLarge(
            LABEL,
            gettext("This file is too large to read here ({size} bytes).", size=formats.number(found.get("size", 0))),
        )
    text = _text(found)
    return ToolResult(
        output=f"{one_line(name)}, {count(len(text.splitlines()), 'line')} {arguments.seen}.\n{_fenced(text)}",
        data=_kept(found, "path", "size", "html_url") | {"text": text},
        sources=(_source(name, found),),
    )


def _text(found: Json) -> str:
    try:
        return base64.b64decode(found["content"]).decode()
    except (binascii.Error, UnicodeDecodeError):
        raise BadArguments(gettext("This file is not text, so it cannot be read here."), field="path") from None


def _fenced(text: str) -> str:
    """The text in a fence that none of its own lines can close."""
    longest = max((len(line) - len(line.lstrip("`")) for line in text.splitlines()), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text.rstrip()}\n{fence}"


def _release(release: Json) -> str:
    kind = " (pre-release)" if release.get("prerelease") else ""
    name = one_line(release.get("name") or release["tag_name"])
    notes = one_line(release.get("body") or "", 400)
    parts = [f"**{name}**{kind}", release["tag_name"], _day(release.get("published_at")), notes]
    return f"- {' — '.join(part for part in parts if part)} — [open]({release['html_url']})"


def _said(post: Json) -> str:
    words = (post.get("body") or "").strip()
    shown = words if len(words) <= MOST_WORDS else words[:MOST_WORDS].rstrip() + " …"
    return f"{(post.get('user') or {}).get('login', 'somebody')}, {_day(post['created_at'])}:\n{shown or '(no words)'}"


def _hit(item: Json) -> str:
    lines = [one_line(match.get("fragment", ""), 300) for match in item.get("text_matches", [])[:3]]
    return "\n".join([f"- **{_full(item)}** — {item['path']} — [open]({item['html_url']})", *(f"  {x}" for x in lines)])


def _full(item: Json) -> str:
    return str(item["repository"]["full_name"])


def _day(stamp: str | None) -> str:
    return day(datetime.fromisoformat(stamp).date()) if stamp else ""


def _source(title: str, item: Json) -> Source:
    return Source(title=title, url=item["html_url"])


def _kept(item: Json, *fields: str) -> dict[str, Any]:
    return {field: item.get(field) for field in fields}
