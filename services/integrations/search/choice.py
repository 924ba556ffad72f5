"""Which engine searches: the one that is set, else Claude's own web search, else Wikipedia and OpenAlex."""

from collections.abc import Callable

from services.agent.models import Usage
from services.integrations.search.engines import BraveEngine, ReferenceEngine, SearchEngine, SearxngEngine
from services.settings import Settings

ENGINES = ("searxng", "brave", "claude", "reference")
NONE = "none"


def engines_of(settings: Settings, paid: Callable[[str, Usage, int], None]) -> tuple[SearchEngine, ...]:
    """The engine to ask, and then those that stand in when it cannot search at all (not when it is merely busy).

    paid: is told what a request to the model took: its name, its tokens, and how many searches have a fee.
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
            return (_claude(settings, paid),)
    # A gateway may not know Anthropic's own tools, and a key may not be allowed them.
    return (_claude(settings, paid), ReferenceEngine())


def _claude(settings: Settings, paid: Callable[[str, Usage, int], None]) -> SearchEngine:
    # Imported where it is wanted: the client library costs a second of every start.
    from services.agent.anthropic_search import ClaudeEngine

    return ClaudeEngine(
        api_key=settings.anthropic_api_key,
        base_url=settings.anthropic_base_url,
        model=settings.model_quick,
        paid=paid,
    )
