"""Streamable HTTP transport to one address of the operator's: without proxies, and never to another host."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

from services.runtime.rate_limiter import LocalRateLimiter
from services.settings.mcp_servers import McpServer
from services.tools.mcp.limits import McpLimits, per_minute

TOO_LARGE = "answer is too large"


class HttpAnswerTooLarge(httpx2.StreamError):
    def __init__(self) -> None:
        super().__init__(TOO_LARGE)


@asynccontextmanager
async def http_streams(server: McpServer, limits: McpLimits) -> AsyncIterator[Any]:
    """Open the SDK's pair of streams. The SDK follows redirects within the address's own origin only."""
    timeout = httpx2.Timeout(limits.call_s, connect=min(limits.call_s, 10.0))
    capped = _Capped(httpx2.AsyncHTTPTransport(trust_env=False), limits)
    async with (
        httpx2.AsyncClient(
            transport=capped, headers=dict(server.headers), timeout=timeout, trust_env=False, follow_redirects=False
        ) as client,
        streamable_http_client(server.url, http_client=client, max_sse_event_size=limits.message_bytes) as streams,
    ):
        yield streams


class _Capped(httpx2.AsyncBaseTransport):
    """Transport that ends an answer that is longer than one message may be, and an event stream that floods.

    Nothing is unpacked: a small compressed body may be a very large one.
    """

    def __init__(self, wrapped: httpx2.AsyncBaseTransport, limits: McpLimits) -> None:
        self._wrapped = wrapped
        self._limit = limits.message_bytes
        self._events = per_minute(limits.spare_bytes)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["accept-encoding"] = "identity"
        response = await self._wrapped.handle_async_request(request)
        response.headers.pop("content-encoding", None)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
        response.stream = _CappedStream(response.stream, self._events if is_stream else per_minute(self._limit))
        return response

    async def aclose(self) -> None:
        await self._wrapped.aclose()


class _CappedStream(httpx2.AsyncByteStream):
    def __init__(self, wrapped: httpx2.AsyncByteStream, allowance: LocalRateLimiter) -> None:
        self._wrapped = wrapped
        self._allowance = allowance

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._wrapped:
            if not self._allowance.spend(len(chunk)):
                raise HttpAnswerTooLarge
            yield chunk

    async def aclose(self) -> None:
        await self._wrapped.aclose()
