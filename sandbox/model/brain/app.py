"""Questions about the application itself: where it says how to connect, who sees what, and what cannot be done."""

import re

from sandbox.model.brain import phrases
from sandbox.model.brain.mind import Mind

SERVICE = r"(?:canvas|google(?:\s+calendar)?|notion|calendars?|calendario|accounts?|cuentas?|github)"
HOW = r"(?:how|where|can|como|donde|puedo)"
RULES = (
    (
        phrases.APP["connect"],
        rf"\b{HOW}\b.{{0,30}}\b(?:connect|link|hook\s+up|sync|add|conect\w*|vincul\w*|enlaz\w*|sincroniz\w*)\b.{{0,20}}{SERVICE}\b"
        rf"(?!.*\b(?:event|to\s+my)\b)|\b(?:disconnect|desconect\w*)\b.{{0,25}}{SERVICE}\b",
    ),
    (
        phrases.APP["privacy"],
        r"\b(?:my|mis?)\s+(?:data|chats?|information|info|privacy|datos|conversaciones|privacidad)\b.{0,40}"
        r"\b(?:private|safe|secure|share\w*|stored?|kept|privad\w+|segur\w+|guard\w+|compart\w+)\b"
        r"|\bwho\b.{0,20}\b(?:read|see)\b.{0,20}\b(?:my|this|these)\b|\bquien\b.{0,20}\b(?:leer?|ven?)\b.{0,20}\bmis?\b"
        r"|\bprivacy\s+policy\b|\bpolitica\s+de\s+privacidad\b|\b(?:delete|erase|export|borra\w*)\s+(?:all\s+)?(?:my|mis)\s+"
        r"(?:data|account|datos|cuenta)\b",
    ),
    (
        phrases.APP["language"],
        r"\b(?:change|switch|set|cambi\w*)\b.{0,25}\b(?:language|idioma)\b|\b(?:in|to|en|al)\s+(?:spanish|english|espanol|ingles)"
        r"\W*$",
    ),
    (
        phrases.APP["mail"],
        r"\b(?:see|read|check|open|ver|leer|revisar|abrir)\s+(?:my|mis?)\s+(?:e-?mails?|inbox|correos?|bandeja\b.*)",
    ),
    (
        phrases.APP["hand_in"],
        r"\b(?:submit|hand\s+in|turn\s+in|upload)\b.{2,40}\bfor\s+me\b|\bpuedes\s+entregar\b|\bentrega(?:lo|la)?\s+por\s+mi\b",
    ),
)
CHATS_ONLY = re.compile(r"\b(?:translate|say|traduce|como\s+se\s+dice)\b")


def about_app(mind: Mind, folded: str) -> str | None:
    """What there is to say; None for every other message."""
    if CHATS_ONLY.search(folded):
        return None
    told = next((words for words, said in RULES if re.search(said, folded)), None)
    return mind.say(*told) if told else None
