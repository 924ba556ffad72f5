"""Web search: the tool, and the choice of the engine."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from services.i18n import gettext_noop
from services.i18n.english import clock, count, day, sentence
from services.integrations.search.engines import (
    BraveEngine,
    RecencyFilter,
    ReferenceEngine,
    SearchBudget,
    SearchEngine,
    SearchUnsupported,
    SearxngEngine,
    WebResult,
)
from services.llm.chat_model import Usage
from services.llm.citations import Source
from services.llm.metered_model import Settle, metered
from services.safety.link_urls import canonical_url, host_of
from services.safety.text import one_line
from services.settings import Settings
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import CallRate, Example

SEARCHABLE = "web_search"
"""Capability of a deployment with a search engine."""
ENGINE_NAMES = ("searxng", "brave", "claude", "reference")
NO_ENGINE = "none"


@tool(
    label=gettext_noop("Searching the web"),
    title=gettext_noop("Search the web"),
    summary=gettext_noop("Search the web; the answer tells where it comes from"),
    service=gettext_noop("The web"),
    category="research",
    contexts=("search", "news"),
    is_optional=True,
    usage_hint="Finds pages of the web; each comes with its address, so that it can be read whole and cited.",
    when=(
        "the answer depends on something public that is newer than you know, or that you are not sure of",
        "the student asks for sources",
    ),
    when_not=(
        "it is in the student's courses, calendar or notes",
        "you know it well, such as a definition or a proof",
    ),
    capabilities=(SEARCHABLE,),
    produces=("search_results", "citations"),
    examples=(
        Example(description="Something recent", arguments={"query": "campus library hours finals", "recency": "month"}),
        Example(
            description="A few good sources",
            arguments={"query": "Bandung Conference 1955 historiography", "max_results": 8},
        ),
    ),
    rate=CallRate(calls=10, seconds=60.0),
    fresh_for_s=600.0,
    timeout_s=45.0,
)
def web_search(
    context: ToolExecutionContext,
    *,
    query: Annotated[
        str,
        Field(min_length=2, max_length=300, description="A few words, as for a search engine."),
    ],
    max_results: Annotated[int, Field(ge=1, le=10, description="How many at most.")] = 5,
    recency: Annotated[
        Literal["day", "week", "month", "year", "any"] | None,
        Field(description="How old pages may be."),
    ] = None,
) -> ToolResult:
    """Search the web and get the best pages, each with a short quotation and its address.

    The query leaves Homeroom: no names, no grades, nothing else of the student. Name
    the pages that an answer rests on.
    """
    newest = None if recency == "any" else recency
    since = RecencyFilter.for_period(newest, context.now().date())
    engines = choose_engines(context.container.settings, partial(_account, context), partial(_budget, context))
    engine, hits = _first_answer(engines, query, max_results, since)
    shown = _distinct(hits)[:max_results]
    period = f" of the last {newest}" if newest else ""
    heading = sentence(f"{count(len(shown), 'page')}{period} found ({engine.label}, as of {clock(context.now())}).")
    notes = [f"Note: {engine.covers}."] if engine.covers else []
    lines = [_line(number, hit) for number, hit in enumerate(shown, 1)]
    return ToolResult(
        output="\n".join([heading, *notes, *lines]),
        data={"results": [_data(hit) for hit in shown], "engine": engine.label},
        sources=tuple(Source(title=one_line(hit.title), url=hit.url) for hit in shown),
    )


def choose_engines(
    settings: Settings, on_paid: Callable[[str, Usage, int], None], budget: SearchBudget
) -> tuple[SearchEngine, ...]:
    """Engine to use, followed by fallbacks for when it does not support search at all (not for when it is busy).

    on_paid: callback with the cost of a request to the model: its name, its tokens, how many searches have a fee.
    budget: see `ClaudeEngine`.
    """
    extension = settings.extension("search")
    address = extension.get("BASE_URL", "")
    match extension.get("PROVIDER", ""):
        case "searxng":
            return (SearxngEngine(address),)
        case "brave":
            key = extension.get("API_KEY", "")
            return (BraveEngine(key, address) if address else BraveEngine(key),)
        case "reference":
            return (ReferenceEngine(),)
        case "claude":
            return (_claude_engine(settings, on_paid, budget),)
    # A gateway may not know Anthropic's own tools, and a key may not be allowed them.
    return (_claude_engine(settings, on_paid, budget), ReferenceEngine())


def _account(context: ToolExecutionContext, model: str, usage: Usage, searches: int) -> None:
    context.container.accounting.record_side_request(context.student.id, model, usage, searches=searches)


def _budget(context: ToolExecutionContext, most: int) -> AbstractContextManager[Settle]:
    return metered(context.container.budgets, context.payer, lambda: most)


def _first_answer(
    engines: Sequence[SearchEngine], query: str, most: int, since: RecencyFilter | None
) -> tuple[SearchEngine, Sequence[WebResult]]:
    *others, last = engines
    for engine in others:
        try:
            return engine, engine.search(query, most=most, since=since)
        except SearchUnsupported:
            continue
    return last, last.search(query, most=most, since=since)


def _distinct(hits: Sequence[WebResult]) -> list[WebResult]:
    """Pages that can be opened, each once."""
    return list({hit.url: hit for hit in hits if hit.title and canonical_url(hit.url)}.values())


def _line(number: int, hit: WebResult) -> str:
    parts = [
        f"**{one_line(hit.title, 150)}**",
        ", ".join(part for part in (host_of(hit.url), day(hit.published) if hit.published else "") if part),
        one_line(hit.snippet.removeprefix(hit.title).lstrip(" .:–—-…"), 400),
        f"[open]({hit.url})",
    ]
    return f"- {' — '.join(part for part in parts if part)} (id: {number})"


def _data(hit: WebResult) -> dict[str, str | None]:
    published = hit.published.isoformat() if hit.published else None
    return {"title": hit.title, "url": hit.url, "snippet": hit.snippet, "published": published}


def _claude_engine(
    settings: Settings, on_paid: Callable[[str, Usage, int], None], budget: SearchBudget
) -> SearchEngine:
    # Imported when needed: the client library takes a second to load.
    from services.integrations.search.claude import ClaudeEngine

    return ClaudeEngine(
        api_key=settings.anthropic_api_key,
        base_url=settings.anthropic_base_url,
        model=settings.model_quick,
        on_paid=on_paid,
        budget=budget,
    )
