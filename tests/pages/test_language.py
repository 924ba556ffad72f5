"""Every page in Spanish: nothing that the catalogue has in Spanish stands there in English."""

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import pytest
import streamlit as st

from services.errors import SignInRequired
from services.i18n.messages import read_catalog
from services.identity import time_zones
from services.navigation import PAGES
from tests.agent_fakes import FakeModel, calls, says
from tests.discovery_facts import request
from tests.pages.conftest import Visitor

OPEN = ("knows", "limits", "tools-notes-all", "tool-usage")
"""Keys of what is drawn only while it is open. What a tool says of itself is English, for the model."""
NOT_SAID = re.compile(r"\b(key|id|session|url|page|token|element_id|form_id|autocomplete)$")
SHORTEST = 3
"""Of what a text says besides its places: "{start} to {end}" is in any English sentence, the tests' own tools', too."""
PLACE = re.compile(r"\\\{\w+\\\}")


@pytest.fixture
def maya(make_visitor: Callable[..., Visitor]) -> Visitor:
    """Reads Spanish, and has a little of everything: a chat with a step, a card, numbers, activity, a connection."""
    steps = (calls(("board_read", {})), says("Nada."), calls(("board_pin", {"text": "Leche"})), says("Listo."))
    maya = make_visitor(model=FakeModel(*steps))
    maya.room.connect()
    maya.room.services.students.set_language(maya.student.id, "es", "es-MX")
    conversation, _ = maya.room.ask("¿Qué hay?")
    maya.room.ask("Añade leche", conversation)
    maya.page.query_params["c"] = conversation
    facts = {"fresh": 2_000, "called": ("board_read",)}
    maya.room.services.accounting.record_request(request(maya.student.id, "courses", "none", **facts))
    maya.room.services.accounting.record_failure(maya.student.id, "board_read", "timed_out")
    return maya


def test_the_pages_are_said_in_spanish_through_and_through(maya: Visitor) -> None:
    for page in (page.name for page in PAGES):
        seen = Visitor(maya.room)
        for key in OPEN:
            seen.page.session_state[key] = True
        seen.opens(page, **maya.page.query_params)

        assert not seen.page.exception
        assert (page, _left_in_english(seen)) == (page, [])


def test_an_empty_chat_is_too(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor()
    maya.room.services.students.set_language(maya.student.id, "es", "es-MX")

    maya.opens()

    assert "Buenos días, Maya." in maya.words
    assert _left_in_english(maya) == []


def test_what_answers_a_click_speaks_as_the_page_did(maya: Visitor) -> None:
    maya.page.query_params.clear()
    maya.opens("insights")

    maya.page.button(key="insights-forget").click().run()

    assert "Tus números empiezan ahora de cero." in maya.words


def test_a_download_speaks_the_students_language_and_gives_nothing_to_who_is_signed_out(
    make_visitor: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit makes the file in a thread that knows of no page; here nothing asks for it, so the test takes it."""
    made: dict[str, Callable[[], bytes | str]] = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, *_, **named: made.update({label: data}))
    maya = make_visitor(claims={"iat": 100})
    maya.room.services.students.set_language(maya.student.id, "es", "es-MX")
    for page in ("week", "settings"):
        maya.opens(page)

    with ThreadPoolExecutor(1) as elsewhere:
        week = elsewhere.submit(made["Archivo de calendario"]).result()
        archive = zipfile.ZipFile(io.BytesIO(elsewhere.submit(made["Descargar todo"]).result()))
        maya.room.services.students.end_all_sessions(maya.student.id)
        refused = [elsewhere.submit(data).exception() for data in made.values()]

    assert b"Homeroom, semana del" in week
    assert "Todo lo que Homeroom guarda de ti" in archive.read("README.txt").decode()
    assert [type(error) for error in refused] == [SignInRequired] * len(made)
    assert str(refused[0]) == "Ya no tienes la sesión iniciada aquí."


def _left_in_english(visitor: Visitor) -> list[str]:
    drawn = {text.strip() for node in visitor.page._tree for text in _texts(getattr(node, "proto", None))}
    # "Port of Spain" is a place, not a part of a whole.
    zones = set(time_zones.time_zone_choices(visitor.room.services.clock()).values())
    return sorted(text for text in drawn - zones if english().fullmatch(text))


def _texts(proto: Any) -> Iterator[str]:
    """All that a part of the page says: labels, help and choices, too."""
    for field, value in proto.ListFields() if hasattr(proto, "ListFields") else ():
        for part in value if field.is_repeated else [value]:
            if isinstance(part, str) and not NOT_SAID.search(field.name) and "<style" not in part:
                yield from re.sub(r":\w+\[([^\[\]]*)\]", r"\1", part).split("\n")
            elif field.message_type is not None and hasattr(part, "ListFields"):
                yield from _texts(part)


@cache
def english() -> re.Pattern[str]:
    """Any text of the catalogue that is another one in Spanish, with whatever stands in its places."""
    found = []
    for message in read_catalog("es"):
        said = message.id if isinstance(message.id, tuple) else (message.id,)
        spanish = message.string if isinstance(message.string, tuple) else (message.string,)
        found += [text for text, other in zip(said, spanish, strict=True) if text and text != other]
    # "Agenda" is English for one thing and Spanish for another.
    spoken = {message.string for message in read_catalog("es")}
    told = (
        text for text in found if text not in spoken and len(re.sub(r"\{\w+\}", "", text).strip(" ·:,()")) >= SHORTEST
    )
    patterns = (PLACE.sub(".+", re.escape(text)) for text in told)
    return re.compile("|".join(patterns), re.DOTALL)
