"""`Discovery`: what finds out which tools a message needs and what learns from it, made once and shared."""

from dataclasses import dataclass

from services.agent.prompts import PromptBuilder
from services.discovery.detector import Detector
from services.discovery.learning import Learning
from services.discovery.misses import Misses
from services.discovery.plans.plans import LoadingPlans
from services.discovery.profile import Profiles
from services.discovery.use import ServerUse
from services.runtime.clock import Clock
from services.storage.store import Store
from services.tools.providers.provider import ToolsProvider


@dataclass(frozen=True, kw_only=True)
class Discovery:
    detector: Detector
    plans: LoadingPlans
    misses: Misses


def discovery_of(
    *, store: Store, clock: Clock, prompts: PromptBuilder, root: ToolsProvider, use: ServerUse, strategy: str
) -> Discovery:
    """The parts over this store. strategy: "auto", or the one that the operator has chosen."""
    detector, profiles, misses = Detector(), Profiles(store), Misses(store, clock)
    plans = LoadingPlans(
        store=store,
        clock=clock,
        prompts=prompts,
        detector=detector,
        profiles=profiles,
        learning=Learning(profiles, misses, use),
        root=root,
        strategy=strategy,
    )
    return Discovery(detector=detector, plans=plans, misses=misses)
