"""`WatchedModel`: a model of which one can ask whether it answered when it was asked last."""

from collections.abc import Iterator

from services.agent.models import ChatModel, ModelRequest, Reply, Words
from services.errors import ModelPaused


class WatchedModel:
    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._is_paused = False

    @property
    def answers(self) -> bool:
        """False from a refused key, bill or address on, until it answers again; what passes by itself does not count.

        What this process has seen: asking the model itself would cost a request.
        """
        return not self._is_paused

    def stream(self, request: ModelRequest) -> Iterator[Words | Reply]:
        """As `ChatModel.stream`."""
        try:
            for part in self._model.stream(request):
                self._is_paused = False
                yield part
        except ModelPaused:
            self._is_paused = True
            raise
