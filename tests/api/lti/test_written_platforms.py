"""School systems that a deployment writes into its settings."""

import json
from dataclasses import replace
from typing import Any

import pytest

from services.classes.lti.platforms import LtiPlatforms
from services.errors import SettingsError
from services.settings.lti_platforms import VARIABLE, parse
from services.wiring.lti import platforms_of
from tests.api.lti.lti_room import LtiRoom
from tests.fakes import FollowedClock

WRITTEN = {
    "name": "Lakeside",
    "issuer": "https://moodle.example.edu",
    "client_id": "abc",
    "authorization_url": "https://moodle.example.edu/mod/lti/auth.php",
    "token_url": "https://moodle.example.edu/mod/lti/token.php",
    "jwks_url": "https://moodle.example.edu/mod/lti/certs.php",
    "deployments": ["2"],
}


def platforms(lti: LtiRoom, *written: Any) -> LtiPlatforms:
    settings = replace(lti.services.settings, lti_platforms=parse(json.dumps(written)))
    return platforms_of(settings, lti.services.store, FollowedClock())


def test_what_is_written_down_may_launch_and_is_registered_once(lti: LtiRoom) -> None:
    first, second = platforms(lti, WRITTEN), platforms(lti, WRITTEN)

    assert first.of_login("https://moodle.example.edu", "abc").deployments == ("2",)
    assert [platform.name for platform in second.all()].count("Lakeside") == 1


def test_a_deployment_that_was_allowed_since_stays(lti: LtiRoom) -> None:
    found = platforms(lti, WRITTEN).of_login("https://moodle.example.edu", "abc")
    platforms(lti, WRITTEN).allow(found.id, "3")

    assert platforms(lti, WRITTEN).of_login("https://moodle.example.edu", "").deployments == ("2", "3")


def test_one_that_no_launch_could_be_checked_with_is_left_out(lti: LtiRoom, caplog: pytest.LogCaptureFixture) -> None:
    found = platforms(lti, {**WRITTEN, "jwks_url": "http://moodle.example.edu/certs"}, {**WRITTEN, "client_id": "d"})

    assert [platform.client_id for platform in found.all() if platform.name == "Lakeside"] == ["d"]
    assert "lti_platform_not_registered field=jwks_url" in caplog.text


@pytest.mark.parametrize(
    "written",
    ["{", "{}", "[1]", json.dumps([{**WRITTEN, "more": 1}]), json.dumps([{**WRITTEN, "deployments": "2"}]), "[{}]"],
)
def test_what_is_no_list_of_them_stops_the_start(written: str) -> None:
    with pytest.raises(SettingsError, match=VARIABLE):
        parse(written)
