"""API client of public GitHub repositories, on PyGithub, read only, with a deadline for each tool call."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from services.connections.backoff import Backoff, throttled
from services.errors import ItemNotFound, RequestRefused, ServiceError, ServiceUnavailable, Throttled
from services.i18n import gettext
from services.runtime.clock import utc_now
from services.runtime.deadline import Deadline
from services.runtime.library_compat import wrap_github_connections
from services.runtime.retry_after import retry_after_s
from services.runtime.total_timeout import TotalTimeoutAdapter, answered_within
from services.safety.field_log import declared
from services.safety.provenance import Provenance

if TYPE_CHECKING:
    import github

LABEL = "GitHub"
GITHUB_BASE = "https://api.github.com"
REQUEST_S = 6
CALL_S = 13.0
"""Seconds after which no further request of a tool call begins; with REQUEST_S it is less than the tool's timeout."""
TRIES = 3
Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class TokenSession:
    """State that all calls with a token share: the library, and the rate limits, of which searches have their own.

    https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
    """

    library: "github.Github" = field(repr=False)
    backoff: Backoff = field(default_factory=Backoff)
    of_searches: Backoff = field(default_factory=Backoff)


class GitHubClient:
    """Client for one tool call, which retries up to three times within the deadline.

    A repository that is not public counts as not found, whatever the token could see.
    """

    def __init__(self, token: TokenSession) -> None:
        self._token = token
        self._deadline = Deadline(CALL_S)

    def repository(self, owner: str, repo: str) -> Json:
        """Read a public repository's description; raises `ItemNotFound`."""
        found = self._object(f"/repos/{owner}/{repo}")
        if not isinstance(found.get("full_name"), str) or not isinstance(found.get("private"), bool):
            raise unreadable_answer_error()
        if found["private"]:
            raise _not_found()
        return found

    def contents(self, owner: str, repo: str, path: str, ref: str) -> Json | list[Json]:
        """A file (base64 `content`), or the entries of a folder."""
        found = self._get(f"/repos/{owner}/{repo}/contents/{path}", {"ref": ref} if ref else {})
        if not isinstance(found, list):
            return _require_fields([_require_object(found)], "path")[0]
        if not found:
            # Git keeps no empty folder.
            raise unreadable_answer_error()
        return _require_fields(found, "path", "type")

    def readme(self, owner: str, repo: str, ref: str) -> Json:
        return self._object(f"/repos/{owner}/{repo}/readme", {"ref": ref} if ref else {})

    def releases(self, owner: str, repo: str, most: int) -> list[Json]:
        """The newest releases first."""
        releases = self._list(f"/repos/{owner}/{repo}/releases", {"per_page": most})
        return _require_fields(releases, "tag_name", "html_url")

    def issue(self, owner: str, repo: str, number: int) -> Json:
        issue = self._object(f"/repos/{owner}/{repo}/issues/{number}")
        return _require_fields([issue], "title", "state", "html_url", "created_at")[0]

    def comments(self, owner: str, repo: str, number: int, most: int) -> list[Json]:
        """The oldest comments first."""
        comments = self._list(f"/repos/{owner}/{repo}/issues/{number}/comments", {"per_page": most})
        return _require_fields(comments, "created_at")

    def search_code(self, query: str, most: int) -> Json:
        """`total_count`, `incomplete_results`, and `items` with the lines that match."""
        wanted = {"Accept": "application/vnd.github.text-match+json"}
        answer = self._object("/search/code", {"q": query, "per_page": most}, wanted)
        if type(answer.get("total_count")) is not int or not isinstance(answer.get("items"), list):
            raise unreadable_answer_error()
        for item in _require_fields(answer["items"], "path", "html_url"):
            if not isinstance(item.get("repository"), dict):
                raise unreadable_answer_error()
            _require_fields([item["repository"]], "full_name")
        return answer

    def _object(self, path: str, query: Mapping[str, Any] = {}, headers: Mapping[str, str] = {}) -> Json:
        return _require_object(self._get(path, query, headers))

    def _list(self, path: str, query: Mapping[str, Any]) -> list[Json]:
        found = self._get(path, query)
        if not isinstance(found, list):
            raise unreadable_answer_error()
        return found

    def _get(self, path: str, query: Mapping[str, Any], headers: Mapping[str, str] = {}) -> Any:
        for attempt in range(TRIES - 1):
            try:
                return self._once(path, query, headers)
            except Throttled:
                # The next try waits for its turn, or raises when there is no time for it.
                continue
            except ServiceUnavailable:
                if not self._deadline.pause(attempt):
                    raise
        return self._once(path, query, headers)

    def _once(self, path: str, query: Mapping[str, Any], headers: Mapping[str, str]) -> Any:
        """Send a request in its turn; a rate limit that it meets slows down all calls with this token."""
        backoff = self._token.of_searches if path.startswith("/search/") else self._token.backoff
        with backoff.request_slot(self._deadline, LABEL):
            try:
                return self._sent(path, query, headers)
            except Throttled as problem:
                backoff.slow_down(problem.retry_after_s)
                raise

    def _sent(self, path: str, query: Mapping[str, Any], headers: Mapping[str, str]) -> Any:
        import github
        import requests
        import urllib3

        if not (left_s := self._deadline.remaining_s()):
            raise ServiceUnavailable(LABEL, gettext("GitHub did not answer in time."))
        try:
            with answered_within(min(REQUEST_S, left_s)):
                requester = self._token.library.requester
                _, found = requester.requestJsonAndCheck("GET", path, dict(query), dict(headers))
        except github.RateLimitExceededException as error:
            raise _throttled(error.headers or {}) from None
        except github.GithubException as error:
            raise _problem(error.status, error.headers or {}) from None
        except requests.ConnectionError as error:
            # An answer that began and did not end in time is reported like this, too.
            if error.args and isinstance(error.args[0], urllib3.exceptions.ReadTimeoutError):
                raise ServiceUnavailable(LABEL, gettext("GitHub did not answer in time.")) from None
            raise ServiceUnavailable(LABEL, gettext("GitHub cannot be reached.")) from None
        except requests.RequestException:
            raise ServiceUnavailable(LABEL, gettext("GitHub did not answer in time.")) from None
        except RuntimeError as error:
            # Nested without end, or PyGithub met a redirect to another host and did not follow it with the token.
            raise unreadable_answer_error() if isinstance(error, RecursionError) else _elsewhere() from None
        except ValueError:
            raise unreadable_answer_error() from None
        return declared(found, Provenance.STRANGERS)


