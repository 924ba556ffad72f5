"""Route that refuses every other method as JSON, with the header that names its own (RFC 9110, section 15.5.6)."""

from collections.abc import Iterable

from starlette.routing import Match, Route
from starlette.types import Receive, Scope, Send

from api.errors import ApiError, error_response


def method_refused(methods: Iterable[str]) -> ApiError:
    """The refusal of a method. methods: those that the address knows."""
    allowed = ", ".join(sorted(methods))
    return ApiError(405, "method_not_allowed", f"This address knows {allowed} only.", headers={"allow": allowed})


class MethodRoute(Route):
    """As Starlette's own route, whose refusal is plain text."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """An address without parts to fill in is this route's, whatever the method: no pattern after it gets it."""
        match, child = super().matches(scope)
        is_fixed = match is Match.PARTIAL and not self.param_convertors
        return (Match.FULL if is_fixed else match), child

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.methods and scope["method"] not in self.methods:
            await error_response(method_refused(self.methods))(scope, receive, send)
            return
        await self.app(scope, receive, send)
