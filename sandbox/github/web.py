"""What a person sees who opens a repository's address."""

from starlette.requests import Request
from starlette.responses import Response

from sandbox.github.repositories import repositories
from sandbox.pages import esc, message_page, page

SITE = "GitHub"


async def show(request: Request) -> Response:
    """A file, an issue or a release as plain text; anything else of a repository shows what it is."""
    name = f"{request.path_params['owner']}/{request.path_params['repo']}"
    repo = repositories().get(name.lower())
    if repo is None or repo["private"]:
        return message_page("Not found", "There is no such page here.", site=SITE, status=404)
    rest = request.path_params["rest"]
    file = repo["files"].get(rest.removeprefix("blob/main/"))
    if file is not None:
        return page(rest.removeprefix("blob/main/"), f"<pre>{esc(file)}</pre>", site=SITE)
    number = rest.removeprefix("issues/").removeprefix("pull/")
    issue = next((issue for issue in repo.get("issues", []) if str(issue["number"]) == number), None)
    if issue is not None:
        said = "".join(
            f"<p><b>{esc(comment['by'])}</b>: {esc(comment['body'])}</p>" for comment in issue.get("comments", [])
        )
        return page(issue["title"], f"<p>{esc(issue['body'])}</p>{said}", site=SITE)
    return page(repo["full_name"], f"<p>{esc(repo['description'])}</p>", site=SITE)
