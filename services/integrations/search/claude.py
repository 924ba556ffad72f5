"""Search engine on Claude's own web search (server tool web_search_20260318), used for pages and nothing else.

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

from services.errors import BudgetUsedUp, ModelPaused, ModelRefused, ServiceUnavailable, Throttled
from services.i18n import gettext
from services.integrations.kit.payloads import parse_text, payload_guard
from services.integrations.search.engines import RecencyFilter, SearchBudget, SearchUnsupported, WebResult
from services.llm.anthropic_errors import model_error
from services.llm.chat_model import Usage
from services.llm.metered_model import Settle
from services.llm.prices import micro_dollars
from services.runtime.library_compat import set_network_backend
from services.runtime.prompt_files import prompt
from services.runtime.total_timeout import TotalTimeoutBackend, answered_within
from services.safety.field_log import declared
from services.safety.provenance import Provenance

_TOOL = WebSearchTool20260318Param(type="web_search_20260318", name="web_search", max_uses=1)
_RESULT = "web_search_tool_result"
_TIMEOUT_S = 40.0

MOST_TOKENS = Usage(input_tokens=60_000, output_tokens=1500)
"""Of one search: the pages that it finds are read in the same request."""
OnPaid = Callable[[str, Usage, int], None]
"""Callback with the cost of a request: the model's name, its tokens, and how many searches have a fee."""


class ClaudeEngine:
    """`SearchEngine` that costs a search and a small answer of the quick model each time, reported to `on_paid`.

    budget: reserves what a search may cost at most, in millionths of a dollar, and takes what it was.
    """

    label, covers = "Claude's web search", ""

    def __init__(
        self, *, api_key: str, base_url: str | None, model: str, on_paid: OnPaid, budget: SearchBudget
    ) -> None:
        self._client = _client(api_key, base_url)
        self._model = model
        self._on_paid, self._budget = on_paid, budget

    def search(self, query: str, *, most: int, since: RecencyFilter | None) -> Sequence[WebResult]:
        """As `SearchEngine.search`; raises `SearchUnsupported` when this key or gateway does not have the tool."""
        try:
            with self._budget(micro_dollars(self._model, MOST_TOKENS, searches=1)) as charge:
                return self._search(query, charge, most=most, since=since)
        except BudgetUsedUp as error:
            raise ServiceUnavailable(self.label, str(error), next_step=error.next_step) from error

    def _search(self, query: str, charge: Settle, *, most: int, since: RecencyFilter | None) -> Sequence[WebResult]:
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
            raise self._error(error) from error
        with payload_guard(self.label):
            answer = dict(raw.http_response.json())
            if answer["type"] != "message":
                raise ValueError("not a message")
            usage, searches = _cost(answer.get("usage") or {})
        charge(micro_dollars(self._model, usage, searches=searches))
        self._on_paid(self._model, usage, searches)
        with payload_guard(self.label):
            results = list(self._results(answer))
            if not (results or searches or any(block.get("type") == _RESULT for block in answer["content"])):
                # The model did not search, so that nothing is known of what there is.
                raise ServiceUnavailable(self.label, gettext("The web search failed just now."))
        return declared(results[:most], Provenance.PUBLIC)

    def _error(self, error: anthropic.APIError | httpx2.HTTPError) -> ServiceUnavailable:
        what = model_error(error)
        if isinstance(what, (ModelRefused, ModelPaused)):
            return SearchUnsupported(self.label, gettext("The web cannot be searched with this deployment's key."))
        return ServiceUnavailable(self.label, gettext("The web search did not answer."))

    def _results(self, message: dict[str, Any]) -> Iterator[WebResult]:
        blocks = message["content"]
        quotes = {c["url"]: c.get("cited_text") or "" for b in blocks for c in b.get("citations") or () if "url" in c}
        for block in blocks:
            if block.get("type") != _RESULT:
                continue
            if isinstance(found := block["content"], dict):
                raise self._error_of_code(str(found.get("error_code")))
            for page in found:
                url, title = parse_text(page.get("url")), parse_text(page.get("title"))
                age = _day(page.get("page_age"))
                yield WebResult(title=title, url=url, snippet=quotes.get(url, ""), published=age)

    def _error_of_code(self, code: str) -> ServiceUnavailable:
        if code == "too_many_requests":
            return Throttled(self.label, gettext("The web search is busy at the moment."))
        return ServiceUnavailable(self.label, gettext("The web search failed just now."))


@cache
def _client(api_key: str, base_url: str | None) -> anthropic.Anthropic:
    transport = httpx2.HTTPTransport()
    set_network_backend(transport, TotalTimeoutBackend(httpcore2))
    # Followed to another host, a redirect would take the key along; the SDK would follow it.
    http = anthropic.DefaultHttpxClient(transport=transport, timeout=_TIMEOUT_S, follow_redirects=False)
    return anthropic.Anthropic(api_key=api_key, base_url=base_url, http_client=http, max_retries=1)


def _cost(usage: Mapping[str, Any]) -> tuple[Usage, int]:
    """Tokens, and number of searches (`server_tool_use.web_search_requests`), without those that failed."""
    tokens = {name: _count(usage.get(name)) for name in Usage.__dataclass_fields__}
    return Usage(**tokens), _count((usage.get("server_tool_use") or {}).get("web_search_requests"))


def _count(found: object) -> int:
    return found if type(found) is int and found > 0 else 0


def _day(age: object) -> date | None:
    """Day of an age like "April 30, 2025"; None for one like "3 days ago"."""
    try:
        return datetime.strptime(str(age), "%B %d, %Y").replace(tzinfo=UTC).date()
    except ValueError:
        return None
