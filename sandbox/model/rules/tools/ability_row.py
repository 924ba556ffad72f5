"""One row of the tables of special abilities, and patterns that several rows share."""

from typing import NamedTuple


class Row(NamedTuple):
    """named: on a tool's name in words. said, unless: on the student's words. action: what it does.

    is_only: whether a tool with it is for nothing else.
    """

    named: str
    said: str
    action: str = "read"
    unless: str = ""
    whole: bool = False
    is_only: bool = True


URL = r"(?:https?://\S+|\bwww\.\S+)"
REPO = r"(?:github|\brepo(?:sitory|sitorio)?s?\b|(?<![\w/.@])[a-z0-9][\w-]*/[a-z0-9][\w.-]+(?![\w/]))"
TRACKER = r"\b(?:tracker|reading\s+list|lista\s+de\s+lecturas?|seguimiento|database|base\s+de\s+datos)\b"
DOCUMENT = r"\b(?:document|documento|docs?)\b"
PLANNER_TASK = r"\b(?:tasks?|to-?dos?|tareas?|pendientes?|planner|reminders?|recordatorios?)\b"
NO_HOUR = (
    r"(?!.*(?:\b(?:at|from|@|a\s+las?|desde\s+las?|de)\s+\d{1,2}\b(?!\s*(?:h\b|hours?|min|horas?))|\d\s*[ap]\.?m\b"
    r"|\d:\d\d))"
)
TIME = (
    r"(?:(?:me|in|us|out|off|some|enough|more|a\s+bit\s+of|algo\s+de|un\s+poco\s+de|algun|study|work|working|un|unos|una)"
    r"\s+){0,4}(?:time|tiempo|ratos?|ratitos?|huecos?)\b"
)
FOR = r"(?=.{0,25}\b(?:for|to|before|para|de|antes)\b)"
PUTS = (
    r"\b(?:put|add|book|schedule|block|pon\w*|anad\w*|agreg\w*|agend\w*|reserv\w*|mete\w*)\b.{0,30}"
    r"\b(?:calendar|schedule|agenda|calendario|it|them|in)\b"
)
TIME_FOR = (
    NO_HOUR
    + r"(?:\b(?:plan|schedule|book|block|set\s+aside|reserve|carve\s+out|allocate|protect|put|plane\w*|planific\w*"
    r"|reserv\w*|apart\w*|agend\w*|organiz\w*|bloque\w*|program\w*|pon\w*|separ\w*)\s+"
    + TIME
    + FOR
    + r"|\b(?:find|look\s+for|get|need|busca\w*|encuentra\w*|necesito)\s+"
    + TIME
    + r".{3,80}"
    + PUTS
    + r"|\bfind\s+"
    + TIME
    + r".{0,90}\bso\s+(?:that\s+)?i\s+can\s+(?:review|study|revise|prepare|work)\b"
    + r"|\b(?:want|need|like|have|going|quiero|necesito|quisiera|gustaria|tengo|voy)\s+(?:to\s+|que\s+|a\s+)?"
    r"(?:study|review|work\s+on|practi[cs]e|prepare|revise|estudiar|repasar|practicar|trabajar\s+en|preparar)\b.{0,60}"
    r"\b(?:every|each|cada|todos\s+los|todas\s+las)\s+(?:day|evening|night|morning|afternoon|weekday|dia|tarde|noche"
    r"|manana)s?\b)"
)
"""Time to be set aside for something, without an hour: sessions at good times."""
