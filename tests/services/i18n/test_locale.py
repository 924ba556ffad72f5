"""A text is said in the language of whoever reads it, and English where nothing else is known."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from services.i18n import formats, gettext, locale_scope, negotiate_locale, ngettext
from services.runtime.thread_pools import DaemonPool


def test_english_is_what_the_code_says() -> None:
    assert gettext("Connections") == "Connections"
    assert ngettext("{n} event", "{n} events", 1200) == "1,200 events"


def test_a_text_is_said_in_the_language_of_the_block_only() -> None:
    with locale_scope("es-MX"):
        assert gettext("Connections") == "Conexiones"
    assert gettext("Connections") == "Connections"


def test_a_text_that_the_catalogue_does_not_have_stays_as_it_is() -> None:
    with locale_scope("es"):
        assert gettext("Zyzzyva {name}", name="{braces}") == "Zyzzyva {braces}"
        assert gettext("") == ""


def test_another_thread_speaks_english_and_a_pool_speaks_as_who_submits() -> None:
    with locale_scope("es"), ThreadPoolExecutor(1) as threads:
        assert threads.submit(gettext, "Connections").result() == "Connections"
        assert DaemonPool("words", 1).submit(gettext, "Connections").result() == "Conexiones"


@pytest.mark.parametrize(
    ("tag", "chosen", "locale"),
    [
        ("en-GB", None, "en-GB"),
        ("es-MX", None, "es-MX"),
        ("es", None, "es"),
        ("es-419", None, "es-419"),
        ("fr-CA", None, "en-US"),
        ("fr-CA", "es", "es"),
        ("es-AR", "en", "en-US"),
        ("es-AR", "es", "es-AR"),
        ("", None, "en-US"),
        (None, "es", "es"),
        ("x" * 500, None, "en-US"),
        ("en-XX-<script>", None, "en-US"),
        ("es-<script>", None, "es"),
        ("es-XX", None, "es"),
        ("es_MX.UTF-8", None, "es-MX"),
        ("es-MX-u-ca-gregory", None, "es-MX"),
        ("español", None, "en-US"),
        ("estonian", None, "en-US"),
        ("es\ud800", "es", "es"),
        ("../../es", None, "en-US"),
    ],
)
def test_the_nearest_locale_is_one_that_we_speak(tag: str | None, chosen: str | None, locale: str) -> None:
    assert negotiate_locale(tag, language=chosen) == locale


@pytest.mark.parametrize("odd", ["es-XX", "xx", "../../x", "es-<b>", "en_US", "x" * 5000, "fr-FR", "\x00", "", 5, None])
def test_a_locale_that_is_none_still_speaks(odd: Any) -> None:
    with locale_scope(odd):
        said = ngettext("{n} event", "{n} events", 1200), formats.day(date(2026, 11, 27)), formats.clock(time(9, 5))

    assert all(said)


@pytest.mark.parametrize("hostile", ["{0.__class__}", "{name}", "{", "}}", "%s", "**", "\u202etxt", "{n!r:>99999}"])
def test_what_fills_a_place_is_text(hostile: str) -> None:
    for locale in ("en-US", "es-MX"):
        with locale_scope(locale):
            assert hostile in gettext("Connected as {name}", name=hostile)
            assert hostile in ngettext("{n} event by {who}", "{n} events by {who}", 2, who=hostile)


@pytest.mark.parametrize(
    ("locale", "day", "clock", "number"),
    [
        ("en-US", "Fri 27 Nov 2026", "11:59 PM", "12,345.5"),
        ("en-GB", "Fri 27 Nov 2026", "23:59", "12,345.5"),
        ("es", "vie 27 nov 2026", "23:59", "12.345,5"),
        ("es-MX", "vie 27 nov 2026", "11:59 p.m.", "12,345.5"),
    ],
)
def test_days_times_and_numbers_are_written_by_locale(locale: str, day: str, clock: str, number: str) -> None:
    with locale_scope(locale):
        assert formats.day(date(2026, 11, 27)) == day
        assert formats.clock(time(23, 59)) == formats.clock(datetime(2026, 11, 27, 23, 59, tzinfo=UTC)) == clock
        assert formats.number(12345.5) == number


def test_a_sentence_that_ends_with_a_time_has_one_point() -> None:
    with locale_scope("es-MX"):
        at = formats.clock(time(15, 19))
        assert at.endswith(".")
        assert gettext("The next card comes at {time}.", time=at).endswith("las 3:19 p.m.")
        assert gettext(
            "{problem} “{name}” is shown as it was at {time}.", problem="Ay.", name="X.", time=at
        ).startswith("Ay. «X.»")


def test_one_o_clock_is_singular_in_spanish_and_other_hours_are_not() -> None:
    with locale_scope("es-MX"):
        for hour, said in ((1, "la 1:05 p.m."), (3, "las 3:05 p.m."), (11, "las 11:05 p.m.")):
            end = formats.clock(time(12 + hour, 5))
            assert gettext("The next card comes at {time}.", time=end).endswith(f" {said}")
    with locale_scope("es"):
        at = formats.clock(time(13, 5))
        assert gettext("Tested at {at}: {meaning}", at=at, meaning="a las 1:05") == "Probado a las 13:05: a las 1:05"


@pytest.mark.parametrize(
    ("locale", "is_whole_day", "day", "written"),
    [
        ("en-US", False, "", "Fri 27 Nov, 11:59 PM"),
        ("en-US", True, "", "Fri 27 Nov"),
        ("es-ES", False, "hoy", "hoy, 23:59"),
        ("es-ES", True, "hoy", "hoy"),
    ],
)
def test_what_is_due_is_written_with_its_hour_unless_a_whole_day_is_meant(
    locale: str, is_whole_day: bool, day: str, written: str
) -> None:
    at = datetime(2026, 11, 27, 23, 59, tzinfo=UTC)

    with locale_scope(locale):
        assert formats.due(at, is_whole_day=is_whole_day, day=day) == written
