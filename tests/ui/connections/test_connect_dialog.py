"""The dialog before a connection: which address is used, and which ways in are offered there."""

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from services.connections.connection import Connection
from services.integrations.base import Integration
from services.safety.consent import Terms
from tests.consents import ASKED
from tests.fakes import FakeClock, FakeService
from tests.tool_roots import MAYA
from ui import session

WAIT_S = 10


class FakeConnections:
    """Notes what was connected."""

    def __init__(self) -> None:
        self.made: list[tuple[str, str]] = []
        self.agreed: list[Terms | None] = []
        self.consents = SimpleNamespace(terms=lambda id: ASKED.account(board()))

    def all(self, student_id: str) -> dict[str, Connection]:
        return {}

    def connect_with_token(
        self, student_id: str, integration: str, *, origin: str, token: str, agreed: Terms | None
    ) -> None:
        self.made.append((origin, token))
        self.agreed.append(agreed)


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> FakeConnections:
    made = FakeConnections()
    services = SimpleNamespace(settings=SimpleNamespace(demo=False), connections=made)
    monkeypatch.setattr(session, "services", lambda: services)
    return made


def board(**more: Any) -> Integration:
    return FakeService(clock=FakeClock()).integration("board", label="Board", accepts_token=True, **more)


def dialog(student: object, integration: object) -> None:
    from ui.connections import connect_dialog

    connect_dialog._draw_dialog(student, integration, "")  # type: ignore[arg-type]


def drawn(integration: Integration) -> AppTest:
    given = {"student": MAYA, "integration": integration}
    return AppTest.from_function(dialog, kwargs=given, default_timeout=WAIT_S).run()


def test_another_address_takes_a_pasted_token_and_never_our_own_sign_in(connections: FakeConnections) -> None:
    page = drawn(board(read_origin=str))
    listed = [button.label for button in page.button]

    page.selectbox(key="origin-board").set_value("").run()
    page.text_input(key="another-board").set_value("board.other.example")
    page.checkbox(key="agree-board").check().run()
    page.text_input(key="token-board").set_value("secret")
    next(button for button in page.button if button.label == "Check and connect").click().run()

    assert "Continue to Board" in listed
    assert "Continue to Board" not in [button.label for button in page.button]
    assert connections.made == [("board.other.example", "secret")]
    assert connections.agreed == [ASKED.account(board())]


def test_where_only_listed_addresses_are_used_no_other_can_be_written(connections: FakeConnections) -> None:
    page = drawn(board())

    assert "Another school" not in [option for selectbox in page.selectbox for option in selectbox.options]
