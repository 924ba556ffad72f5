"""An answer of GitHub's that is none is "unavailable": nothing is missing, private or empty by it."""

import pytest

from services.integrations.github import client
from tests.campus_server import CampusServer
from tests.services.integrations.github.conftest import Call
from tests.services.integrations.github.test_tools import ACTIONS
from tests.spoiled_bodies import called_unavailable, fault_of, spoiled_bodies

PLACES = ("/repos/*/contents/*", "/repos/*/readme", "/repos/*/releases", "/repos/*/issues/7", "/search/code")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time for a second try."""
    monkeypatch.setattr(client, "CALL_S", 0.6)


@spoiled_bodies("empty list")
def test_no_action_believes_a_spoiled_answer(campus: CampusServer, ask: Call, body: str) -> None:
    for arguments, place in zip(ACTIONS, PLACES, strict=True):
        campus.fault(service="github", path=place, **fault_of(body))
        with called_unavailable(f"{arguments['action']}, {body!r}"):
            ask(**arguments)
        campus.clear_faults()


@spoiled_bodies()
def test_no_repository_is_private_and_no_folder_empty_by_a_spoiled_answer(
    campus: CampusServer, ask: Call, body: str
) -> None:
    campus.fault(service="github", path="/repos/campus-cs/cs101-starter", **fault_of(body))
    for arguments in ACTIONS[:4]:
        with called_unavailable(f"{arguments['action']}, {body!r}"):
            ask(**arguments)
    campus.clear_faults()

    campus.fault(service="github", path="/repos/*/contents/", **fault_of(body))
    with called_unavailable(f"a folder, {body!r}"):
        ask(action="get_file", owner="campus-cs", repo="cs101-starter")


@spoiled_bodies("empty list")
def test_a_discussion_is_not_empty_by_a_spoiled_answer(campus: CampusServer, ask: Call, body: str) -> None:
    campus.fault(service="github", path="/repos/*/comments", **fault_of(body))

    with called_unavailable(body):
        ask(action="get_issue", owner="campus-cs", repo="cs101-starter", issue_number=7)
