"""The repositories of the campus's GitHub, one TOML file each."""

import base64
import hashlib
import tomllib
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from sandbox.campus import Campus

DATA = Path(__file__).with_name("data")
Json = dict[str, Any]


@cache
def repositories() -> dict[str, Json]:
    """Everything there is, by "owner/name" in lower case; GitHub does not tell cases apart either."""
    read = (tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("*.toml")))
    return {repo["full_name"].lower(): repo for repo in read}


def stamp(at: datetime) -> str:
    """A time as GitHub writes it: "2026-11-21T10:00:00Z"."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def days_ago(campus: Campus, days: int) -> str:
    return stamp(campus.now().replace(hour=15, minute=0, second=0) - timedelta(days=days))


def person(login: str) -> Json:
    return {"login": login, "id": _id(login), "type": "User", "html_url": f"https://github.com/{login}"}


def repository(campus: Campus, repo: Json) -> Json:
    owner, name = repo["full_name"].split("/")
    return {
        "id": _id(repo["full_name"]),
        "name": name,
        "full_name": repo["full_name"],
        "private": repo["private"],
        "owner": person(owner),
        "html_url": page(campus, repo),
        "url": f"{campus.origin}/github/repos/{repo['full_name']}",
        "description": repo["description"],
        "fork": False,
        "default_branch": "main",
        "language": repo["language"],
        "stargazers_count": repo["stars"],
        "open_issues_count": sum(issue["state"] == "open" for issue in repo.get("issues", [])),
        "visibility": "private" if repo["private"] else "public",
    }


def file(campus: Campus, repo: Json, path: str, *, with_content: bool) -> Json:
    data = repo["files"][path].encode()
    shape = {
        "type": "file",
        "size": len(data),
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "sha": hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest(),
        "url": f"{campus.origin}/github/repos/{repo['full_name']}/contents/{path}?ref=main",
        "html_url": page(campus, repo, f"blob/main/{path}"),
    }
    return shape | ({"encoding": "base64", "content": base64.encodebytes(data).decode()} if with_content else {})


def folder(campus: Campus, repo: Json, path: str) -> list[Json]:
    """The entries right below a folder; empty when there is no such folder."""
    start = f"{path}/" if path else ""
    below = [name for name in repo["files"] if name.startswith(start)]
    folders = sorted({name[len(start) :].split("/")[0] for name in below if "/" in name[len(start) :]})
    files = sorted(name for name in below if "/" not in name[len(start) :])
    entries: list[Json] = [
        {"type": "dir", "size": 0, "name": name, "path": start + name, "html_url": page(campus, repo, start + name)}
        for name in folders
    ]
    return entries + [file(campus, repo, name, with_content=False) for name in files]


def page(campus: Campus, repo: Json, rest: str = "") -> str:
    """The address that people open."""
    return f"{campus.origin}/github/{repo['full_name']}/{rest}"


def _id(text: str) -> int:
    return int(hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:7], 16)
