"""Routes of reminders: push subscriptions of our pages, the service worker, and the unsubscribe link of e-mails."""

from collections.abc import Awaitable, Callable
from html import escape
from pathlib import Path

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from api.assets.static_file import FRESH as ASKED_EACH_TIME
from api.assets.static_file import EncodedFile
from api.body import read_body
from api.errors import FRESH, error_response
from api.live.page_checks import PageChecks, student_of
from api.live.rate_limits import SENDS, LiveLimits
from api.method_route import MethodRoute, method_refused
from api.router import respond
from api.workers import Workers
from services.i18n import get_language, gettext, locale_scope
from services.identity.browser_names import browser_name
from services.reminders.preferences import Channel
from services.reminders.push_subscriptions import LONGEST_ENDPOINT, NewSubscription
from services.reminders.unsubscribe import LinkExpired
from services.wiring.container import ServiceContainer

DEADLINE_S = 10.0
MOST_IN_LINE = 200
LONGEST_TOKEN = 500
SUBSCRIPTIONS, WORKER, UNSUBSCRIBE = "/push/subscriptions", "/service-worker.js", "/unsubscribe/{token}"
_STYLE = (
    "body{font:1.05rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.25rem;"
    "color-scheme:light dark}button{font:inherit;padding:.5rem 1rem;min-height:44px;cursor:pointer}"
)

Answer = Callable[[Request], Awaitable[ASGIApp]]


class GoneSubscription(BaseModel):
    """Body of a DELETE."""

    endpoint: str = Field(max_length=LONGEST_ENDPOINT)


def reminder_routes(services: ServiceContainer) -> list[BaseRoute]:
    workers = Workers(size=2, most_in_line=MOST_IN_LINE)
    subscriptions, unsubscribe = _Subscriptions(services, workers), _Unsubscribe(services, workers)
    worker = EncodedFile((Path(__file__).parent / "service_worker.js").read_bytes, media_type="text/javascript")

    async def answer_worker(request: Request) -> Response:
        return await worker.respond(request, cache=ASKED_EACH_TIME)

    return [
        MethodRoute(WORKER, answer_worker),
        Route(SUBSCRIPTIONS, _Endpoint({"POST": subscriptions.add, "DELETE": subscriptions.remove}, SUBSCRIPTIONS)),
        Route(UNSUBSCRIBE, _Endpoint({"GET": unsubscribe.show, "POST": unsubscribe.carry_out}, UNSUBSCRIBE)),
    ]


class _Endpoint:
    """ASGI app of one path: Starlette would call a plain function with a request."""

    def __init__(self, answers: dict[str, Answer], path: str) -> None:
        self._answers = answers
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # HEAD is a visit that reads nothing: link checkers send it.
        answer = self._answers.get("GET" if scope["method"] == "HEAD" else scope["method"])
        if answer is None:
            await error_response(method_refused(self._answers))(scope, receive, send)
            return
        await respond(scope, receive, send, answer=answer, path=self._path, event="reminders_answered")


class _Subscriptions:
    """Subscriptions of the browser that asks, by its sign-in cookie, as for the routes of live answers."""

    def __init__(self, services: ServiceContainer, workers: Workers) -> None:
        self._services, self._workers = services, workers
        self._limits = LiveLimits(services.rate_limiter)
        self._checks = PageChecks(services.settings)

    async def add(self, request: Request) -> Response:
        claims = self._checks.claims(request, changes=True)
        self._limits.spend(claims, SENDS)
        new = await read_body(request, NewSubscription)
        new.name = new.name.strip() or browser_name(request.headers.get("user-agent", ""))

        def add() -> str:
            student = student_of(self._services.students, claims)
            with locale_scope(student.locale):
                return self._services.reminders.add_device(student, new, session=claims.session).id

        id = await self._workers.run("push", DEADLINE_S, add)
        return JSONResponse({"id": id}, status_code=201, headers=FRESH)

    async def remove(self, request: Request) -> Response:
        claims = self._checks.claims(request, changes=True)
        self._limits.spend(claims, SENDS)
        gone = await read_body(request, GoneSubscription)

        def remove() -> None:
            student = student_of(self._services.students, claims)
            self._services.reminders.remove_endpoint(student, gone.endpoint)

        await self._workers.run("push", DEADLINE_S, remove)
        return Response(status_code=204, headers=FRESH)


class _Unsubscribe:
    """RFC 8058: a mail program POSTs, without cookies; whoever opens the link, or looks ahead at it, changes nothing.

    The page names nobody: a forwarded mail tells no address. A token that means nobody any more is no error.
    """

    def __init__(self, services: ServiceContainer, workers: Workers) -> None:
        self._services, self._workers = services, workers

    async def show(self, request: Request) -> Response:
        if isinstance(found := self._student_id(request), Response):
            return found
        ask = gettext("Homeroom then sends you no e-mails any more. Notifications in your browser stay as they are.")
        words = gettext("Stop all e-mails")
        button = f'<form method="post"><button>{escape(words)}</button></form>'
        return _page(gettext("No more e-mails from Homeroom?"), ask, button)

    async def carry_out(self, request: Request) -> Response:
        if isinstance(found := self._student_id(request), Response):
            return found
        switch_off = self._services.reminders.preferences.switch_off
        await self._workers.run("unsubscribe", DEADLINE_S, switch_off, found, Channel.EMAIL)
        done = gettext("You get no e-mails from Homeroom any more. You can switch them on again under Settings.")
        return _page(gettext("Done"), done)

    def _student_id(self, request: Request) -> str | Response:
        """Whose link it is, or the page that says that it is none."""
        token = request.path_params["token"]
        try:
            student_id = self._services.reminders.links.student_of(token) if len(token) <= LONGEST_TOKEN else None
        except LinkExpired:
            words = gettext("Switch e-mails off under Settings, in Reminders.")
            return _page(gettext("This link is too old"), words, status=410)
        if student_id is None:
            words = gettext("Open it from the e-mail once more, or switch e-mails off under Settings, in Reminders.")
            return _page(gettext("This is not the whole link"), words, status=404)
        return student_id


def _page(title: str, words: str, more: str = "", *, status: int = 200) -> HTMLResponse:
    label = gettext("Settings")
    settings = f'<p><a href="/settings">{escape(label)}</a></p>'
    html = (
        f'<!doctype html><html lang="{get_language()}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">'
        f"<style>{_STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1><p>{escape(words)}</p>{more}{settings}</main></body></html>"
    )
    return HTMLResponse(html, status, headers={**FRESH, "referrer-policy": "no-referrer"})
