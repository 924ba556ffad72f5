"""Wiring of model requests: the model that answers, its prompts, and the tools that a message needs."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from services.assistants.registry import AssistantRegistry
from services.discovery.detector import Detector
from services.discovery.relevance.tool_ranker import ToolRanker
from services.discovery.retrieval_misses import RetrievalMisses
from services.discovery.usage import ServerUsage, UsageProfiles, UsageRecorder
from services.integrations.catalog import IntegrationPrompts
from services.llm.chat_model import ChatModel, HealthTrackingModel, LazyModel
from services.llm.metered_model import MeteredModel
from services.prompt.loading_planner import LoadingPlanner
from services.prompt.prompt_builder import PromptBuilder
from services.runtime.clock import Clock
from services.settings import Settings
from services.storage.store import Store
from services.tools.providers.provider import ToolsProvider
from services.wiring.repositories import Repositories


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


def answering_model(settings: Settings, model: ChatModel | None, repositories: Repositories) -> HealthTrackingModel:
    """Make the model that answers: the one that the settings ask for, unless another is given; paid from budgets."""
    metered = MeteredModel(model or LazyModel(partial(_anthropic_model, settings)), repositories.budgets)
    return HealthTrackingModel(metered, repositories.registry)


def import_model_client() -> None:
    """Import the client library of the model, a second or two, so that the first request does not wait for it."""
    importlib.import_module("services.llm.anthropic_model")


def _anthropic_model(settings: Settings) -> ChatModel:
    from services.llm.anthropic_model import AnthropicModel

    return AnthropicModel(api_key=settings.anthropic_api_key, base_url=settings.anthropic_base_url)
