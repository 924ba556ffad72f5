"""Routes: the table of all HTTP endpoints; it makes the Starlette routes and the OpenAPI document."""

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute

from api.endpoint import PUBLIC, ApiCall, Endpoint, OpenApiDocument, Reply
from api.handlers import approvals, assistants, discovery, tools
from api.handlers.approvals import ApprovalEntry, ApprovalList, ApprovalQuery, DecisionRequest
from api.handlers.assistants import AssistantAnswer
from api.handlers.discovery_models import (
    ContextList,
    ContextsRequest,
    Discovered,
    DiscoveryMetrics,
    DiscoveryQuery,
    WhoseQuery,
)
from api.handlers.tools import ExecuteRequest, ToolAnswer, ToolList, ToolQuery
from api.health import health_routes, readiness_checks
from api.key_limits import RequestLimits
from api.live.routes import live_routes
from api.lti.routes import lti_routes
from api.mcp.route import mcp_routes
from api.method_route import MethodRoute
from api.metrics import budget_gauges, metrics_route
from api.openapi import document
from api.reminders import reminder_routes
from api.router import RequestChecks, endpoint_routes
from api.workers import Workers
from services.classes.join_codes import JOIN_PATH, clean_join_code
from services.connections.key_rotation import SealCheck
from services.identity.api_keys import KeyScope
from services.navigation import CLASSROOM_PAGE
from services.runtime.capacity import Capacity
from services.runtime.replica_secrets import ReplicaSecrets
from services.wiring.container import ServiceContainer

_READS = frozenset({KeyScope.READ})
_ADMINS = frozenset({KeyScope.ADMIN})
_UNKNOWN_USER = "Nobody has this userId; told to admins only."


def routes(
    container: ServiceContainer,
    *,
    limits: RequestLimits | None = None,
    workers: Workers | None = None,
    replicas: ReplicaSecrets | None = None,
    seals: SealCheck | None = None,
    capacity: Capacity | None = None,
) -> list[BaseRoute]:
    """All HTTP routes. Arguments replace the default limits and workers; `/ready` checks the last three."""
    request_checks = RequestChecks(services=container, workers=workers or Workers(), limits=limits or RequestLimits())
    ready = readiness_checks(container, replicas=replicas, seals=seals, capacity=capacity)
    return [
        *health_routes(ready, is_ending=lambda: container.turns.draining.is_set()),
        metrics_route(
            container.settings.operations.metrics_key,
            container.published_metrics.report,
            partial(budget_gauges, container.budgets),
        ),
        *endpoint_routes(endpoints(), request_checks),
        *mcp_routes(request_checks),
        *live_routes(container),
        *reminder_routes(container),
        *lti_routes(container),
        *join_routes(),
    ]


async def _openapi(_call: ApiCall) -> Reply:
    return Reply(body=OpenApiDocument.model_validate(document(endpoints())))


def endpoints() -> Sequence[Endpoint]:
    return _ENDPOINTS


_ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/tools",
        name="list_tools",
        summary="Every tool there is, with whether this student can use it now and why not.",
        scopes=_READS,
        query=ToolQuery,
        handler=tools.list_tools,
        responses={200: ToolList},
    ),
    Endpoint(
        method="POST",
        path="/api/tools/execute/{tool_name}",
        name="execute_tool",
        summary="Call a tool. One that reads needs the scope read and answers 200; one that writes needs write and "
        "answers 202: the change waits for the student. A tool that fails answers 200 with `success` false and an "
        "`error_kind`.",
        scopes=frozenset({KeyScope.READ, KeyScope.WRITE}),
        parameters={"tool_name": "A name from the list of tools."},
        body=ExecuteRequest,
        handler=tools.execute_tool,
        responses={200: ToolAnswer, 202: ToolAnswer},
        problems={404: "No such tool or assistant; the message names the tools there are."},
    ),
    Endpoint(
        method="GET",
        path="/api/approvals",
        name="list_approvals",
        summary="What the student was asked to approve, in the chat and by programs: first what waits, newest first.",
        scopes=frozenset({KeyScope.APPROVE, KeyScope.READ}),
        query=ApprovalQuery,
        handler=approvals.list_approvals,
        responses={200: ApprovalList},
    ),
    Endpoint(
        method="POST",
        path="/api/approvals/{id}",
        name="decide",
        summary="Approve or decline, once. 200 tells how it ended, 202 that it is still being done.",
        scopes=frozenset({KeyScope.APPROVE}),
        parameters={"id": "The `approval_request_id` of the call."},
        body=DecisionRequest,
        handler=approvals.decide,
        responses={200: ApprovalEntry, 202: ApprovalEntry},
        problems={
            404: "No such approval.",
            409: "Decided already, or not possible just now.",
            410: "It has waited too long: it waits until its own time is past, a day at least. Nothing was changed.",
        },
    ),
    Endpoint(
        method="GET",
        path="/api/assistants/{id}/config",
        name="assistant_config",
        summary="What this student gets from an assistant: words, tools, limits. Answers 304 to a known ETag.",
        scopes=_READS,
        parameters={"id": "The assistant, such as homeroom, course_companion or research."},
        handler=assistants.config,
        responses={200: AssistantAnswer, 304: None},
        problems={404: "No such assistant."},
    ),
    Endpoint(
        method="GET",
        path="/tools",
        name="discover_tools",
        summary="The tools that work for this student now and share a context with what is asked, by name or by a "
        "message; to a key without the scope write, those that read. No context, no tools. Answers 304 to a known "
        "ETag, which changes with the student's tools.",
        scopes=_READS | _ADMINS,
        query=DiscoveryQuery,
        handler=discovery.discover,
        responses={200: Discovered, 304: None},
        problems={404: _UNKNOWN_USER, 413: "The message is too long for an address."},
    ),
    Endpoint(
        method="GET",
        path="/tools/metrics",
        name="discovery_metrics",
        summary="What the definitions of tools cost this student's requests, and would have without choosing.",
        scopes=_READS | _ADMINS,
        query=WhoseQuery,
        handler=discovery.metrics,
        responses={200: DiscoveryMetrics},
        problems={404: _UNKNOWN_USER},
    ),
    Endpoint(
        method="POST",
        path="/tools/metrics/reset",
        name="reset_discovery_metrics",
        summary="Begin these numbers anew, those on the Insights page too. Answers with what they are then.",
        scopes=_ADMINS | {KeyScope.WRITE},
        query=WhoseQuery,
        handler=discovery.reset,
        responses={200: DiscoveryMetrics},
        problems={404: _UNKNOWN_USER},
    ),
    Endpoint(
        method="POST",
        path="/api/contexts",
        name="find_contexts",
        summary="What a message with its conversation is about, and what answers in place of what the student lacks. "
        "It is not kept.",
        scopes=_READS | _ADMINS,
        query=WhoseQuery,
        body=ContextsRequest,
        handler=discovery.contexts,
        responses={200: ContextList},
        problems={404: _UNKNOWN_USER},
    ),
    Endpoint(
        method="GET",
        path="/api/openapi.json",
        name="openapi",
        summary="This document.",
        scopes=PUBLIC,
        handler=_openapi,
        responses={200: OpenApiDocument},
    ),
)
UNREADABLE = "-"
"""In place of what is no code: the page then says so, and offers the field to type it."""


def join_routes() -> list[BaseRoute]:
    return [MethodRoute(JOIN_PATH, _open_page), MethodRoute(f"{JOIN_PATH}/{{code}}", _open_page)]


async def _open_page(request: Request) -> RedirectResponse:
    """No class is looked up here: only signed-in people may try codes, so many a minute."""
    code = clean_join_code(request.path_params.get("code", "")) or UNREADABLE
    address = f"{CLASSROOM_PAGE.path}?{urlencode({'join': code})}"
    headers = {"cache-control": "no-store", "referrer-policy": "same-origin", "x-robots-tag": "noindex"}
    return RedirectResponse(address, status_code=303, headers=headers)
