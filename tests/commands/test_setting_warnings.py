"""Whoever starts Homeroom is told which settings nobody reads, with the nearest name, and who has no address."""

import pytest

from commands import settings_docs
from commands.check import KNOWN, setting_warnings


def test_the_settings_that_are_known_are_those_of_the_example() -> None:
    assert sorted(settings_docs.names(settings_docs.EXAMPLE.read_text(encoding="utf-8"))) == sorted(KNOWN)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("HOMEROOM_RETENTION_DAY", "HOMEROOM_RETENTION_DAYS"),
        ("HOMEROM_PUBLIC_URL", "HOMEROOM_PUBLIC_URL"),
        ("HOMEROOM_INSTRUCTOR", "HOMEROOM_INSTRUCTORS"),
        ("OIDC_SECRET", ""),
        ("OIDC_CLIENTSECRET", "OIDC_CLIENT_SECRET"),
        ("MONGO_URI", "MONGODB_URI"),
        ("CANVAS_BASEURL", "CANVAS_BASE_URL"),
        ("SMTP_FORM", "SMTP_FROM"),
        ("ANTHROPIC_APIKEY", "ANTHROPIC_API_KEY"),
        ("HOMEROOM_VAULT_KEY_FILE", "HOMEROOM_VAULT_KEYS"),
    ],
)
def test_a_name_that_nobody_reads_is_told_with_the_nearest_one(written: str, meant: str) -> None:
    warnings = setting_warnings({written: "x"}, people={})

    assert warnings == ([f"{written}: nothing reads this setting. Did you mean {meant}?"] if meant else [])


@pytest.mark.parametrize(
    "name",
    [
        *("PATH", "HOME", "GITHUB_API_URL", "GITHUB_ACTIONS", "GOOGLE_APPLICATION_CREDENTIALS", "HOMEROOM_DEMO"),
        *("HOMEROOM_VAULT_KEYS_FILE", "ANTHROPIC_MODEL", "SMTP_HOST", "HOMEROOM_DEMO_CLASS", "STREAMLIT_SERVER_PORT"),
    ],
)
def test_what_is_ours_or_another_program_s_is_not_told(name: str) -> None:
    assert setting_warnings({name: "x"}, people={}) == []


def test_a_setting_of_ours_that_is_near_none_is_told_all_the_same() -> None:
    assert "HOMEROOM_ZZ: nothing reads this setting." in setting_warnings({"HOMEROOM_ZZ": "x"}, people={})[0]


def test_who_is_listed_without_an_address_is_told_with_the_nearest_one() -> None:
    people = {
        "HOMEROOM_INSTRUCTORS": ["anne.okafor@campus", "Anne", "ben@campus.example"],
        "HOMEROOM_OPERATORS": ["anne.okafor@campus.example"],
    }

    assert setting_warnings({}, people=people) == [
        "HOMEROOM_INSTRUCTORS: Anne is no e-mail address, so it gives nobody a role. "
        "Write the whole address, such as anne@example.edu.",
        "HOMEROOM_INSTRUCTORS: anne.okafor@campus is no e-mail address, so it gives nobody a role. "
        "Did you mean anne.okafor@campus.example?",
    ]
