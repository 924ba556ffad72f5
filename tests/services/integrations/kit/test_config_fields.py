"""Declared settings: what is missing switches an extension off, what is wrong stops the start by its name."""

import pytest

from services.errors import SettingsError
from services.integrations.base import ConfigField
from services.integrations.kit.config_fields import env_lines, missing_variables

FIELDS = (
    ConfigField(env="SHELF_URL", description="Where the shelf is.", required=True, kind="address"),
    ConfigField(env="SHELF_SIZE", description="How many books it holds.", kind="number"),
    ConfigField(env="SHELF_ORDER", description="How it is sorted.", options=("title", "author")),
    ConfigField(env="SHELF_ROOMS", description="Where it is told.", kind="addresses"),
    ConfigField(env="SHELF_OPEN", description="Whether anybody may look.", kind="switch"),
    ConfigField(env="SHELF_LOCK", description="The lock on it.", needs=("SHELF_KEY",)),
    ConfigField(env="SHELF_KEY", description="The key to it.", is_secret=True, needs=("SHELF_LOCK",)),
)
URL = {"SHELF_URL": "https://shelf.example"}


def test_nothing_set_is_nothing_wanted() -> None:
    assert missing_variables(FIELDS, {"OTHER_URL": "x"}) == ["SHELF_URL"]
    assert missing_variables(FIELDS, URL) == []


@pytest.mark.parametrize(
    ("given", "name", "problem"),
    [
        ({"SHELF_KEY": "secret"}, "SHELF_URL", "is missing beside SHELF_KEY"),
        ({"SHELF_URL": "shelf.example"}, "SHELF_URL", "is not an http"),
        ({**URL, "SHELF_SIZE": "lots"}, "SHELF_SIZE", "is not a whole number"),
        ({**URL, "SHELF_KEY": "secret"}, "SHELF_LOCK", "is missing beside SHELF_KEY"),
        ({**URL, "SHELF_LOCK": "brass"}, "SHELF_KEY", "is missing beside SHELF_LOCK"),
        ({**URL, "SHELF_ROOMS": "https://a.example, attic"}, "SHELF_ROOMS", "holds something that is not an http"),
        ({**URL, "SHELF_ROOMS": "https://me:pw@a.example"}, "SHELF_ROOMS", "holds something that is not an http"),
        ({**URL, "SHELF_OPEN": "maybe"}, "SHELF_OPEN", "is neither 1 nor 0"),
        ({**URL, "SHELF_ORDER": "colour"}, "SHELF_ORDER", "is not one of title, author"),
    ],
)
def test_a_wrong_setting_is_named_and_its_value_is_not_shown(given: dict[str, str], name: str, problem: str) -> None:
    with pytest.raises(SettingsError) as refused:
        missing_variables(FIELDS, given)

    assert refused.value.name == name
    assert problem in str(refused.value)
    assert not any(value in f"{refused.value} {refused.value.next_step}" for value in given.values())


def test_each_field_has_its_lines_for_env() -> None:
    lines = list(env_lines(FIELDS))

    assert lines[:2] == ["# Where the shelf is. (required)", "SHELF_URL="]
    assert "# How it is sorted. One of: title, author. (optional)" in lines
    assert lines[-2:] == ["# The key to it. (optional, secret)", "SHELF_KEY="]
