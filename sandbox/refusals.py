"""How a service says no: an exception that carries the whole answer."""

from starlette.requests import Request
from starlette.responses import Response


class Refused(Exception):
    """Raise it anywhere below a handler; `response` is sent as it is."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.status_code)
        self.response = response


async def answer_refusal(request: Request, refusal: Exception) -> Response:
    """The exception handler of the campus's Starlette app."""
    assert isinstance(refusal, Refused)
    return refusal.response
