"""What each loading plan costs, in long conversations and in single questions of many students behind one key.

The prompt cache is counted as the API documents it.

https://docs.claude.com/en/docs/build-with-claude/prompt-caching: a token written to the cache costs 1.25, one read from
it 0.1 of a fresh one. The requests are those of the app; the cache is the demo model's; tokens are estimates (about
four characters each), the same for all.
"""

import json
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.recorded_conversations import FIRST_QUESTIONS, TALKS, USED, Talk
from sandbox.model.prompt_cache import PromptCache
from sandbox.state import State
from services import bootstrap
from services.assistants.assistant import Assistant
from services.discovery.detector import Detector
from services.discovery.relevance.tool_ranker import ToolRanker
from services.discovery.retrieval_misses import RetrievalMisses
from services.discovery.tool_search import FIND, find_tools, found_tools
from services.discovery.usage import ServerUsage, UsageProfiles, UsageRecorder
from services.i18n import DEFAULT_LOCALE
from services.identity.students import Student
from services.llm.anthropic_model import parameters
from services.llm.chat_model import ModelRequest
from services.llm.messages import StoredMessage, result_block, text_block
from services.prompt.loading_plan import LoadingPlan
from services.prompt.loading_planner import LoadingPlanner
from services.prompt.loading_strategy import Strategy
from services.prompt.prompt_builder import PromptBuilder, context_text
from services.prompt.request_messages import tool_reference
from services.settings import read
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.providers.local import LocalToolsProvider
from services.tools.resolution import Resolution
from services.tools.tool import Tool
from services.tools.toolbox import Toolbox

TITLE = "Loading plans: input in tokens at the price of fresh ones, to all tools with caching"
HEAD = ("tools", "strategy", *("20 turns", "to all", "with long pauses"), *("one question", "to all", "seldom"))
HEAD += ("at once", "after search", "loaded by a message")
SIZES = (12, 30, 69, 120)
PAUSE, LONG_PAUSE = timedelta(seconds=60), timedelta(minutes=10)
"""Between two turns; steps of one follow at once. After the long one nothing is cached any more."""
ARRIVAL = timedelta(seconds=8)
"""Between two students with a single question each."""
CHATS = 120
BEGAN = datetime(2026, 11, 21, 16, 0, tzinfo=UTC)
MODEL = "claude-haiku-5-5"
MAYA = Student(id="maya", name="Maya Chen", email="", timezone="America/Chicago")
READ, WRITTEN = 0.1, 1.25
RESULT = "3 items (Canvas, as of 10:42).\n" + "- **Lab report 6** — Cell Biology — due Friday 27 November 2026\n" * 12
ANSWER = "Here is what I found, with what I would begin with and why, in a few short lines. " * 5


@dataclass(kw_only=True)
class Tally:
    """Of all conversations under one strategy. needed: tools that turns needed; of those the ones that were there."""

    fresh: int = 0
    read: int = 0
    written: int = 0
    needed: int = 0
    at_once: int = 0
    after_search: int = 0
    brought: list[int] = field(default_factory=list)
    chats: int = 0

    @property
    def cost(self) -> float:
        """Of a chat, in tokens at the price of fresh input."""
        return (self.fresh + READ * self.read + WRITTEN * self.written) / self.chats

    @property
    def cached(self) -> float:
        return self.read / (self.fresh + self.read + self.written)


@dataclass(frozen=True, kw_only=True)
class Use:
    """Kind of use. talks: conversations, each of another student. gap: from the beginning of one to the next's."""

    talks: Sequence[Talk]
    pause: timedelta = PAUSE
    gap: timedelta


def measure(data_dir: Path) -> list[list[str]]:
    """Rows for each number of tools and strategy."""
    root, rows = root_tools(data_dir), []
    for size in SIZES:
        tools = tools_of(size, root)
        tallies = {
            strategy: [
                tally_of(data_dir / f"{size}-{at}", tools, strategy, use) for at, use in enumerate(uses_of(tools))
            ]
            for strategy in Strategy
        }
        rows += [_row(size, strategy, tallies[strategy], tallies[Strategy.FROZEN]) for strategy in Strategy]
    return rows


