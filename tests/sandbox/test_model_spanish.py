"""To who writes Spanish, the demo model tells what tools found in Spanish: their words, and nobody else's."""

import re
from datetime import date

import pytest

from sandbox.model.rules.language.messages import messages
from sandbox.model.rules.language.translation import all_in_spanish
from sandbox.model.rules.language.vocabulary import pairs
from services.i18n import formats, locale_scope

COURSE = "WRIT 110: College Writing: Arguing with Evidence"
LINES = {
    f"3 assignments of the kind “essay” in {COURSE} due Sat 21 Nov 2026 – Sat 20 Mar 2027 (Canvas, as of 5:31 PM).": (
        f"3 entregas del tipo «ensayo» en {COURSE} para el sáb 21 nov 2026 – sáb 20 mar 2027 (Canvas, a las 17:31)."
    ),
    f"7 assignments in {COURSE} not handed in (Canvas, as of 1:05 AM).": (
        f"7 entregas en {COURSE} sin entregar (Canvas, a la 1:05)."
    ),
    f"2 modules in {COURSE} with 6 items (Canvas, as of 5:31 PM).": (
        f"2 módulos en {COURSE} con 6 elementos (Canvas, a las 17:31)."
    ),
    "91.73 % (A-) now in Second half, the current grading period": (
        "91.73 % (A-) ahora en Second half, el periodo actual"
    ),
    "Likely to take about 2½ hours, by Homeroom's rule of thumb": (
        "Llevará aprox. 2½ horas, según el cálculo aproximado de Homeroom"
    ),
    "Group: Papers and exams (45 % of the grade)": "Grupo: Papers and exams (45 % de la calificación)",
    "10 results, the last edited first (Notion, as of 5:31 PM).": (
        "10 resultados, primero lo último editado (Notion, a las 17:31)."
    ),
    "Note: only the first 25 of 31 are shown.": "Nota: solo se muestran 25 de 31.",
    "Note: counted as busy: “Trip” (Sat 21 Nov 2026, all day).": (
        "Nota: cuenta como ocupado: “Trip” (sáb 21 nov 2026, todo el día)."
    ),
    "No open tasks (Homeroom planner, as of 5:31 PM).": "Ningún pendiente por hacer (agenda de Homeroom, a las 17:31).",
    "2 blocked or waiting tasks (Homeroom planner, as of 5:31 PM).": (
        "2 pendientes en espera (agenda de Homeroom, a las 17:31)."
    ),
    "no due date": "sin fecha de entrega",
    "overdue": "con atraso",
    "started": "en curso",
    "waits for “Read it” (no due date, not started); blocked: no book": (
        "espera a «Read it» (sin fecha de entrega, sin empezar); bloqueado: no book"
    ),
    "**“Gym” and “Choir”**": "**«Gym» y «Choir»**",
    "**Module: Unit 2 · Energy**": "**Módulo: Unit 2 · Energy**",
    "5 of 5 done": "5 de 5 hechos",
}
ENGLISH = re.compile(r"\b(?:the|of|due|with|and|not|handed|was|from|task|tasks|assignment|found|open|done)\b", re.I)
OWN_WORDS = re.compile(r"\{\w+\}|`[^`]*`|ANTHROPIC_API_KEY|/call")


@pytest.mark.parametrize("line", LINES)
def test_what_tools_say_themselves_is_in_spanish_and_other_peoples_words_stay(line: str) -> None:
    assert all_in_spanish(line) == LINES[line]


def test_a_line_with_one_unknown_word_is_left_alone_whole() -> None:
    assert all_in_spanish("Note: only the first 25 of 31 are zyzzyva.") == ""


def test_no_spanish_sentence_of_the_model_has_english_words_or_the_compound_past() -> None:
    said = [spanish for _, spanish in (*messages().values(), *pairs("spanish.txt", "frames"))]
    found = [text for text in said if ENGLISH.search(OWN_WORDS.sub("", text))]

    assert found == []
    assert [text for text in said if re.search(r"\b[Hh](?:e|a|emos) \w+[ai]do\b", text)] == []


def test_each_frame_keeps_the_places_that_its_english_has() -> None:
    named = re.compile(r"\{(\w+)\}")
    lost = {"start"}

    assert [e for e, s in pairs("spanish.txt", "frames") if set(named.findall(e)) - lost != set(named.findall(s))] == []


def test_days_are_written_as_the_interface_writes_them() -> None:
    with locale_scope("es-MX"):
        day = formats.day(date(2026, 11, 27))

    assert all_in_spanish("due Fri 27 Nov 2026") == f"para el {day}"
