"""News feed tool: reads the configured feeds or one by its address."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from services.errors import BadArguments, RequestRefused, ServiceError, ServiceUnavailable
from services.i18n import gettext, gettext_noop
from services.i18n.english import clock, count, moment, sentence
from services.integrations.feeds.class_feeds import stored_feed
from services.integrations.feeds.parser import FeedItem, NewsFeed, read_feed
from services.integrations.kit.config_fields import parse_addresses
from services.llm.citations import Source
from services.runtime.thread_pools import map_in_parallel
from services.safety.fetch import SafeFetch
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import CallRate, Example

MOST_FEEDS = 10
AT_ONCE = 4


@tool(
    label=gettext_noop("Reading the news feeds"),
    title=gettext_noop("Read news feeds"),
    summary=gettext_noop("Read the newest posts of your campus's news, or of another feed"),
    service=gettext_noop("The web"),
    category="research",
    contexts=("news",),
    is_optional=True,
    usage_hint="Brings the newest posts of the campus's feeds, or of a feed that the student names.",
    when=("the student asks what is new on campus, or in a feed or blog",),
    when_not=("it is a course's announcement",),
    produces=("feed_items", "citations"),
    examples=(
        Example(description="What is new", arguments={"action": "get_configured"}),
        Example(
            description="A feed the student named",
            arguments={"action": "fetch", "url": "https://news.example.edu/feed.xml", "limit": 3},
        ),
    ),
    rate=CallRate(calls=20, seconds=60.0),
    fresh_for_s=300.0,
    timeout_s=30.0,
)
def rss_feed(
    context: ToolExecutionContext,
    *,
    action: Annotated[
        Literal["get_configured", "fetch"],
        Field(description="get_configured: the feeds set up here. fetch: the one at url."),
    ],
    url: Annotated[
        str,
        Field(max_length=2000, description="For fetch: the feed's address, as the student gave it."),
    ] = "",
    limit: Annotated[int, Field(ge=1, le=50, description="Posts of each feed at most.")] = 5,
) -> ToolResult:
    """Read the newest posts of news feeds (RSS or Atom): the campus's own, or any other by its address."""
    if action == "fetch":
        if not url:
            raise BadArguments(gettext("Give the address of the feed."), field="url")
        context.require_known(url)
        return _result(context, [read_feed(context.container.fetch, url)], (), limit)
    if context.assistant.class_id and context.assistant.feeds:
        return _of_class(context, limit)
    wanted = _configured(context)
    if not wanted:
        raise RequestRefused(
            "Feeds", gettext("No news feeds are set up here."), next_step=gettext("Give the address of a feed.")
        )
    return _result(context, *_read_all(context.container.fetch, wanted), limit)


def _of_class(context: ToolExecutionContext, limit: int) -> ToolResult:
    """Result from what is stored of an instructor's feeds: no address is opened because somebody has asked."""
    feeds, problems, times = [], [], []
    for followed in context.assistant.feeds[:MOST_FEEDS]:
        stored = stored_feed(context.container.store, context.assistant.class_id, followed.url)
        title = one_line(declared(followed.title, Provenance.PUBLIC), 100)
        if stored is None:
            problems.append(gettext("{title} was not read yet; that happens by itself.", title=title))
            continue
        times.append(stored.fetched_at)
        feeds += [stored.feed] if stored.feed else []
        # What the job noted is in its own language.
        problems += [gettext("{title} could not be read the last time.", title=title)] if stored.problem else []
    if not feeds:
        raise ServiceUnavailable(gettext("The web"), " ".join(problems))
    return _result(context, feeds, problems, limit, as_of=min(times).astimezone(context.timezone))


def configured_urls(extension: Mapping[str, str]) -> tuple[str, ...]:
    """Addresses in FEEDS_URLS."""
    return parse_addresses(extension.get("URLS", ""))


def _configured(context: ToolExecutionContext) -> list[str]:
    """The assistant's own feeds, else those of the deployment."""
    own = [feed.url for feed in context.assistant.feeds]
    return (own or list(configured_urls(context.container.settings.extension("feeds"))))[:MOST_FEEDS]


def _read_all(fetch: SafeFetch, urls: Sequence[str]) -> tuple[list[NewsFeed], list[str]]:
    """The feeds that could be read, and a sentence about each that could not; raises when there is none."""

    def attempt(url: str) -> NewsFeed | ServiceError:
        try:
            return read_feed(fetch, url, writer=Provenance.PUBLIC)
        except ServiceError as problem:
            return problem

    found = map_in_parallel(AT_ONCE, attempt, urls)
    feeds = [result for result in found if isinstance(result, NewsFeed)]
    problems = [result for result in found if isinstance(result, ServiceError)]
    if not feeds:
        raise problems[0]
    return feeds, [str(problem) for problem in problems]


def _result(
    context: ToolExecutionContext,
    feeds: Sequence[NewsFeed],
    problems: Sequence[str],
    limit: int,
    *,
    as_of: datetime | None = None,
) -> ToolResult:
    shown = [(feed, feed.items[:limit]) for feed in feeds]
    posts = [item for _, items in shown for item in items]
    heading = sentence(f"{count(len(posts), 'post')} (as of {clock(as_of or context.now())}), the newest first.")
    lines = [heading]
    for feed, items in shown:
        lines.append(f"\n{feed.title}: {count(len(items), 'post')} of {len(feed.items)}.")
        lines += [_line(item, context.timezone) for item in items]
    cut = [feed.title for feed in feeds if feed.is_cut]
    lines += [f"Note: Only the beginning of {title} could be read; older posts may be missing." for title in cut]
    rest = "" if cut else " The other feeds are complete."
    lines += [f"Note: {problem}{rest}" for problem in problems]
    return ToolResult(
        output="\n".join(lines),
        data={"feeds": [_data(feed, items) for feed, items in shown], "problems": list(problems)},
        sources=tuple(Source(title=item.title, url=item.url) for item in posts if item.url),
        is_partial=bool(problems or cut),
    )


def _line(item: FeedItem, zone: ZoneInfo) -> str:
    parts = [
        f"**{item.title}**",
        moment(item.published, zone) if item.published else "",
        item.summary.removeprefix(item.title).lstrip(" .:–—-…"),
        f"[open]({item.url})" if item.url else "",
    ]
    return f"- {' — '.join(part for part in parts if part)}"


def _data(feed: NewsFeed, items: Sequence[FeedItem]) -> dict[str, Any]:
    """Times are ISO 8601 in UTC."""
    return {
        "title": feed.title,
        "url": feed.url,
        "items": [
            {
                "title": item.title,
                "url": item.url,
                "published": item.published.isoformat() if item.published else None,
                "summary": item.summary,
            }
            for item in items
        ],
    }
