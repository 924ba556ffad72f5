"""Numbers and days as a locale writes them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from services.i18n import formats, gettext, locale_scope

NO_BREAK = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("locale", "whole", "with_digit"),
    [("en", "54%", "4.3%"), ("es", f"54{NO_BREAK}%", f"4,3{NO_BREAK}%"), ("en-GB", "54%", "4.3%")],
)
def test_a_percentage_is_written_as_its_locale_writes_it(locale: str, whole: str, with_digit: str) -> None:
    with locale_scope(locale):
        assert formats.percent(0.543) == whole
        assert formats.percent(0.0432, 1) == with_digit


@pytest.mark.parametrize(
    "sentence",
    [
        "Nothing happens before you approve. Waits for you until {end}.",
        "Homeroom goes on when you answer. It waits until {end}.",
    ],
)
def test_the_end_of_a_card_is_a_day_in_spanish_not_an_hour(sentence: str) -> None:
    with locale_scope("es"):
        end = formats.moment(datetime(2026, 11, 28, 17, 30, tzinfo=UTC), ZoneInfo("UTC"))

        assert f"hasta el {end}" in gettext(sentence, end=end)
        assert end.startswith("sáb 28 nov")
