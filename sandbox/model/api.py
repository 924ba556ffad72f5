"""Routes of the Messages API, in front of the rule engine."""

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.model.citations import with_citations
from sandbox.model.errors import new_id, refusal
from sandbox.model.files import look_into
from sandbox.model.prompt_cache import PromptCache
from sandbox.model.reply import Reply, limited
from sandbox.model.request import betas_of, check_count_request, check_headers, check_request, read_body
from sandbox.model.rules import think
from sandbox.model.scripted_behavior import ScriptedBehavior, scripted_behavior
from sandbox.model.stream import events, message
from sandbox.model.structured_output.answer_comparison import compared_points
from sandbox.model.structured_output.question_writer import written_questions
from sandbox.model.structured_output.schema_check import output_schema
from sandbox.model.summaries import compacted, page_summary
from sandbox.model.threads import MessageThreads
from sandbox.model.token_count import prompt_pieces
from sandbox.model.tool_changes import unexpected_betas
from sandbox.model.tool_input import with_forced_input

WORDS_PER_SECOND = 90.0
"""About as fast as Claude writes today."""


class MessagesApi:
    """Answers requests of one campus. words_per_second: how fast it streams, 0 for without waiting."""

    def __init__(self, campus: Campus, *, words_per_second: float = WORDS_PER_SECOND) -> None:
        self._campus = campus
        self._cache = PromptCache(campus.state)
        self._threads = MessageThreads(campus.state)
        self._words_per_second = words_per_second

    def routes(self) -> list[BaseRoute]:
        """The routes below /anthropic."""
        return [
            Route("/v1/messages", self.create, methods=["POST"]),
            Route("/v1/messages/count_tokens", self.count, methods=["POST"]),
            Route("/{path:path}", self.unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
        ]

    async def create(self, request: Request) -> Response:
        """POST /v1/messages (https://docs.claude.com/en/api/messages)."""
        key = check_headers(request)
        body, betas = await read_body(request), betas_of(request)
        behavior = scripted_behavior(self._campus)
        if betas and behavior.refuses_betas:
            raise refusal(unexpected_betas(sorted(betas)))
        if behavior.refuses_output_schema and output_schema(body) is not None:
            raise refusal("output_config.format: Extra inputs are not permitted")
        if b'"application/pdf"' in await request.body():
            await run_in_threadpool(look_into, body)
        sent, now = body, self._campus.now()
        body = self._threads.whole_request(sent, betas, key=key, now=now)
        check_request(body, betas)
        usage = self._cache.meet(body, key=key, now=now)
        reply, id = self._reply(body, behavior), new_id("msg")
        self._threads.hold(sent, body, reply, id, key=key, now=now)
        headers = {"request-id": new_id("req")}
        if not body.get("stream"):
            return JSONResponse(message(reply, model=body["model"], usage=usage, message_id=id), headers=headers)
        pace = self._words_per_second if behavior.words_per_second is None else behavior.words_per_second
        stream = events(reply, model=body["model"], usage=usage, words_per_second=pace, message_id=id)
        return StreamingResponse(
            stream, media_type="text/event-stream; charset=utf-8", headers={**headers, "cache-control": "no-cache"}
        )

    async def count(self, request: Request) -> Response:
        """POST /v1/messages/count_tokens (https://docs.claude.com/en/api/messages-count-tokens)."""
        check_headers(request)
        body = await read_body(request)
        check_count_request(body, betas_of(request))
        tokens = sum(piece.tokens for piece in prompt_pieces(body))
        return JSONResponse({"input_tokens": tokens}, headers={"request-id": new_id("req")})

    async def unknown(self, request: Request) -> Response:
        """Any other path."""
        raise refusal("Not found", "not_found_error")

    def _reply(self, body: Mapping[str, Any], behavior: ScriptedBehavior) -> Reply:
        reply = (
            compacted(body)
            or page_summary(body)
            or written_questions(body)
            or compared_points(body)
            or think(body, self._campus.now(), obeys=behavior.obeys)
        )
        reply = with_forced_input(reply, body)
        reply = limited(reply, max_tokens=body["max_tokens"], stop_sequences=body.get("stop_sequences", ()))
        return behavior.ended(with_citations(reply, body))
