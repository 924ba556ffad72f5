"""Which language a text is in, and what of it only says what not to do."""

import re

from sandbox.model.brain.text import fold

SPANISH = re.compile(
    r"\b(?:que|cual|cuando|donde|como|tengo|mis?|para|por|favor|hay|semana|manana|hoy|clase|tarea|el|los|las|una|del|"
    r"puedes|"
    r"quiero|anade|crea|agrega|busca|borra|cancela|recuerdame|gracias|hola|estoy|voy|esta|notas)\b"
)
ENGLISH = re.compile(
    r"\b(?:the|what|when|my|is|are|am|to|for|on|in|do|how|and|it|me|add|show|can|i|any|of|please|about)\b"
)
NEGATION = re.compile(
    r"\W*(?:(?:please|ok|okay|por favor)\s+)?(?:don'?t|do not|no need to|forget|no|olvida)\s"
    r"(?!let me|forget|se me|olvid)[^,.;]{3,60}[,.;]\s*"
)


def is_spanish(text: str) -> bool:
    """Whether a text is more likely Spanish than English."""
    folded = fold(text)
    marks = len(re.findall(r"[¿¡ñ]", text.lower()))
    return len(SPANISH.findall(folded)) + 2 * marks > len(ENGLISH.findall(folded))


def without_negation(text: str) -> str:
    """The text without a leading "don't …," that only says what not to do."""
    found = NEGATION.match(fold(text))
    return text[found.end() :] if found and text[found.end() :].strip() else text
