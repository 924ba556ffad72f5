"""`manage.py check` finds a wrong secret of the sign-in provider, and what is told of the settings."""

from dataclasses import replace

import pytest

from commands.check import sign_in_problem, tell_warnings
from services.settings import Settings, read
from tests.campus_server import CampusServer
from tests.spoiled_bodies import fault_of, spoiled_bodies


@pytest.fixture
def settings(campus: CampusServer) -> Settings:
    return read(
        {
            "ANTHROPIC_API_KEY": "key",
            "OIDC_METADATA_URL": f"{campus.url}/oidc/.well-known/openid-configuration",
            "OIDC_CLIENT_ID": "homeroom",
            "OIDC_CLIENT_SECRET": "homeroom-demo-secret",
            "HOMEROOM_PUBLIC_URL": "https://homeroom.example",
            "HOMEROOM_COOKIE_SECRET": "c" * 40,
            "HOMEROOM_VAULT_KEYS": "k1:x",
            "HOMEROOM_INSTRUCTOR": "anne@campus.example",
        }
    )


def test_a_good_client_and_secret_are_no_problem(settings: Settings) -> None:
    assert sign_in_problem(settings) == ""


@pytest.mark.parametrize("wrong", [{"oidc_client_secret": "another"}, {"oidc_client_id": "another"}])
def test_a_wrong_client_or_secret_is_told_by_its_setting(settings: Settings, wrong: dict[str, str]) -> None:
    assert sign_in_problem(replace(settings, **wrong)).startswith("OIDC_CLIENT_SECRET: ")


@pytest.mark.parametrize("path", ["/oidc/nothing", "/canvas"])
def test_an_address_that_is_no_configuration_is_told_by_its_setting(settings: Settings, path: str) -> None:
    campus_url = settings.oidc_metadata_url.partition("/oidc/")[0]
    other = replace(settings, oidc_metadata_url=f"{campus_url}{path}")

    assert sign_in_problem(other).startswith("OIDC_METADATA_URL: ")
    assert sign_in_problem(replace(settings, oidc_metadata_url="http://127.0.0.1:9/")).startswith("OIDC_METADATA_URL: ")


def test_a_setting_that_nobody_reads_is_told_with_the_nearest_one(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tell_warnings(settings)
    assert (
        "HOMEROOM_INSTRUCTOR: nothing reads this setting. Did you mean HOMEROOM_INSTRUCTORS?" in capsys.readouterr().err
    )


@spoiled_bodies()
@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token"])
def test_a_provider_that_answers_nonsense_is_not_called_good(
    campus: CampusServer, settings: Settings, path: str, body: str
) -> None:
    campus.fault(service="oidc", path=path, **fault_of(body))

    assert sign_in_problem(settings).startswith("OIDC_METADATA_URL: ")