def github_of(extension: Mapping[str, str]) -> GitHubClient:
    """GitHub with the operator's token, for one tool call."""
    return GitHubClient(_shared(extension["TOKEN"], extension.get("API_BASE_URL", "").rstrip("/") or GITHUB_BASE))


@cache
def _shared(token: str, base: str) -> TokenSession:
    """Client for the whole process: it keeps nothing of a call. Without its own retries, which could wait an hour."""
    import github

    library = github.Github(
        auth=github.Auth.Token(token),
        base_url=base,
        timeout=REQUEST_S,
        retry=None,
        seconds_between_requests=None,
        user_agent="Homeroom",
    )
    # PyGithub takes no adapter, and connection classes only for all of its clients, without keeping connections.
    wrap_github_connections(library, _with_total_timeout)
    return TokenSession(library=library)


def _with_total_timeout(kind: Any) -> Any:
    """PyGithub's connection class with a total timeout, and without the environment's proxies."""

    def connection(*args: Any, **options: Any) -> Any:
        created = kind(*args, **options)
        created.session.mount(f"{created.protocol}://", TotalTimeoutAdapter())
        created.session.trust_env = False
        return created

    return connection


def _elsewhere() -> ServiceUnavailable:
    step = gettext("Tell whoever runs Homeroom to check GITHUB_API_BASE_URL.")
    return ServiceUnavailable(
        LABEL, gettext("GitHub pointed to another address; nothing was sent there."), next_step=step
    )


def _throttled(headers: Mapping[str, str]) -> Throttled:
    wait, reset = headers.get("retry-after", ""), headers.get("x-ratelimit-reset", "")
    asked_s = retry_after_s(wait, utc_now())
    wait_s = 60.0 if asked_s is None else asked_s
    if not wait and headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        wait_s = max(1.0, float(reset) - utc_now().timestamp())
    return throttled(LABEL, wait_s)


def _problem(status: int, headers: Mapping[str, str]) -> ServiceError:
    """Error for an answer with an error status (https://docs.github.com/en/rest/using-the-rest-api)."""
    if status == 429:
        return _throttled(headers)
    if status >= 500 or status < 400:
        return ServiceUnavailable(LABEL, gettext("GitHub is having trouble right now."))
    if status == 401:
        return RequestRefused(
            LABEL,
            gettext("GitHub no longer accepts Homeroom's token."),
            next_step=gettext("Tell whoever runs Homeroom."),
        )
    if status in (403, 404, 410, 451):
        return _not_found()
    return RequestRefused(LABEL, gettext("GitHub did not accept this search or address; try simpler words."))


def _require_object(found: Any) -> Json:
    """Require a JSON object; PyGithub wraps what is not JSON, such as a maintenance page, into {"data": text}."""
    if not isinstance(found, dict) or "data" in found:
        raise unreadable_answer_error()
    return found


def _require_fields(rows: list[Any], *names: str) -> list[Json]:
    """Require that each row is an object with these texts: one that is none would read as if there were less."""
    if not all(isinstance(row, dict) and all(isinstance(row.get(name), str) for name in names) for row in rows):
        raise unreadable_answer_error()
    return rows


def _not_found() -> ItemNotFound:
    return ItemNotFound(
        LABEL,
        gettext("GitHub shows no such thing in public."),
        next_step=gettext("Check owner, repository and path; private repositories cannot be read here."),
    )


def unreadable_answer_error() -> ServiceUnavailable:
    """Error for an answer of an unexpected shape."""
    return ServiceUnavailable(LABEL, gettext("GitHub's answer made no sense; it may be in maintenance."))
