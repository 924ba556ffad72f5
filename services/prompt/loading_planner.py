"""`LoadingPlanner`: makes the loading plan of each run of a turn, and remembers which strategies a model refused."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from services.assistants.assistant import Assistant
from services.discovery.accounting import RequestFacts
from services.discovery.contexts import FoundContext
from services.discovery.detector import Detector
from services.discovery.fallbacks import select_tools
from services.discovery.relevance.tool_ranker import ToolRanker
from services.discovery.tool_list import estimate_tokens
from services.discovery.tool_search import SearchableToolsProvider, find_tools, rank_tools
from services.discovery.usage import Habits, UsageProfiles, UsageRecorder
from services.llm.messages import StoredMessage
from services.prompt.loading_plan import LoadingPlan
from services.prompt.loading_strategy import FEW_TOKENS, Strategies, Strategy
from services.prompt.prompt_builder import PromptBuilder, PromptPart
from services.prompt.prompt_prefix import PromptPrefix, PromptPrefixes, PromptStore, last_plan
from services.prompt.tool_mentions import definitions_without_mentions
from services.runtime.clock import Clock
from services.storage.store import Store
from services.tools.providers.provider import ToolsProvider
from services.tools.resolution import Resolution
from services.tools.tool import Tool
from services.tools.toolbox import Toolbox

log = logging.getLogger(__name__)

HISTORY = 12
"""Earlier messages that help to find what the student's is about."""
SEARCH_PROMPTS = {Strategy.APPEND: "find_tools", Strategy.PER_MESSAGE: "find_tools_per_message"}
"""Prompt files on searching for tools that are not loaded, by strategy."""


