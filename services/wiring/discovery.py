"""Wiring of discovery: which tools a message needs, and the prompt that tells of them, made once and shared."""

from collections.abc import Callable
from dataclasses import dataclass

from services.assistants.registry import AssistantRegistry
from services.discovery.detector import Detector
from services.discovery.relevance.tool_ranker import ToolRanker
from services.discovery.retrieval_misses import RetrievalMisses
from services.discovery.usage import ServerUsage, UsageProfiles, UsageRecorder
from services.integrations.catalog import IntegrationPrompts
from services.prompt.loading_planner import LoadingPlanner
from services.prompt.prompt_builder import PromptBuilder
from services.runtime.clock import Clock
from services.storage.store import Store
from services.tools.providers.provider import ToolsProvider


@dataclass(frozen=True, kw_only=True)
class DiscoveryParts:
    detector: Detector
    plans: LoadingPlanner
    misses: RetrievalMisses


def discovery_parts(
    store: Store, clock: Clock, prompts: PromptBuilder, root: ToolsProvider, use: ServerUsage, strategy: str
) -> DiscoveryParts:
    """The parts over this store. strategy: "auto", or the one that the operator has chosen."""
    detector, profiles, misses = Detector(), UsageProfiles(store), RetrievalMisses(store, clock)
    plans = LoadingPlanner(
        store=store,
        clock=clock,
        prompts=prompts,
        detector=detector,
        ranker=ToolRanker(),
        profiles=profiles,
        usage=UsageRecorder(profiles, misses, use),
        root=root,
        strategy=strategy,
    )
    return DiscoveryParts(detector=detector, plans=plans, misses=misses)


def prompt_builder(words: Callable[[str], IntegrationPrompts], assistants: AssistantRegistry) -> PromptBuilder:
    """The builder of system texts. words: an integration's prompt texts, by its id."""
    return PromptBuilder(words=words, assistants=assistants.cached, class_assistants=assistants.of_classes)
