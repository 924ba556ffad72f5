"""Canvas's web addresses of files and pages: downloads, which need a token, and what a person opens in a browser."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.canvas.answers import not_allowed
from sandbox.canvas.api import Call, authorized
from sandbox.canvas.files.download_key import DownloadKey
from sandbox.canvas.files.file_list import readable_file, uuid_of
from sandbox.canvas.pages import body_of
from sandbox.canvas.progress import lock_facts
from sandbox.canvas.school import Row, School
from sandbox.canvas.throttle import Throttle
from sandbox.grants import Grants
from sandbox.pages import esc, message_page, page

SITE = "Canvas"


class FilePages:
    """Downloads and pages; the pages show what every member of a course sees."""

    def __init__(self, school: School, grants: Grants, throttle: Throttle) -> None:
        self._school = school
        self._grants = grants
        self._throttle = throttle

    def routes(self) -> list[BaseRoute]:
        """Relative to Canvas's base."""
        course = "/courses/{course_id:int}"
        return [
            Route("/files/{file_id:int}/download", self.download),
            Route(f"{course}/files/{{file_id:int}}/download", self.download),
            Route("/files/{file_id:int}", self.file),
            Route(f"{course}/files/{{file_id:int}}", self.file),
            Route(f"{course}/files", self.files),
            Route(f"{course}/pages/{{slug}}", self.page),
            Route("/login/canvas", self.login),
        ]

    async def download(self, request: Request) -> Response:
        """Send a person with a token on to the host of the bytes, and everybody else to the sign-in page."""
        if self._is_verified(request):
            row = self._school.campus.state.get("canvas.files", request.path_params["file_id"])
            return RedirectResponse(DownloadKey(self._school.campus).address(row, request.url), 302)
        if "authorization" not in request.headers:
            return RedirectResponse(f"{self._school.web}/login/canvas", 302)
        self._throttle.take(request.headers["authorization"])
        user = authorized(request, self._school, self._grants)
        call = Call(request=request, school=self._school, user=user, fields={})
        row = readable_file(call, str(request.path_params["file_id"]))
        if lock_facts(call, row, "file")["locked_for_user"]:
            raise not_allowed()
        return RedirectResponse(DownloadKey(self._school.campus).address(row, request.url), 302)

    def _is_verified(self, request: Request) -> bool:
        """Whether the address has the key that Canvas gave until March 2026, on a campus that still takes it."""
        state = self._school.campus.state
        row = state.get("canvas.files", request.path_params["file_id"])
        is_taken = row is not None and state.get("canvas.settings", "verifiers") and not row["locked"]
        return bool(is_taken) and request.query_params.get("verifier") == uuid_of(row)

    async def login(self, request: Request) -> Response:
        """Canvas's own sign-in page, with status 200 as there."""
        form = (
            "<form><label>Email <input name='pseudonym_session[unique_id]'></label> <label>Password "
            "<input type='password'></label> <button type='button'>Log In</button></form>"
        )
        return page("Log in to Canvas", form, site=SITE)

    async def files(self, request: Request) -> Response:
        """A course's files, unless it hides them."""
        course = self._school.course(request.path_params["course_id"])
        if course is None or course.get("hides_files"):
            return _missing()
        rows = self._school.campus.state.all("canvas.files", course_id=course["id"])
        shown = [row for row in rows if self._school.is_open_to_all(row) and not row["hidden"]]
        web = f"{self._school.web}/courses/{course['id']}/files"
        names = "".join(
            f"<tr><td>{esc(row['folder'])}</td><td><a href='{web}/{row['id']}'>{esc(row['name'])}</a></td></tr>"
            for row in sorted(shown, key=lambda row: (row["folder"], row["name"]))
        )
        return page(f"Files of {course['name']}", f"<table>{names}</table>", site=SITE)

    async def file(self, request: Request) -> Response:
        """A file with a link to its bytes."""
        row = self._school.campus.state.get("canvas.files", request.path_params["file_id"])
        if row is None or not self._school.is_open_to_all(row):
            return _missing()
        address = DownloadKey(self._school.campus).address(row, request.url)
        facts = f"<p class='soft'>{esc(row['title'])}</p><p><a href='{esc(address)}'>Download</a></p>"
        return page(row["name"], facts + self._back(row), site=SITE)

    async def page(self, request: Request) -> Response:
        """A page of a course."""
        course_id, slug = request.path_params["course_id"], request.path_params["slug"]
        rows = self._school.campus.state.all("canvas.pages", course_id=course_id, slug=slug)
        if not rows or not self._school.is_open_to_all(rows[0]):
            return _missing()
        body = await run_in_threadpool(body_of, rows[0]["source"], course_id, self._school.web)
        return page(rows[0]["title"], body, site=SITE)

    def _back(self, row: Row) -> str:
        course = self._school.course(row["course_id"])
        name = esc(course["name"]) if course else ""
        return f"<p><a href='{esc(self._school.web)}/courses/{row['course_id']}'>{name}</a></p>"


def _missing() -> Response:
    sentence = "This page is not here, or you may not see it."
    return message_page("Page not found", sentence, site=SITE, status=404)