class LoadingPlanner:
    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        prompts: PromptBuilder,
        detector: Detector,
        ranker: ToolRanker,
        profiles: UsageProfiles,
        usage: UsageRecorder,
        root: ToolsProvider,
        strategy: str = "auto",
    ) -> None:
        """strategy: "auto", or the one that the operator has chosen."""
        self._prefixes = PromptPrefixes(PromptStore(store, clock))
        self._prompts = prompts
        self._detector = detector
        self._ranker = ranker
        self._profiles = profiles
        self._usage = usage
        self._root = root
        self._strategies = Strategies(strategy)

    def plan_turn(
        self, turn_id: str, toolbox: Toolbox, assistant: Assistant, model: str, messages: list[StoredMessage]
    ) -> LoadingPlan:
        """Make the plan for a run of this turn. messages: the conversation as stored; it grows while the turn runs."""
        plan = last_plan(messages, model=model)
        before = Strategy(plan["strategy"]) if plan else None
        strategy = self._strategies.choose(model, estimate_tokens(toolbox.resolution.tools), before)
        return self._make_plan(strategy, turn_id, toolbox, assistant, model, messages)

    def fall_back(self, plan: LoadingPlan, assistant: Assistant, messages: list[StoredMessage]) -> LoadingPlan:
        """Plan the turn anew without the feature that the model has just refused; later turns do without it, too."""
        model = plan.prefix.model
        log.warning("model_takes_no_tool_changes model=%s", model)
        self._strategies.refuse(model)
        toolbox = replace(plan.toolbox, asking=_without_search(plan.toolbox.asking))
        resolution = replace(toolbox.resolution, tools=tuple(plan.enabled))
        toolbox = replace(toolbox, resolution=resolution)
        return self._make_plan(Strategy.FROZEN, plan.turn_id, toolbox, assistant, model, messages)

    def _make_plan(
        self,
        strategy: Strategy,
        turn_id: str,
        toolbox: Toolbox,
        assistant: Assistant,
        model: str,
        messages: list[StoredMessage],
    ) -> LoadingPlan:
        enabled = toolbox.resolution.tools
        parts = self._parts(strategy, toolbox, assistant)
        habits = self._profiles.habits(toolbox.student.id)
        contexts = self._contexts(habits, turn_id, messages, enabled)
        plan = LoadingPlan(
            turn_id=turn_id,
            toolbox=toolbox,
            enabled=enabled,
            prefix=self._prefix(strategy, model, parts, toolbox.resolution, messages),
            parts=parts,
            contexts=contexts,
            wanted=self._wanted(habits, turn_id, enabled, contexts, messages),
            prompts=self._prompts,
        )
        return replace(plan, toolbox=self._with_search(plan, messages)) if plan.has_search else plan

    def learn(self, facts: RequestFacts, plan: LoadingPlan, messages: Sequence[StoredMessage]) -> None:
        """Record which tools a finished request shows that its message needed."""
        question, history = _question_and_history(plan.turn_id, messages)
        if question is not None:
            self._usage.record_calls(facts, question.text, plan.enabled, is_followup=bool(history))

    def _contexts(
        self, habits: Habits, turn_id: str, messages: Sequence[StoredMessage], tools: Sequence[Tool]
    ) -> tuple[FoundContext, ...]:
        """Detect the contexts of the turn's message, with the messages before it and what this student uses."""
        question, history = _question_and_history(turn_id, messages)
        if question is None:
            return ()
        found = self._detector.detect(question.text, history, tools=tools, profile=habits.contexts)
        return found or self._ranker.implied_contexts(question.text, tools)

    def definitions_for(self, question: str, resolution: Resolution) -> Sequence[Mapping[str, Any]]:
        """Select the definitions for a conversation of one question, for which no prompt cache exists: those that its
        contexts need, or all when it has no context or they are few. Calls of other enabled tools work, too.
        """
        tools = resolution.tools
        names = self._context_names(question, tools=tools) if estimate_tokens(tools) > FEW_TOKENS else []
        chosen = [tool.definition() for tool in select_tools(tools, names) or tools]
        return definitions_without_mentions(chosen, resolution.absent)

    def _parts(self, strategy: Strategy, toolbox: Toolbox, assistant: Assistant) -> tuple[PromptPart, ...]:
        return self._prompts.parts(
            toolbox.student,
            toolbox.resolution,
            assistant,
            finding=SEARCH_PROMPTS.get(strategy, ""),
            in_full=strategy is Strategy.FROZEN,
        )

    def _prefix(
        self,
        strategy: Strategy,
        model: str,
        parts: Sequence[PromptPart],
        resolution: Resolution,
        messages: Sequence[StoredMessage],
    ) -> PromptPrefix:
        enabled, root = resolution.tools, self._root.tools()
        if found := self._prefixes.restore(messages, strategy, model, enabled):
            return found
        # What is declared for everybody may depend on the assistant, but not on what its student has connected.
        absent = resolution.absent if strategy is Strategy.FROZEN else resolution.unused
        return self._prefixes.create(strategy, model, parts, enabled=enabled, root=root, absent=absent)

    def _with_search(self, plan: LoadingPlan, messages: list[StoredMessage]) -> Toolbox:
        toolbox = plan.toolbox
        asking = SearchableToolsProvider(toolbox.asking, self._search, lambda: plan.loaded(messages))
        resolution = replace(toolbox.resolution, tools=(find_tools, *plan.enabled))
        return replace(toolbox, asking=asking, resolution=resolution)

    def _search(self, tools: Sequence[Tool], query: str) -> Sequence[Tool]:
        names = self._context_names(query, tools=tools)
        return rank_tools(tools, query, names, self._ranker.chances(query, (), tools, names))

    def _wanted(
        self,
        habits: Habits,
        turn_id: str,
        enabled: Sequence[Tool],
        contexts: Sequence[FoundContext],
        messages: Sequence[StoredMessage],
    ) -> Collection[str]:
        """Names of the tools that the message needs; in a conversation that had all tools in front so far, those that
        it has used, too: nothing else shows that the model knows them.
        """
        question, history = _question_and_history(turn_id, messages)
        needed = question and self._ranker.needed_tools(question.text, history, enabled, contexts, habits=habits.tools)
        names = {tool.name for tool in needed or ()}
        if any(message.meta.get("plan", {}).get("strategy") == Strategy.APPEND for message in messages):
            return names
        return names | {str(call["name"]) for message in messages for call in message.tool_calls}

    def _context_names(self, text: str, *, tools: Sequence[Tool]) -> list[str]:
        return [tool.name for tool in self._detector.detect(text, tools=tools)]


def _question_and_history(
    turn_id: str, messages: Sequence[StoredMessage]
) -> tuple[StoredMessage | None, Sequence[Mapping[str, str]]]:
    """The turn's own message, and the messages before it."""
    mine = [at for at, message in enumerate(messages) if message.is_question and message.meta.get("turn_id") == turn_id]
    if not mine:
        return None, ()
    earlier = [message for message in messages[: mine[0]] if message.role == "assistant" or _is_typed(message)]
    history = [{"role": message.role, "content": message.text} for message in earlier if message.text]
    return messages[mine[0]], history[-HISTORY:]


def _is_typed(message: StoredMessage) -> bool:
    """Whether it is a question, and no summary of earlier messages."""
    return message.is_question and "summary" not in message.meta


def _without_search(provider: ToolsProvider) -> ToolsProvider:
    return provider.wrapped if isinstance(provider, SearchableToolsProvider) else provider
