"""Canvas's web pages, so that a link in an answer opens something: courses, assignments, announcements, discussions."""

from html.parser import HTMLParser

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import TIMEZONE
from sandbox.canvas.school import Row, School, moment
from sandbox.pages import esc, message_page, page

SITE = "Canvas"


class Web:
    """The pages; they show what every member of a course sees, never a person's grades."""

    def __init__(self, school: School) -> None:
        self._school = school

    def routes(self) -> list[BaseRoute]:
        """Every page, relative to Canvas's base."""
        course = "/courses/{course_id:int}"
        return [
            Route("/", self.dashboard),
            Route("/calendar", self.dashboard),
            Route("/announcements", self.news),
            Route(course, self.course),
            Route(f"{course}/assignments", self.course),
            Route(f"{course}/assignments/syllabus", self.course),
            Route(f"{course}/modules", self.course),
            Route(f"{course}/modules/{{module_id:int}}", self.course),
            Route(f"{course}/modules/items/{{item_id:int}}", self.course),
            Route(f"{course}/grades", self.course),
            Route(f"{course}/grades/{{user_id:int}}", self.course),
            Route(f"{course}/users/{{user_id:int}}", self.course),
            Route(f"{course}/announcements", self.news),
            Route(f"{course}/assignments/{{assignment_id:int}}", self.assignment),
            Route(f"{course}/assignments/{{assignment_id:int}}/submissions/{{user_id:int}}", self.assignment),
            Route(f"{course}/quizzes/{{quiz_id:int}}", self.assignment),
            Route(f"{course}/discussion_topics/{{topic_id:int}}", self.topic),
        ]

    async def dashboard(self, request: Request) -> Response:
        """Every course of the campus."""
        courses = [course for course in self._school.courses() if not course["is_concluded"]]
        links = "".join(f"<li>{self._link(course, course['name'])}</li>" for course in courses)
        return page("Dashboard", f"<ul>{links}</ul>", site=SITE)

    async def course(self, request: Request) -> Response:
        """A course with its syllabus and assignments."""
        course = self._school.course(request.path_params["course_id"])
        if course is None:
            return _missing()
        rows = sorted(
            self._school.assignments(course["id"]), key=lambda row: (row["due_at"] is None, row["due_at"] or "")
        )
        table = "".join(
            f"<tr><td>{self._link(row, row['name'], 'assignments')}</td><td>{esc(_when(row['due_at']))}</td></tr>"
            for row in rows
        )
        syllabus = f"<p>{esc(plain(course['syllabus_body']))}</p>"
        body = f"{syllabus}{self._modules(course)}<h2>Assignments</h2><table>{table}</table>"
        return page(course["name"], body, site=SITE)

    async def assignment(self, request: Request) -> Response:
        """One assignment or quiz."""
        parts = request.path_params
        row = self._school.assignment(parts.get("assignment_id") or parts["quiz_id"] - 700)
        if row is None or row["course_id"] != parts["course_id"]:
            return _missing()
        course = self._school.course(row["course_id"])
        facts = f"Due {_when(row['due_at'])} · {row['points_possible']:g} points"
        body = f"<p class='soft'>{esc(facts)}</p><p>{esc(plain(row['description'] or ''))}</p>"
        return page(row["name"], body + (f"<p>{self._link(course, course['name'])}</p>" if course else ""), site=SITE)

    async def news(self, request: Request) -> Response:
        """Announcements of one course or of all, newest first."""
        number = request.path_params.get("course_id")
        courses = [course for course in self._school.courses() if number in (None, course["id"])]
        rows = [row for course in courses for row in self._school.topics(course["id"], is_announcement=True)]
        newest_first = sorted(rows, key=lambda row: row["posted_at"], reverse=True)
        links = "".join(
            f"<tr><td>{self._link(row, row['title'], 'discussion_topics')}</td>"
            f"<td>{esc(_when(row['posted_at']))}</td></tr>"
            for row in newest_first
        )
        return page("Announcements", f"<table>{links}</table>", site=SITE)

    async def topic(self, request: Request) -> Response:
        """One announcement or discussion."""
        row = self._school.campus.state.get("canvas.topics", request.path_params["topic_id"])
        if row is None or row["course_id"] != request.path_params["course_id"]:
            return _missing()
        posted = f"<p class='soft'>Posted {esc(_when(row['posted_at']))}</p>"
        return page(row["title"], f"{posted}<p>{esc(plain(row['message']))}</p>", site=SITE)

    def _modules(self, course: Row) -> str:
        """The modules with the pages and files that everyone in the course may open."""
        parts, web = [], f"{self._school.web}/courses/{course['id']}"
        for module in self._school.modules(course["id"]):
            rows = [(kind, row) for kind in ("pages", "files") for row in self._school.materials(kind, module["id"])]
            addresses = [
                (f"{web}/{kind}/{row['slug'] if kind == 'pages' else row['id']}", row["title"])
                for kind, row in sorted(rows, key=lambda pair: pair[1]["order"])
            ]
            links = "".join(f'<li><a href="{esc(to)}">{esc(title)}</a></li>' for to, title in addresses)
            parts.append(f"<h3>{esc(module['name'])}</h3><ul>{links}</ul>" if links else "")
        return f"<h2>Modules</h2>{''.join(parts)}" if any(parts) else ""

    def _link(self, row: Row, label: str, kind: str | None = None) -> str:
        course_id = row["course_id"] if kind else row["id"]
        rest = f"/{kind}/{row['id']}" if kind else ""
        return f'<a href="{esc(self._school.web)}/courses/{course_id}{rest}">{esc(label)}</a>'


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def plain(html: str) -> str:
    """The words of a piece of HTML; an instructor's markup is not to be trusted."""
    text = _Text()
    text.feed(html)
    text.close()
    return " ".join(" ".join(text.parts).split())


def _when(at: str | None) -> str:
    if at is None:
        return "no due date"
    local = moment(at).astimezone(TIMEZONE)
    return f"{local:%a} {local.day} {local:%b %Y, %H:%M %Z}"


def _missing() -> Response:
    sentence = "This page is not here, or you may not see it."
    return message_page("Page not found", sentence, site=SITE, status=404)