def uses_of(tools: Sequence[Tool]) -> tuple[Use, ...]:
    """Kinds of use of a deployment with these tools: long chats, the
    same with long pauses, single questions, seldom.
    """
    single = single_questions(tools, CHATS)
    return (
        Use(talks=TALKS, gap=timedelta(hours=9)),
        Use(talks=TALKS, pause=LONG_PAUSE, gap=timedelta(hours=9)),
        Use(talks=single, gap=ARRIVAL),
        Use(talks=single[: CHATS // 4], gap=LONG_PAUSE),
    )


def single_questions(tools: Sequence[Tool], chats: int) -> list[Talk]:
    """As many chats of one question each, of those that these tools can answer."""
    names = {tool.name for tool in tools}
    possible = [turn for turn in FIRST_QUESTIONS if names.issuperset(turn[1])]
    chance = random.Random(11)
    return [(turn,) for turn in chance.choices(possible, k=chats)]


def tally_of(data_dir: Path, tools: Sequence[Tool], strategy: Strategy, use: Use) -> Tally:
    """Every conversation of a kind of use, each of another student of the same deployment."""
    data_dir.mkdir(parents=True, exist_ok=True)
    cache = PromptCache(State(data_dir / f"{strategy.value}.cache.sqlite"))
    store = Store(SqliteDocuments(data_dir / f"{strategy.value}.sqlite"))
    profiles = UsageProfiles(store)
    plans = LoadingPlanner(
        store=store,
        clock=lambda: BEGAN,
        prompts=PromptBuilder(),
        detector=Detector(),
        ranker=ToolRanker(),
        profiles=profiles,
        usage=UsageRecorder(profiles, RetrievalMisses(store, lambda: BEGAN), ServerUsage(store, lambda: BEGAN)),
        root=LocalToolsProvider(tools),
        strategy=strategy.value,
    )
    tally = Tally(chats=len(use.talks))
    for number, talk in enumerate(use.talks):
        student = replace(MAYA, id=f"s{number}", name=f"Student {number}")
        _Conversation(plans, tools, cache, tally, BEGAN + number * use.gap, student).play(talk, use.pause)
    return tally


def root_tools(data_dir: Path) -> Sequence[Tool]:
    """The product's own tools."""
    settings = {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(data_dir / "app"), "ANTHROPIC_API_KEY": "demo"}
    return bootstrap.build(read(settings)).root_tools.tools()


def tools_of(size: int, root: Sequence[Tool]) -> tuple[Tool, ...]:
    """The tools that the conversations need, then others of the product, then as many of made-up MCP servers."""
    used = [tool for tool in root if tool.name in USED]
    others = [tool for tool in root if tool.name not in USED]
    random.Random(7).shuffle(others)
    made_up = [
        replace(tool, name=f"server_{number}_{tool.name}"[:64], contexts=(f"server {number}",))
        for number in range(3)
        for tool in root
    ]
    return tuple([*used, *others, *made_up][:size])


class _Conversation:
    def __init__(
        self,
        plans: LoadingPlanner,
        tools: Sequence[Tool],
        cache: PromptCache,
        tally: Tally,
        began: datetime,
        student: Student,
    ) -> None:
        self._plans, self._tools, self._cache, self._tally, self._now = plans, tools, cache, tally, began
        self._student = student
        self._messages: list[StoredMessage] = []

    def play(self, talk: Talk, pause: timedelta) -> None:
        for number, (text, needed) in enumerate(talk):
            turn = str(number)
            self._keep(
                "user", [text_block(context_text(self._now, DEFAULT_LOCALE)), text_block(text)], {"turn_id": turn}
            )
            loading = self._plans.plan_turn(turn, self._toolbox(), Assistant(id="a", name="A"), MODEL, self._messages)
            self._turn(loading, text, needed)
            self._now += pause

    def _turn(self, loading: LoadingPlan, text: str, needed: Sequence[str]) -> None:
        request = self._ask(loading)
        wanted = set(needed)
        seen = wanted & _seen(loading, request, self._messages)
        self._tally.needed += len(wanted)
        self._tally.at_once += len(seen)
        if wanted and loading.strategy is Strategy.APPEND:
            self._tally.brought.append(len(loading.wanted))
        for query in self._queries(loading, text, wanted - seen):
            self._search(loading, query)
            self._ask(loading)
            if wanted <= set(loading.loaded(self._messages)):
                break
        found = wanted & {*seen, *loading.loaded(self._messages)}
        self._tally.after_search += len(found)
        if found:
            self._step(loading, [(name, [text_block(RESULT)]) for name in sorted(found)])
            self._ask(loading)
        self._keep("assistant", [text_block(ANSWER)], self._meta(loading))

    def _queries(self, loading: LoadingPlan, text: str, missing: set[str]) -> Iterator[str]:
        """What a model does that misses a tool: it searches in the student's words, then by the names in its prompt."""
        if missing and loading.has_search:
            yield from (text, " ".join(sorted(missing)))

    def _search(self, loading: LoadingPlan, query: str) -> None:
        context: Any = None
        call: ToolExecutionContext = context
        result = loading.toolbox.asking.execute(FIND, {"query": query}, call)
        names = found_tools(FIND, result)
        self._step(loading, [(FIND, [tool_reference(name) for name in names] or [text_block(result.output)])])

    def _step(self, loading: LoadingPlan, calls: Sequence[tuple[str, list[Any]]]) -> None:
        ids = [f"toolu_{len(self._messages)}_{at}" for at in range(len(calls))]
        blocks = [
            {"type": "tool_use", "id": id, "name": name, "input": {"query": "words of the student"}}
            for id, (name, _) in zip(ids, calls, strict=True)
        ]
        self._keep("assistant", blocks, self._meta(loading))
        results = [result_block(id, "", blocks=content) for id, (_, content) in zip(ids, calls, strict=True)]
        self._keep("user", results, {"turn_id": loading.turn_id, "results": {id: {} for id in ids}})

    def _ask(self, loading: LoadingPlan) -> ModelRequest:
        if (addition := loading.system_update(self._messages)) is not None:
            self._keep("system", addition.content, addition.meta)
        request = loading.request(self._messages)
        usage = self._cache.meet(json.loads(json.dumps(parameters(request))), key="k", now=self._now)
        self._tally.fresh += usage["input_tokens"]
        self._tally.read += usage["cache_read_input_tokens"]
        self._tally.written += usage["cache_creation_input_tokens"]
        return request

    def _meta(self, loading: LoadingPlan) -> dict[str, Any]:
        return {"turn_id": loading.turn_id, "plan": loading.to_json(self._messages)}

    def _keep(self, role: Any, content: Sequence[Any], meta: dict[str, Any]) -> None:
        has_context = {"has_context": True} if role == "user" and "results" not in meta else {}
        seq = len(self._messages) + 1
        self._messages.append(StoredMessage(seq=seq, role=role, content=content, meta={**meta, **has_context}))

    def _toolbox(self) -> Toolbox:
        connected = ("canvas", "google_calendar", "notion")
        resolution = Resolution(tools=tuple(self._tools), connected=connected, disabled=())
        nothing: Any = None
        return Toolbox(
            student=self._student,
            connections={},
            resolution=resolution,
            asking=LocalToolsProvider(self._tools),
            reading=nothing,
            acting=nothing,
            undoing=nothing,
            root=nothing,
            container=nothing,
            dispatcher=nothing,
        )


def _seen(loading: LoadingPlan, request: ModelRequest, messages: Sequence[StoredMessage]) -> set[str]:
    if loading.strategy is Strategy.APPEND:
        return set(loading.loaded(messages))
    return {str(tool["name"]) for tool in request.tools} - {find_tools.name}


def _row(size: int, strategy: Strategy, tallies: Sequence[Tally], whole: Sequence[Tally]) -> list[str]:
    long, slow, single, seldom = [f"{tally.cost / other.cost:.2f}" for tally, other in zip(tallies, whole, strict=True)]
    needed, at_once, after_search = (
        sum(getattr(tally, name) for tally in tallies) for name in ("needed", "at_once", "after_search")
    )
    brought = [number for tally in tallies for number in tally.brought]
    input_of = [f"{tallies[0].cost / 1000:.0f}k", long, slow, f"{tallies[2].cost / 1000:.1f}k", single, seldom]
    found = [f"{at_once / needed:.0%}", f"{after_search / needed:.0%}"]
    return [str(size), strategy.value, *input_of, *found, f"{statistics.median(brought):.0f}" if brought else ""]
