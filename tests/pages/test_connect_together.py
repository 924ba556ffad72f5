"""Connecting together on the pages: offered where it can be, agreed to once, and told at the end."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from services.connections.batch_flow import ChosenAccount
from services.connections.connect_batch import ConnectOutcome
from services.errors import RequestRefused
from tests.pages.conftest import Visitor
from ui import session
from ui.connections import connect_together

TOGETHER = {"HOMEROOM_CONSENT": "ask", "HOMEROOM_CONNECT_TOGETHER": "board, notes, misspelt"}


@pytest.fixture
def maya(make_visitor: Callable[..., Visitor]) -> Visitor:
    """A new student where two accounts go together."""
    maya = make_visitor(settings=TOGETHER)
    offered = maya.room.services.integrations
    offered["notes"] = maya.room.service.integration("notes", label="Notes")  # type: ignore[index]
    return maya


@pytest.fixture
def left_for(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that the browser was sent to."""
    addresses: list[str] = []
    monkeypatch.setattr(connect_together, "redirect_browser", addresses.append)
    return addresses


def come_back(maya: Visitor, address: str, **answer: str) -> Visitor:
    """Come back from a consent page in a page of its own, as a browser does."""
    back = Visitor(maya.room)
    state = parse_qs(urlsplit(address).query)["state"][0]
    back.opens("connections", state=state, **(answer or {"code": "Maya"}))
    return back


def begin(maya: Visitor, page: str) -> str:
    """Agree to both as the dialog does; the address of the first consent page."""
    connections = maya.room.services.connections
    accounts = [ChosenAccount(integration=id, agreed=connections.consents.terms(id)) for id in ("board", "notes")]
    return connections.begin_batch(maya.student.id, accounts, begun_on="chat" if page == "chat" else "").address


@pytest.mark.parametrize("page", ["chat", "connections"])
def test_one_button_opens_the_terms_of_all_and_the_end_tells_of_each(
    maya: Visitor, left_for: list[str], page: str
) -> None:
    maya.opens(page)
    maya.presses("Connect all 2 accounts")
    come_back(maya, begin(maya, page))
    last = come_back(maya, left_for[0], error="access_denied")

    assert maya.words.count("what your question needs of your account.") == 2
    assert "Board is connected. Not connected: Notes. You did not allow it, so Notes is not connected." in last.words
    assert set(maya.room.services.connections.all(maya.student.id)) == {"board"}
    assert "Connect the other" not in " ".join(last.labels), "one alone has its own button"


def dialog(student: object, accounts: object) -> None:
    from ui.connections import connect_together

    connect_together._draw_dialog(student, accounts, "")  # type: ignore[arg-type]


def test_one_yes_begins_what_was_agreed_to_and_an_account_without_its_token_is_left_out(
    maya: Visitor, left_for: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    services = maya.room.services
    services.integrations["feed"] = maya.room.service.integration("feed", oauth=None)  # type: ignore[index]
    monkeypatch.setattr(session, "services", lambda: services)
    accounts = [services.integrations[id] for id in ("board", "notes", "feed")]
    page = AppTest.from_function(dialog, kwargs={"student": maya.student, "accounts": accounts}, default_timeout=20)

    page.run().button(key="agree-together").click().run()

    (begun,) = services.store.for_student(maya.student.id).find("oauth_states", {})
    assert len(left_for) == 1
    assert [begun["integration"], *(account["integration"] for account in begun["batch"]["waiting"])] == [
        "board",
        "notes",
    ]


def test_one_by_one_stays_and_without_the_setting_there_is_no_button(make_visitor: Callable[..., Visitor]) -> None:
    alone = make_visitor()
    alone.room.services.integrations["notes"] = alone.room.service.integration("notes")  # type: ignore[index]
    alone.opens()

    assert "Connect Board" in alone.labels
    assert not [label for label in alone.labels if label.startswith("Connect all")]


def test_where_nothing_was_connected_the_line_is_an_error_with_what_to_do(maya: Visitor) -> None:
    failed = ConnectOutcome(integration="board", reason="It is closed.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "services", lambda: maya.room.services)
        nothing = connect_together.outcome_message([failed])
        both = connect_together.outcome_message([ConnectOutcome(integration=id) for id in ("board", "notes")])

    assert isinstance(nothing, RequestRefused)
    assert str(nothing) == "Not connected: Board. It is closed."
    assert both == "Board, Notes are connected. Ask about them in the chat."
