"""Turns and budgets: refused before anything is stored, ended at a step, told once; and no request without a payer."""

import ast
from pathlib import Path

import pytest

from services.classes.budgets.budget import Budget, Limits
from services.classes.budgets.budget_repository import DEPLOYMENT
from services.conversations.turn_records import TurnRecords, TurnStatus
from services.errors import BudgetUsedUp
from services.llm.chat_model import ModelReply, ModelRequest, Payer, Usage
from services.llm.metered_model import MeteredModel
from services.llm.prices import micro_dollars
from tests.agent_fakes import FakeModel, calls, says
from tests.model_budgets import FakeMeter
from tests.room_fixtures import RoomMaker
from tests.rooms import Room

pytestmark = pytest.mark.any_store

SERVICES = Path(__file__).parents[3] / "services"


def costing(step: list[object], output: int) -> list[object]:
    """The step, whose answer is counted with so many tokens."""
    *words, reply = step
    assert isinstance(reply, ModelReply)
    return [*words, ModelReply(content=reply.content, stop_reason=reply.stop_reason, usage=Usage(output_tokens=output))]


def limit(room: Room, micros: int) -> None:
    repository = room.services.budgets.repository
    version = repository.get(DEPLOYMENT).version
    repository.save(DEPLOYMENT, Budget(share=Limits(day=micros), version=version))


def spend(room: Room, micros: int) -> None:
    room.services.budgets.reserve(Payer(student_id=room.maya.id), lambda: micros)(micros)
    room.services.budgets.flush()


def test_a_message_is_refused_before_it_is_stored(room: RoomMaker) -> None:
    here = room(says("Hello."))
    limit(here, 100)
    spend(here, 100)

    with pytest.raises(BudgetUsedUp, match="used up for today"):
        here.services.turns.start_chat(here.maya, "Hello?")

    assert here.model.requests == []
    assert here.services.store.for_student(here.maya.id).find("conversations", {}) == []


def test_a_budget_that_ends_in_an_answer_ends_it_after_its_step_and_it_can_go_on(room: RoomMaker) -> None:
    here = room(costing(calls(("board_read", {})), 10_000), says("All read."))
    limit(here, 4_000)

    chat, view = here.ask("What is on my board?")
    paused = TurnRecords(here.services.store, here.clock).last(here.maya.id, chat)
    limit(here, 1_000_000)
    here.services.turns.resume(here.maya, chat)
    after = here.watch(chat)

    assert len(here.model.requests) == 2
    assert view.status is TurnStatus.INTERRUPTED
    assert paused is not None
    assert paused.notice is not None
    assert paused.notice.action == "continue"
    assert paused.notice.sentence == "Your budget for answers is used up for today."
    assert "Answers begin again on" in paused.notice.next_step
    assert after.status is TurnStatus.DONE


def test_four_fifths_are_told_under_the_answer_once(room: RoomMaker) -> None:
    cost = micro_dollars("claude-haiku-5-5", Usage(output_tokens=10_000))
    here = room(costing(says("Hello."), 10_000), says("Hello again."))
    limit(here, int(cost / 0.9))

    chat, first = here.ask("Hello?")
    _, second = here.ask("And now?", chat)

    assert first.status is TurnStatus.DONE
    assert first.notice is not None
    assert first.notice.sentence.startswith("Four fifths of your budget for today are used.")
    assert second.notice is None


def test_what_the_api_has_counted_is_spent(room: RoomMaker) -> None:
    here = room(costing(says("Hello."), 1_000))

    here.ask("Hello?")
    here.services.budgets.flush()

    (own, whole) = here.services.budgets.scopes(Payer(student_id=here.maya.id))
    cost = micro_dollars("claude-haiku-5-5", Usage(output_tokens=1_000))
    assert sum(here.services.budgets.spent(own).days.values()) == cost
    assert sum(here.services.budgets.spent(whole).days.values()) == cost


def test_no_request_reaches_the_model_without_a_payer() -> None:
    model = FakeModel(says("Hello."))
    request = ModelRequest(model="m", system=(), tools=(), messages=())

    with pytest.raises(ValueError, match="payer"):
        MeteredModel(model, FakeMeter()).stream(request, lambda _: True)

    assert model.requests == []


def test_the_metered_model_is_the_one_way_to_the_api() -> None:
    """Who speaks to the API: the client that only the wiring makes, behind the meter, and the web search, which pays by
    its own budget.
    """
    named = {path: path.read_text(encoding="utf-8") for path in SERVICES.rglob("*.py")}
    importers = {_name(path) for path, text in named.items() if _imports(text, "anthropic")}
    makers = {
        _name(path) for path, text in named.items() if "AnthropicModel(" in text and "class Anthropic" not in text
    }

    assert {name for name in importers if not name.startswith("llm/anthropic_")} == {"integrations/search/claude.py"}
    assert makers == {"wiring/model_requests.py"}
    wired = named[SERVICES / "wiring" / "model_requests.py"]
    assert "MeteredModel(model or LazyModel(partial(_anthropic_model" in wired
    assert "with self._budget(" in named[SERVICES / "integrations" / "search" / "claude.py"]


def _name(path: Path) -> str:
    return path.relative_to(SERVICES).as_posix()


def _imports(text: str, package: str) -> bool:
    nodes = ast.walk(ast.parse(text))
    return any(
        (isinstance(node, ast.Import) and any(name.name.split(".")[0] == package for name in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package)
        for node in nodes
    )
