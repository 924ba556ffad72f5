"""The campus's Canvas: REST API v1, OAuth2, tokens made by hand, and enough web pages for its links to open."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.canvas import assignments, courses, events, modules, pages, planner, quizzes, topics
from sandbox.canvas.answers import not_found
from sandbox.canvas.api import route
from sandbox.canvas.feed import CalendarFeed
from sandbox.canvas.files import file_list, folders
from sandbox.canvas.files.control import FileControl
from sandbox.canvas.files.web_pages import FilePages
from sandbox.canvas.gradebook import periods, submissions
from sandbox.canvas.oauth import OAuth
from sandbox.canvas.school import School
from sandbox.canvas.seeds.course_loader import seed
from sandbox.canvas.throttle import Throttle
from sandbox.canvas.token_page import TokenPage
from sandbox.canvas.web import Web
from sandbox.grants import Grants

__all__ = ["routes", "seed"]

# planner before courses: "/users/self/todo" must not be read as a user's id with a path behind it.
PARTS = (
    *(planner, courses, periods, assignments, quizzes, submissions, topics, modules, events),
    *(pages, file_list, folders),
)


def routes(campus: Campus) -> list[BaseRoute]:
    """Every route, relative to /sandbox/canvas."""
    school, grants, throttle = School(campus=campus), Grants(campus, "canvas"), Throttle(campus.state)
    api = [route(school, grants, endpoint, throttle) for part in PARTS for endpoint in part.endpoints()]
    web = [
        *OAuth(school, grants).routes(),
        *TokenPage(school, grants).routes(),
        *CalendarFeed(school).routes(),
        *FilePages(school, grants, throttle).routes(),
        *FileControl(school).routes(),
        *Web(school).routes(),
    ]
    return [*api, *web, Route("/{rest:path}", _unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"])]


async def _unknown(request: Request) -> Response:
    return not_found().response
