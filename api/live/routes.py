"""Routes of live answers: send a message, follow its answer, stop it, read a page that it cites; and of review.

For pages of ours, by the sign-in cookie.
"""

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from api.auth import SignInClaims
from api.errors import FRESH, ApiError
from api.live.bytes_in_flight import MOST_WITH_FILES, BytesInFlight
from api.live.feed_registry import LiveFeeds
from api.live.messages import Message, body_size, has_files, read_message, require_key, submit
from api.live.page_checks import PageChecks, student_of
from api.live.rate_limits import FOLLOWS, SENDS, LiveLimits
from api.live.reader import MaterialReader
from api.live.stream import EventStream
from api.live.study_quiz import QuizTaking
from api.live.study_review import CardReview
from api.method_route import MethodRoute
from api.router import respond
from api.workers import Workers
from services.errors import StorageError
from services.i18n import locale_scope
from services.identity.students import Student
from services.turns.start import TurnIds
from services.wiring.container import ServiceContainer

SEND_DEADLINE_S = 30.0
READ_DEADLINE_S = 10.0
THREADS = 2
"""Messages that are taken in at once: with more threads all of them would end later, as one interpreter runs them."""
FILE_THREADS = 2 * MOST_WITH_FILES
"""Messages with files that are taken in at once: their threads wait for the processes that read the files, and no
student has more than half of them.
"""
MOST_IN_LINE = 2_000
LONGEST_TAB = 64

Answer = Callable[[Request], Awaitable[ASGIApp]]


def live_routes(services: ServiceContainer) -> list[BaseRoute]:
    limits, checks = LiveLimits(services.rate_limiter), PageChecks(services.settings)
    live = LiveAnswers(services, limits, checks)
    reader = MaterialReader(services, limits, checks)
    review = CardReview(services, limits, checks)
    quiz = QuizTaking(services, limits, checks)
    endpoints: dict[tuple[str, str], Answer] = {
        ("POST", "/live/messages"): live.send,
        ("POST", "/live/{conversation_id}/messages"): live.send,
        ("POST", "/live/{conversation_id}/stop"): live.stop,
        ("GET", "/live/{conversation_id}"): live.follow,
        ("POST", "/live/reader/page"): reader.page,
        ("POST", "/live/reader/picture"): reader.picture,
        ("POST", "/live/study/review/queue"): review.queue,
        ("POST", "/live/study/review/rate"): review.rate,
        ("POST", "/live/study/review/undo"): review.undo,
        ("POST", "/live/study/review/edit"): review.edit,
        ("POST", "/live/study/review/suspend"): review.suspend,
        ("POST", "/live/study/review/for-exam"): review.for_exam,
        ("POST", "/live/study/review/picture"): review.picture,
        ("POST", "/live/study/quiz/state"): quiz.state,
        ("POST", "/live/study/quiz/start"): quiz.start,
        ("POST", "/live/study/quiz/answer"): quiz.answer,
        ("POST", "/live/study/quiz/disagree"): quiz.disagree,
        ("POST", "/live/study/quiz/finish"): quiz.finish,
    }
    return [_LiveRoute(method, path, answer) for (method, path), answer in endpoints.items()]


class LiveAnswers:
    def __init__(self, services: ServiceContainer, limits: LiveLimits, checks: PageChecks) -> None:
        self._services, self._limits, self._checks = services, limits, checks
        self._workers = Workers(size=THREADS, most_in_line=MOST_IN_LINE)
        self._file_workers = Workers(size=FILE_THREADS, most_in_line=MOST_IN_LINE)
        self._in_flight = BytesInFlight()
        self._feeds = LiveFeeds(services, self._workers)

    async def send(self, request: Request) -> ASGIApp:
        """Take a message in; 202 with the ids of its conversation and turn."""
        claims = self._checks.claims(request, changes=True)
        self._limits.spend(claims, SENDS)
        require_key(request)
        give_back = self._in_flight.hold(claims, body_size(request), has_files=has_files(request))
        with ExitStack() as unread:
            unread.callback(give_back)
            message = await read_message(request)
            unread.pop_all()
        conversation_id = request.path_params.get("conversation_id")
        workers = self._file_workers if message.uploads else self._workers
        arguments = (claims, message, conversation_id)
        ids = await workers.run("live", SEND_DEADLINE_S, self._submit, *arguments, on_end=give_back, lane=claims.lane)
        body = {"conversation_id": ids.conversation_id, "turn_id": ids.turn_id}
        return JSONResponse(body, status_code=202, headers=FRESH)

    def _submit(self, claims: SignInClaims, message: Message, conversation_id: str | None) -> TurnIds:
        self._limits.spend_everywhere(claims)
        return submit(self._services, claims, message, conversation_id)

    async def follow(self, request: Request) -> ASGIApp:
        """Stream the running answer; 204 when nothing runs."""
        claims = self._checks.claims(request, changes=False)
        self._limits.spend(claims, FOLLOWS)
        student = await self._student(claims)
        last_event_id = request.headers.get("last-event-id", "")
        feed = await self._feeds.find(student, request.path_params["conversation_id"], last_event_id=last_event_id)
        if feed is None:
            return Response(status_code=204, headers=FRESH)
        tab = request.query_params.get("tab", "")[:LONGEST_TAB]
        followers = self._services.live_followers
        following = partial(followers.following, student.id, tab)
        # Nothing is awaited between this and the count, so that two requests cannot have the same last place.
        followers.require_room(student.id)
        may_follow = partial(self._may_follow, claims)
        return EventStream(feed, last_event_id=last_event_id, following=following, may_follow=may_follow)

    async def stop(self, request: Request) -> ASGIApp:
        """Stop the running answer; 204, also when none runs."""
        claims = self._checks.claims(request, changes=True)
        self._limits.spend(claims, SENDS)
        student = await self._student(claims)
        conversation_id = request.path_params["conversation_id"]
        await self._workers.run(
            "live", READ_DEADLINE_S, _stop, self._services, student, conversation_id, lane=claims.lane
        )
        return Response(status_code=204, headers=FRESH)

    async def _may_follow(self, claims: SignInClaims) -> bool:
        """Whether the session still counts; also while the store does not answer."""
        try:
            await self._student(claims)
        except ApiError as error:
            return error.status != 401
        except StorageError:
            return True
        return True

    async def _student(self, claims: SignInClaims) -> Student:
        return await self._workers.run(
            "live-sign-in", READ_DEADLINE_S, student_of, self._services.students, claims, lane=claims.lane
        )


def _stop(services: ServiceContainer, student: Student, conversation_id: str) -> None:
    with locale_scope(student.locale):
        view = services.turns.current(student.id, conversation_id)
        if view is not None:
            services.turns.stop(student, view.turn_id)


class _LiveRoute(MethodRoute):
    """Route with one method; HEAD is refused, too: it would follow an answer unseen."""

    def __init__(self, method: str, path: str, answer: Answer) -> None:
        super().__init__(path, _LiveEndpoint(answer, path), methods=[method])
        self.methods = {method}


class _LiveEndpoint:
    """ASGI app of one route: Starlette would call a plain function with a request."""

    def __init__(self, answer: Answer, path: str) -> None:
        self._answer = answer
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await respond(scope, receive, send, answer=self._answer, path=self._path, event="live_answered")
