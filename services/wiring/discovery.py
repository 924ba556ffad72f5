"""`Discovery`: what finds out which tools a message needs and what learns from it, made once and shared."""

from dataclasses import dataclass

from services.discovery.detector import Detector
from services.discovery.retrieval_misses import RetrievalMisses
from services.discovery.usage import ServerUsage, UsageProfiles, UsageRecorder
from services.prompt.loading_planner import LoadingPlanner
from services.prompt.prompt_builder import PromptBuilder
from services.runtime.clock import Clock
from services.storage.store import Store
from services.tools.providers.provider import ToolsProvider


@dataclass(frozen=True, kw_only=True)
class Discovery:
    detector: Detector
    plans: LoadingPlanner
    misses: RetrievalMisses


def discovery_of(
    *, store: Store, clock: Clock, prompts: PromptBuilder, root: ToolsProvider, use: ServerUsage, strategy: str
) -> Discovery:
    """The parts over this store. strategy: "auto", or the one that the operator has chosen."""
    detector, profiles, misses = Detector(), UsageProfiles(store), RetrievalMisses(store, clock)
    plans = LoadingPlanner(
        store=store,
        clock=clock,
        prompts=prompts,
        detector=detector,
        profiles=profiles,
        usage=UsageRecorder(profiles, misses, use),
        root=root,
        strategy=strategy,
    )
    return Discovery(detector=detector, plans=plans, misses=misses)
