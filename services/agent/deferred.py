"""`DeferredModel`: a model that is made in the background, so that a start does not wait for its client library."""

from collections.abc import Callable, Iterator

from services.agent.models import ChatModel, ModelRequest, Reply, Words
from services.runtime.thread_pools import DaemonPool
from services.settings import Settings


class DeferredModel:
    def __init__(self, make: Callable[[], ChatModel]) -> None:
        """`make` is called at once, on a thread of its own."""
        self._model = DaemonPool("model", 1).submit(make)

    @classmethod
    def of(cls, settings: Settings) -> "DeferredModel":
        """The model that the settings name."""

        def make() -> ChatModel:
            # Imported where it is wanted: the client library costs a second of every start.
            from services.agent.anthropic_model import AnthropicModel

            return AnthropicModel(api_key=settings.anthropic_api_key, base_url=settings.anthropic_base_url)

        return cls(make)

    def stream(self, request: ModelRequest) -> Iterator[Words | Reply]:
        """As `ChatModel.stream`; the first request of a process may have to wait until the model is there."""
        yield from self._model.result().stream(request)
