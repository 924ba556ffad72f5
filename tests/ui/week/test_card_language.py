"""A card that the week asks for is written in the language of its page, also by a tool in another thread."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from types import SimpleNamespace
from typing import Any

import pytest

from services.i18n import locale
from services.identity.students import Student
from ui.week import week_actions

MAYA = Student(id="maya", name="Maya", email="", timezone="America/Chicago")


class FakeGateway:
    """Calls tools as the real one does: in a thread with a copy of the caller's context."""

    def __init__(self) -> None:
        self.locales: list[str] = []

    def call(self, *_: Any, **__: Any) -> SimpleNamespace:
        with ThreadPoolExecutor(1) as pool:
            self.locales.append(pool.submit(copy_context().run, locale.get_locale).result())
        return SimpleNamespace(requires_approval=True)


def test_a_card_is_written_in_the_language_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    # A dialog's run has no locale of its own: Streamlit's thread alone knows that of the page.
    main = threading.current_thread()
    monkeypatch.setattr(locale, "_selector", [lambda: "es" if threading.current_thread() is main else "en-US"])
    gateway = FakeGateway()
    monkeypatch.setattr("ui.session.services", lambda: SimpleNamespace(gateway=gateway))

    week_actions.propose_change(MAYA, "calendar_add_study_sessions", {})

    assert [tag.partition("-")[0] for tag in gateway.locales] == ["es"]
