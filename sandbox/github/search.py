"""Code search: words and a few qualifiers over the files of all repositories."""

from starlette.requests import Request
from starlette.responses import Response

from sandbox.campus import Campus
from sandbox.github import repositories
from sandbox.github.access import admit, answer, page_of, refused
from sandbox.github.repositories import Json

ENDINGS = {"python": ".py", "markdown": ".md", "java": ".java", "javascript": ".js"}
QUALIFIERS = ("repo", "user", "org", "language", "path", "extension")


class CodeSearch:
    def __init__(self, campus: Campus) -> None:
        self._campus = campus

    async def find(self, request: Request) -> Response:
        admit(request, query=("q", "per_page", "page", "sort", "order"), needs_token=True)
        parts = request.query_params.get("q", "").split()
        given = [part.split(":", 1) for part in parts if part.split(":", 1)[0] in QUALIFIERS and ":" in part]
        words = [part.strip('"').lower() for part in parts if part.split(":", 1)[0] not in QUALIFIERS]
        if not words:
            raise refused(422, "Validation Failed")
        with_text = "text-match" in request.headers.get("accept", "")
        found = [
            self._hit(repo, path, words, with_text)
            for repo in repositories.repositories().values()
            for path, text in repo["files"].items()
            if all(word in text.lower() for word in words) and all(_fits(repo, path, *qualifier) for qualifier in given)
        ]
        shown, headers = page_of(request, found)
        return answer({"total_count": len(found), "incomplete_results": False, "items": shown}, headers)

    def _hit(self, repo: Json, path: str, words: list[str], with_text: bool) -> Json:
        file = repositories.file(self._campus, repo, path, with_content=False)
        item = {key: file[key] for key in ("name", "path", "sha", "url", "html_url")}
        item |= {"repository": repositories.repository(self._campus, repo), "score": 1.0}
        return item | ({"text_matches": _fragments(repo["files"][path], words)} if with_text else {})


def _fragments(text: str, words: list[str]) -> list[Json]:
    lines = [line for line in text.splitlines() if any(word in line.lower() for word in words)]
    return [{"object_type": "FileContent", "property": "content", "fragment": line} for line in lines[:5]]


def _fits(repo: Json, path: str, qualifier: str, value: str) -> bool:
    value = value.lower()
    match qualifier:
        case "repo":
            return bool(repo["full_name"].lower() == value)
        case "user" | "org":
            return bool(repo["full_name"].lower().split("/")[0] == value)
        case "language":
            return path.endswith(ENDINGS.get(value, "."))
        case "extension":
            return path.endswith(f".{value}")
    return value in path.lower()
