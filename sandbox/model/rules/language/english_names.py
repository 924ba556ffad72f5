"""Spanish words for things that courses and pages often call by English names, for a second look."""

import unicodedata

from sandbox.model.rules.language.courses import in_english as subject_in_english
from sandbox.model.rules.language.text import tokens

NAMES = {
    "laboratorio": "lab", "laboratorios": "lab", "practica": "lab", "examen": "exam", "examenes": "exam",
    "parcial": "midterm", "parciales": "midterm", "final": "final", "ensayo": "essay", "ensayos": "essay",
    "cuestionario": "quiz", "control": "quiz", "prueba": "test", "proyecto": "project", "tarea": "homework",
    "deberes": "homework", "informe": "report", "reporte": "report", "trabajo": "paper", "lectura": "reading",
    "presentacion": "presentation", "foro": "discussion", "debate": "discussion", "unidad": "unit", "tema": "unit",
    "semana": "week", "modulo": "module", "problemas": "problem", "clase": "lecture", "resumen": "summary",
    "celula": "cell", "mitosis": "mitosis", "guerra": "war", "fria": "cold", "dentista": "dentist", "cafe": "coffee",
    "reunion": "meeting", "cumpleanos": "birthday", "gimnasio": "gym", "turno": "shift", "biblioteca": "library",
    "estudio": "study", "grupo": "group", "conferencia": "lecture", "vocabulario": "vocabulary",
}  # fmt: skip


def in_english(text: str) -> str:
    """The text with the words that have an English name; empty when it has none of them."""
    found = tokens(text)
    told = [NAMES.get(token.word) or subject_in_english(token.word) for token in found]
    if not any(told) or all(word == token.word for word, token in zip(told, found, strict=True) if word):
        return ""
    kept = [word or text[token.start : token.end] for word, token in zip(told, found, strict=True)]
    return " ".join(kept)


def without_accents(text: str) -> str:
    """The text as those type it who leave accents away: "recursión" as "recursion"."""
    return "".join(one for one in unicodedata.normalize("NFD", text) if not unicodedata.combining(one))
