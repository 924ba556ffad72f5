"""`ClaudeEngine`: Claude's own web search (server tool web_search_20260318), asked for pages and nothing else.

https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool. It runs on Anthropic's side in a request
of its own that holds the query and no other word of the student, so what pages say never meets their data there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

import anthropic
import httpcore2
import httpx2
from anthropic.types import WebSearchTool20260318Param

from services.errors import ModelPaused, ModelRefused, ServiceUnavailable, Throttled
from services.i18n import gettext
from services.integrations.kit.payloads import parse_text, payload_guard
from services.integrations.search.engines import RecencyFilter, SearchUnsupported, WebResult
from services.llm.anthropic_errors import model_error
from services.llm.chat_model import Usage
from services.runtime.prompt_files import prompt
from services.runtime.total_timeout import TotalTimeoutBackend, answered_within

_TOOL = WebSearchTool20260318Param(type="web_search_20260318", name="web_search", max_uses=1)
_TIMEOUT_S = 40.0

Paid = Callable[[str, Usage, int], None]
"""Is told what a request took: the model's name, its tokens, and how many searches have a fee."""


class ClaudeEngine:
    """Costs a search and a small answer of the quick model each time; `paid` is told of both."""

    label, covers = "Claude's web search", ""

    def __init__(self, *, api_key: str, base_url: str | None, model: str, paid: Paid) -> None:
        self._client = _client(api_key, base_url)
        self._model = model
        self._paid = paid

    def search(self, query: str, *, most: int, since: RecencyFilter | None) -> Sequence[WebResult]:
        """As `SearchEngine.search`; raises `SearchUnsupported` when this key or gateway does not have the tool."""
        values = {"query": query, "most": str(most), "since": f"Only pages since {since.day} count." if since else ""}
        try:
            with answered_within(_TIMEOUT_S):
                raw = self._client.messages.with_raw_response.create(
                    model=self._model,
                    max_tokens=1500,
                    tools=[_TOOL],
                    messages=[{"role": "user", "content": prompt("web_search").format(**values)}],
                )
        except (anthropic.APIError, httpx2.HTTPError) as error:
            raise self._failure(error) from error
        with payload_guard(self.label):
            answer = dict(raw.http_response.json())
            taken = _taken(answer.get("usage") or {})
        self._paid(self._model, *taken)
        with payload_guard(self.label):
            return list(self._hits(answer))[:most]

    def _failure(self, error: anthropic.APIError | httpx2.HTTPError) -> ServiceUnavailable:
        what = model_error(error)
        if isinstance(what, (ModelRefused, ModelPaused)):
            return SearchUnsupported(self.label, gettext("The web cannot be searched with this deployment's key."))
        return ServiceUnavailable(self.label, gettext("The web search did not answer."))

    def _hits(self, message: dict[str, Any]) -> Iterator[WebResult]:
        blocks = message.get("content") or []
        quotes = {c["url"]: c.get("cited_text") or "" for b in blocks for c in b.get("citations") or () if "url" in c}
        for block in blocks:
            if block.get("type") != "web_search_tool_result":
                continue
            if isinstance(found := block.get("content"), dict):
                raise self._refusal(str(found.get("error_code")))
            for one in found or ():
                url = parse_text(one.get("url"))
                age = _day(one.get("page_age"))
                yield WebResult(title=parse_text(one.get("title")), url=url, snippet=quotes.get(url, ""), published=age)

    def _refusal(self, code: str) -> ServiceUnavailable:
        if code == "too_many_requests":
            return Throttled(self.label, gettext("The web search is busy at the moment."))
        return ServiceUnavailable(self.label, gettext("The web search failed just now."))


@cache
def _client(api_key: str, base_url: str | None) -> anthropic.Anthropic:
    transport = httpx2.HTTPTransport()
    transport._pool._network_backend = TotalTimeoutBackend(httpcore2)  # type: ignore[assignment]
    # Followed to another host, a redirect would take the key along; the SDK would follow it.
    http = anthropic.DefaultHttpxClient(transport=transport, timeout=_TIMEOUT_S, follow_redirects=False)
    return anthropic.Anthropic(api_key=api_key, base_url=base_url, http_client=http, max_retries=1)


def _taken(usage: Mapping[str, Any]) -> tuple[Usage, int]:
    """Tokens, and searches (`server_tool_use.web_search_requests`); one that failed is not among them."""
    tokens = {name: _count(usage.get(name)) for name in Usage.__dataclass_fields__}
    return Usage(**tokens), _count((usage.get("server_tool_use") or {}).get("web_search_requests"))


def _count(found: object) -> int:
    return found if type(found) is int and found > 0 else 0


def _day(age: object) -> date | None:
    """Ages come as "April 30, 2025" and as "3 days ago"; only the first is a day."""
    try:
        return datetime.strptime(str(age), "%B %d, %Y").replace(tzinfo=UTC).date()
    except ValueError:
        return None
