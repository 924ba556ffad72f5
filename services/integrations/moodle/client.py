"""`MoodleClient`: calls of one student's Moodle by the closed list of reading functions, one at a time."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx

from services.connections.connector import Grant
from services.errors import Throttled
from services.integrations.kit.http_client import shared_client
from services.integrations.moodle import errors
from services.integrations.moodle.errors import LABEL
from services.integrations.moodle.functions import READING_FUNCTIONS
from services.runtime.deadline import Deadline
from services.tools.providers.dry_run import refuse_in_dry_run

_CALL_S = 15.0
_REQUEST_S = 8.0
_PATH = "/webservice/rest/server.php"
_CREDENTIALS = ("userprivateaccesskey", "privatetoken", "token")
"""Fields of answers that would open the account to whoever reads them."""
Value = str | int | Sequence[int]


class FunctionRefused(Exception):
    """A call that is not in the closed list: a mistake of ours, found before anything is sent."""


class MoodleClient:
    """Client for the length of one call. Every method raises the typed errors of `services.errors`.

    Requests with one token go one by one. The token goes in the body, never in an address.
    """

    def __init__(self, grant: Grant, *, http: httpx.Client | None = None) -> None:
        self.origin = grant.origin
        self._grant = grant
        self._http = http or shared_client("moodle", _REQUEST_S)
        self._deadline = Deadline(_CALL_S)

    def read(self, function: str, /, *, is_opened: bool = False, **parameters: Value) -> Any:
        """Call a function of the closed list and give its answer without credentials.

        is_opened: the student opened the thing that is asked about, so that the call may leave a trace. Raises
        `FunctionRefused` before anything is sent.
        """
        _require_listed(function, parameters, is_opened=is_opened)
        fields = {
            "wstoken": self._grant.access_token,
            "wsfunction": function,
            "moodlewsrestformat": "json",
            **dict(_form_fields(parameters)),
        }
        body = self._body(self._post(fields))
        if problem := errors.error_of_body(body):
            raise problem
        return _without_credentials(body)

    def _post(self, fields: Mapping[str, str]) -> httpx.Response:
        backoff = self._grant.backoff
        backoff.go_one_by_one()
        with backoff.request_slot(self._deadline, LABEL):
            left_s = self._deadline.remaining_s()
            if left_s == 0.0:
                raise errors.timeout_error()
            try:
                response = self._http.post(self.origin + _PATH, data=dict(fields), timeout=min(left_s, _REQUEST_S))
            except httpx.TimeoutException:
                raise errors.timeout_error() from None
            except (httpx.HTTPError, httpx.InvalidURL):
                raise errors.unreadable_answer() from None
            problem = errors.error_of_status(response.status_code, response.headers)
            if isinstance(problem, Throttled):
                backoff.slow_down(problem.retry_after_s)
        if problem:
            raise problem
        return response

    def _body(self, response: httpx.Response) -> Any:
        try:
            return json.loads(response.content)
        except (ValueError, RecursionError):
            raise errors.unreadable_answer() from None


def _require_listed(function: str, parameters: Mapping[str, Value], *, is_opened: bool) -> None:
    listed = READING_FUNCTIONS.get(function)
    if listed is None:
        raise FunctionRefused(f"{function} is not in the closed list of Moodle's reading functions.")
    if unlisted := parameters.keys() - listed.parameters:
        raise FunctionRefused(f"{function} is not called with {', '.join(sorted(unlisted))}.")
    if listed.leaves_trace:
        if not is_opened:
            raise FunctionRefused(f"{function} leaves a trace: it is only called for what the student opens.")
        refuse_in_dry_run()


def _form_fields(parameters: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    """Write lists as Moodle reads them: `courseids[0]=7`."""
    for name, value in parameters.items():
        if isinstance(value, str | int):
            yield name, str(value)
        else:
            yield from ((f"{name}[{at}]", str(each)) for at, each in enumerate(value))


def _without_credentials(body: Any) -> Any:
    if isinstance(body, dict):
        return {name: value for name, value in body.items() if name not in _CREDENTIALS}
    return body
