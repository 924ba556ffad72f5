"""`GET /tools`, its metrics and `POST /api/contexts`: only the tools that a message needs, for programs."""

import logging
import secrets
import zlib
from collections.abc import Iterable
from datetime import UTC

from api.auth import may_use, require
from api.endpoint import ApiCall, Reply, etag_headers, matches_etag, not_modified
from api.errors import ApiError
from api.handlers.discovery_models import (
    LONGEST_IN_ADDRESS,
    LONGEST_MESSAGE,
    ContextList,
    ContextsRequest,
    Discovered,
    DiscoveryMetrics,
    DiscoveryQuery,
    FilteredMetadata,
    FoundEntry,
    ListedTool,
    NoContextMetadata,
    WhoseQuery,
)
from services.discovery.contexts import contexts_of
from services.discovery.fallbacks import fallback_contexts
from services.discovery.tool_list import ContextToolList, list_tools
from services.errors import StorageError
from services.identity.api_keys import KeyScope
from services.tools.tool import Tool
from services.tools.tool_categories import categories_of

log = logging.getLogger(__name__)

ALL_TOKENS, LISTED_TOKENS = "x-all-tools-tokens", "x-listed-tools-tokens"
"""Estimates of what all of the student's tools, and those of this answer, cost in a prompt."""


async def discover(call: ApiCall) -> Reply:
    """With an ETag: 304 without a body while the tools and what was asked for have not changed."""
    wanted: DiscoveryQuery = call.query
    if wanted.message is not None and len(wanted.message) > LONGEST_IN_ADDRESS:
        step = f"Send up to {LONGEST_MESSAGE:,} to POST /api/contexts, and its contexts here."
        raise _too_long(LONGEST_IN_ADDRESS, step)
    return await call.run(_discovered, call, wanted)


async def metrics(call: ApiCall) -> Reply:
    return await call.run(_metrics, call)


async def reset(call: ApiCall) -> Reply:
    """Answers with the numbers as they are after it."""
    await call.run(lambda: call.services.metrics.reset(_whose(call)))
    return await call.run(_metrics, call)


async def contexts(call: ApiCall) -> Reply:
    asked: ContextsRequest = call.body
    if max(len(words) for words in (asked.message, *(said.content for said in asked.history))) > LONGEST_MESSAGE:
        raise _too_long(LONGEST_MESSAGE, "Send less.")
    return await call.run(_contexts, call, asked)


def _whose(call: ApiCall) -> str:
    """Student id of the query: the key's own, or anybody's for admins."""
    wanted: WhoseQuery = call.query
    if not wanted.user_id or wanted.user_id == call.student.id:
        return call.student.id
    require(call.key_holder, frozenset({KeyScope.ADMIN}))
    if call.services.students.get(wanted.user_id) is None:
        raise ApiError(404, "not_found", "Nobody here has this userId.")
    return wanted.user_id


def _discovered(call: ApiCall, wanted: DiscoveryQuery) -> Reply:
    found = _listing(call, wanted)
    tag = _tag(found, wanted)
    tokens = {ALL_TOKENS: str(found.enabled_tokens), LISTED_TOKENS: str(found.listed_tokens)}
    if matches_etag(call.request.headers, tag):
        return not_modified(tag, tokens)
    return Reply(body=_answer(call, found), headers=etag_headers(tag) | tokens)


def _listing(call: ApiCall, wanted: DiscoveryQuery) -> ContextToolList:
    services, student_id = call.services, _whose(call)
    listings = services.gateway.list_tools(student_id)
    root = [listing.tool for listing in listings]
    # What an admin is told of another student is what works for them, whatever the admin's own key may do.
    is_own = student_id == call.student.id
    enabled = [
        listing.tool
        for listing in listings
        if listing.reason is None and (not is_own or may_use(call.key_holder.key, listing.tool))
    ]
    asked, found = _names(wanted.context), []
    if wanted.message:
        found = [context.name for context in services.detector.detect(wanted.message, tools=root)]
    about = [*asked, *found] if wanted.stand_ins else found
    listed = list_tools(
        enabled,
        list(dict.fromkeys([*asked, *found, *fallback_contexts(enabled, about)])),
        category=(wanted.category or "").strip().casefold() or None,
        root=root,
    )
    try:
        services.metrics.record_tool_list(
            student_id, baseline_tokens=listed.enabled_tokens, filtered_tokens=listed.listed_tokens
        )
    except StorageError:
        # A store that can be read but not written still lets a program read.
        log.warning("listing_not_counted")
    return listed


def _contexts(call: ApiCall, asked: ContextsRequest) -> Reply:
    history = [{"role": said.role, "content": said.content} for said in asked.history]
    listings = call.services.gateway.list_tools(_whose(call))
    found = call.services.detector.detect(asked.message, history, tools=[listing.tool for listing in listings])
    sure = {context.name: context.confidence for context in found}
    enabled = [listing.tool for listing in listings if listing.reason is None]
    entries = [FoundEntry(name=context.name, confidence=context.confidence) for context in found]
    entries += [
        FoundEntry(name=name, confidence=sure[of], stands_in_for=of)
        for name, of in fallback_contexts(enabled, sure).items()
    ]
    return Reply(body=ContextList(contexts=tuple(sorted(entries, key=lambda entry: -entry.confidence))))


def _names(text: str | None) -> list[str]:
    return [name.strip().casefold() for name in (text or "").split(",") if name.strip()]


def _answer(call: ApiCall, found: ContextToolList) -> Discovered:
    now = call.services.clock().astimezone(UTC).replace(microsecond=0)
    request_id = secrets.token_hex(6)
    if not found.contexts:
        return Discovered(tools=(), metadata=NoContextMetadata(timestamp=now, request_id=request_id))
    metadata = FilteredMetadata(
        timestamp=now,
        request_id=request_id,
        original_count=len(found.enabled),
        returned_count=len(found.tools),
        reduction_percent=found.reduction_percent,
        applied_context=",".join(found.contexts),
        unknown_contexts=found.unknown,
        known_contexts=found.known if found.unknown else (),
    )
    return Discovered(tools=_listed(found.tools), metadata=metadata)


def _listed(tools: Iterable[Tool]) -> tuple[ListedTool, ...]:
    return tuple(
        ListedTool(
            name=tool.name,
            description=tool.description,
            input_schema=tool.schema,
            contexts=tuple(sorted(contexts_of(tool))),
            categories=categories_of(tool),
        )
        for tool in tools
    )


def _tag(found: ContextToolList, wanted: DiscoveryQuery) -> str:
    """Weak ETag, as the response has the time; contexts of a message may change while the tools do not."""
    about = f"-{zlib.crc32(','.join(found.contexts).encode()):08x}" if wanted.message else ""
    return f'W/"{found.version}{about}"'


def _metrics(call: ApiCall) -> Reply:
    return Reply(body=DiscoveryMetrics.model_validate(call.services.metrics.documented_shape(_whose(call))))


def _too_long(most: int, step: str) -> ApiError:
    return ApiError(413, "too_large", f"The message is longer than {most:,} characters. {step}")
