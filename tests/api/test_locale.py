"""A program is answered in its student's language; what is for machines is the same in all."""

import pytest
from starlette.datastructures import Headers

from api.locale import preferred_locale
from services.i18n import gettext
from tests.api.room import PIN, ApiRoom, Program

SPANISH = {"accept-language": "es-MX,es;q=0.9,en;q=0.8"}
ENGLISH = {"accept-language": "en-GB"}


@pytest.fixture
def maya(api: ApiRoom) -> Program:
    api.services.students.set_language(api.maya.student.id, "es", "es-MX")
    return api.maya


@pytest.mark.parametrize(
    ("header", "locale"),
    [
        ("es-MX,es;q=0.9,en;q=0.8", "es-MX"),
        ("en;q=0.4, es;q=0.5", "es"),
        ("fr-CA, es;q=0.3", "es"),
        ("es;q=0, en-GB;q=0.1", "en-GB"),
        ("fr", "en-US"),
        ("*", "en-US"),
        ("es;q=many", "en-US"),
        ("", "en-US"),
        ("," * 5_000 + "es", "en-US"),
    ],
)
def test_the_language_that_a_request_prefers_among_ours_counts(header: str, locale: str) -> None:
    assert preferred_locale(Headers({"accept-language": header})) == locale


def test_before_the_key_is_known_the_request_decides(api: ApiRoom) -> None:
    for headers, said in ((SPANISH, "Envía una clave tuya"), (ENGLISH, "Send a key of yours"), ({}, "Send a key")):
        error = api.maya.client.get("/api/tools", headers=headers).json()["error"]
        assert (error["code"], error["message"].startswith(said)) == ("missing_key", True)
    assert gettext("Connections") == "Connections"


def test_the_students_own_setting_wins_over_the_request(api: ApiRoom, maya: Program) -> None:
    listed = maya.get("/api/tools", headers=ENGLISH).json()["tools"]
    (reason,) = {tool["reason"]["sentence"] for tool in _lacked(api.diego, SPANISH)}
    gone = maya.post("/api/approvals/none", {"decision": "approve"}, headers=ENGLISH).json()["error"]

    descriptions = [tool.description for tool in api.services.root_tools.tools()]
    assert [tool["description"] for tool in listed] == descriptions
    assert reason == "Board is not connected."
    assert (gone["code"], gone["message"].split(".")[0]) == ("not_found", "Esa solicitud no existe")


def test_what_a_program_asks_for_waits_on_a_card_in_the_students_language(api: ApiRoom, maya: Program) -> None:
    waiting = maya.post(PIN, {"arguments": {"text": "Leche"}}).json()["approval_request_id"]

    assert api.services.approvals.get(maya.student.id, waiting).locale == "es-MX"


def _lacked(who: Program, headers: dict[str, str]) -> list[dict[str, dict[str, str]]]:
    tools = who.get("/api/tools", headers=headers).json()["tools"]
    return [tool for tool in tools if tool["reason"] and tool["reason"]["integration"] == "board"]
