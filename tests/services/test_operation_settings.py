"""Settings of the operator: a bad one stops the start, with its name and what to do."""

import pytest

from services.errors import SettingsError
from services.settings.operations import LOG_FORMAT, METRICS_KEY, RETENTION, OperationSettings, RetentionDays, parse


def test_nothing_set_is_no_metrics_no_json_and_nothing_deleted() -> None:
    assert parse({}, traces_url="") == OperationSettings()


@pytest.mark.parametrize(
    ("written", "days"),
    [
        ("400", RetentionDays(chats=400, activity=400)),
        ("chats=365, activity=180", RetentionDays(chats=365, activity=180)),
        ("activity=90", RetentionDays(activity=90)),
    ],
)
def test_days_are_set_for_both_or_each(written: str, days: RetentionDays) -> None:
    assert parse({RETENTION: written}, traces_url="").retention == days


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((RETENTION, value) for value in ("0", "29", "3651", "-90", "chats", "chats=", "chats=1e3", "chats=٣٦٥")),
        *((RETENTION, value) for value in ("mail=90", "chats=90 chats=91", "90 90", "__class__=90")),
        *((METRICS_KEY, value) for value in ("k" * 3, "k" * 19, "k" * 20 + "ä", "two words of a long key")),
        (LOG_FORMAT, "xml"),
    ],
)
def test_what_is_no_setting_is_refused_by_name_and_never_repeated(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name) as refused:
        parse({name: value}, traces_url="")

    assert refused.value.next_step
    assert name != METRICS_KEY or value not in f"{refused.value} {refused.value.next_step}".split()


def test_the_key_is_in_no_repr() -> None:
    assert "k" * 24 not in repr(parse({METRICS_KEY: "k" * 24}, traces_url=""))
