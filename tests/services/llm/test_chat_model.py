"""A deferred model: the start does not wait for it, the first request does."""

import pytest

from services.llm.chat_model import ChatModel, LazyModel, ModelRequest
from tests.agent_fakes import FakeModel, Gate, ask, says

REQUEST = ModelRequest(model="m", system=[], tools=[], messages=[])


def test_a_model_that_is_still_being_made_is_waited_for_at_the_first_request() -> None:
    gate = Gate()

    def make() -> ChatModel:
        gate.wait()
        return FakeModel(says("Hello."))

    model = LazyModel(make)
    gate.open()

    words, reply = ask(model, REQUEST)

    assert [words, reply] == says("Hello.")


def test_a_model_that_cannot_be_made_says_so_at_every_request() -> None:
    def make() -> ChatModel:
        raise ImportError("no client library")

    model = LazyModel(make)

    for _ in range(2):
        with pytest.raises(ImportError):
            ask(model, REQUEST)
