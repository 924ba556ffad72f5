"""Repositories over the API: what they are, their files, releases, issues and comments."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from sandbox.campus import Campus
from sandbox.github import repositories
from sandbox.github.access import admit, answer, page_of, refused
from sandbox.github.repositories import Json, days_ago, person

PAGES = ("per_page", "page")


class RepositoryMethods:
    """The token is its owner's: it sees private repositories too, as a careless operator's would."""

    def __init__(self, campus: Campus) -> None:
        self._campus = campus

    async def repository(self, request: Request) -> Response:
        return answer(repositories.repository(self._campus, self._repo(request)))

    async def contents(self, request: Request) -> Response:
        repo = self._repo(request, query=("ref",))
        _check_ref(request, repo)
        path = request.path_params.get("path", "").strip("/")
        if path in repo["files"]:
            return answer(repositories.file(self._campus, repo, path, with_content=True))
        entries = repositories.folder(self._campus, repo, path)
        if not entries:
            raise refused(404, "Not Found")
        return answer(entries)

    async def readme(self, request: Request) -> Response:
        repo = self._repo(request, query=("ref",))
        _check_ref(request, repo)
        if "README.md" not in repo["files"]:
            raise refused(404, "Not Found")
        return answer(repositories.file(self._campus, repo, "README.md", with_content=True))

    async def releases(self, request: Request) -> Response:
        repo = self._repo(request, query=PAGES)
        shown, headers = page_of(request, [self._release(repo, release) for release in repo.get("releases", [])])
        return answer(shown, headers)

    async def issue(self, request: Request) -> Response:
        repo = self._repo(request)
        return answer(self._issue(repo, self._numbered(request, repo)))

    async def comments(self, request: Request) -> Response:
        repo = self._repo(request, query=PAGES)
        said = self._numbered(request, repo).get("comments", [])
        shown, headers = page_of(request, [self._comment(comment) for comment in said])
        return answer(shown, headers)

    async def unknown(self, request: Request) -> Response:
        raise refused(404, "Not Found")

    def _repo(self, request: Request, *, query: tuple[str, ...] = ()) -> Json:
        admit(request, query=query)
        name = f"{request.path_params['owner']}/{request.path_params['repo']}".lower()
        found = repositories.repositories().get(name)
        if found is None:
            raise refused(404, "Not Found")
        return found

    def _numbered(self, request: Request, repo: Json) -> Json:
        number = request.path_params["number"]
        found: Json | None = next((issue for issue in repo.get("issues", []) if issue["number"] == number), None)
        if found is None:
            raise refused(404, "Not Found")
        return found

    def _release(self, repo: Json, release: Json) -> Json:
        return {
            "tag_name": release["tag"],
            "name": release["name"],
            "body": release["notes"],
            "draft": False,
            "prerelease": release.get("prerelease", False),
            "published_at": days_ago(self._campus, release["days_ago"]),
            "html_url": repositories.page(self._campus, repo, f"releases/tag/{release['tag']}"),
        }

    def _issue(self, repo: Json, issue: Json) -> Json:
        kind = "pull" if issue.get("is_pull") else "issues"
        address = repositories.page(self._campus, repo, f"{kind}/{issue['number']}")
        shape: dict[str, Any] = {
            "number": issue["number"],
            "title": issue["title"],
            "state": issue["state"],
            "user": person(issue["by"]),
            "body": issue["body"],
            "comments": len(issue.get("comments", [])),
            "created_at": days_ago(self._campus, issue["days_ago"]),
            "html_url": address,
        }
        return shape | ({"pull_request": {"html_url": address}} if issue.get("is_pull") else {})

    def _comment(self, comment: Json) -> Json:
        return {
            "user": person(comment["by"]),
            "body": comment["body"],
            "created_at": days_ago(self._campus, comment["days_ago"]),
        }


def _check_ref(request: Request, repo: Json) -> None:
    known = {"", "main", *(release["tag"] for release in repo.get("releases", []))}
    if (ref := request.query_params.get("ref", "")) not in known:
        raise refused(404, f"No commit found for the ref {ref}")
