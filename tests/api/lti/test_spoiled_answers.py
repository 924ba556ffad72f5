"""An answer of a school's system that is none: nobody leaves a class by it, and no key is forgotten."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from services.errors import PermissionMissing
from tests.api.lti.lti_room import PUBLIC, LtiRoom, refusal_of
from tests.api.lti.platform_server import OTHER_KEY, PlatformServer
from tests.api.lti.test_services import taught
from tests.spoiled_bodies import SPOILED, called_unavailable, spoiled_bodies


def answering(lti: LtiRoom, monkeypatch: pytest.MonkeyPatch, place: str, status: int, body: str) -> None:
    """Let the school's system answer so at one place."""
    whole = type(lti.platform).answer

    def answer(method: str, path: str, sent: bytes, bearer: str) -> tuple[int, Any, Mapping[str, str]]:
        is_there = path.startswith(place)
        return (status, body.encode(), {}) if is_there else whole(lti.platform, method, path, sent, bearer)

    monkeypatch.setattr(lti.platform, "answer", answer)


@spoiled_bodies()
def test_no_class_is_empty_by_a_spoiled_answer(lti: LtiRoom, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    _, teacher = taught(lti)
    [(school_class, _)] = lti.services.classroom.classes.of_student(teacher.id)

    for place in ("/members", "/token"):
        answering(lti, monkeypatch, place, 200, SPOILED[body])
        with called_unavailable(f"{place}, {body!r}"):
            lti.lti.rosters.compare(teacher, school_class.id)


@pytest.mark.parametrize(("status", "is_refused"), [(400, True), (401, True), (404, False), (503, False)])
def test_only_a_refusal_means_that_homeroom_may_not_read_the_list(
    lti: LtiRoom, monkeypatch: pytest.MonkeyPatch, status: int, is_refused: bool
) -> None:
    _, teacher = taught(lti)
    [(school_class, _)] = lti.services.classroom.classes.of_student(teacher.id)
    answering(lti, monkeypatch, "/token", status, "{}")

    if is_refused:
        with pytest.raises(PermissionMissing):
            lti.lti.rosters.compare(teacher, school_class.id)
    else:
        with called_unavailable(str(status)):
            lti.lti.rosters.compare(teacher, school_class.id)


@spoiled_bodies()
def test_the_keys_of_a_platform_stay_when_it_answers_with_none(
    lti: LtiRoom, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    assert refusal_of(lti.browser().launch()) == ""
    answering(lti, monkeypatch, "/jwks", 200, SPOILED[body])
    monkeypatch.setitem(lti.platform.keys, "k2", OTHER_KEY)
    monkeypatch.setattr(lti.platform, "sign", lambda claims: type(lti.platform).sign(lti.platform, claims, kid="k2"))

    refusal = refusal_of(lti.browser().launch())
    monkeypatch.undo()

    assert refusal == "keys_unreachable"
    assert refusal_of(lti.browser().launch()) == ""


@pytest.mark.parametrize("body", ['{"keys": []}', '{"keys": [{}]}', '{"keys": [{"kty": "EC"}]}'])
def test_a_key_set_without_a_key_for_launches_is_no_answer(
    lti: LtiRoom, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    answering(lti, monkeypatch, "/jwks", 200, body)

    assert refusal_of(lti.browser().launch()) == "keys_unreachable"


@pytest.mark.parametrize("place", ["/openid", "/register"])
@spoiled_bodies(tells=("null", "empty object"))
def test_no_school_is_registered_by_a_spoiled_answer(
    tmp_path: Path, platform: PlatformServer, monkeypatch: pytest.MonkeyPatch, place: str, body: str
) -> None:
    lti = LtiRoom(tmp_path, platform, is_registered=False)
    link = lti.lti.invites.create("Riverside").removeprefix(PUBLIC)
    before = lti.lti.platforms.all()
    answering(lti, monkeypatch, place, 200, SPOILED[body])

    page = lti.browser().send("GET", f"{link}&openid_configuration={platform.origin}/openid")

    assert page.status_code in (400, 502)
    assert lti.lti.platforms.all() == before
    monkeypatch.undo()
    again = lti.browser().send("GET", f"{link}&openid_configuration={platform.origin}/openid")
    assert again.status_code == 200
    lti.services.store.close()
