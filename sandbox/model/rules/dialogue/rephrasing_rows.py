"""The table of messages that are told again in plain words; patterns on folded text, with blanks as `\\s`."""

import re
from typing import NamedTuple

from sandbox.model.rules.responses import remarks

UNDO = re.compile(
    r"^\W*(?:(?:ok|okay|no|wait|please|actually|oops|can\s+you|could\s+you|hmm|espera|ups|por\s+favor)\W+)*"
    r"(?:undo|revert|take\s+(?:it|that)\s+back|(?:put|change|move|bring|get)\s+(?:it|that)\s+back|restore|recupera\w*|traelo\s+de\s+vuelta|deshaz\w*|deshacer|revierte\w*"
    r"|dejal[oa]\s+como\s+estaba|ponl[oa]\s+como\s+estaba)\b(?:\W+(?:it|that|this|the|last|change|one|please|eso|lo"
    r"|ultimo|cambio|el|por\s+favor|to\s+how\s+it\s+was))*\W*$"
)


PUT_IT = re.compile(
    r"^\W*(?:(?:ok|please|can\s+you|could\s+you|por\s+favor|y)\W+)*(?:add|put|save|pon|agrega|anade|mete|ponl[oa]s?|agregal[oa]s?)\s+"
    r"(?:it|that|this|them|those|these|eso|esa|ese)?\s*(?:to|on|in|into|en|a)\s+(?:my|the|mi|el)\s+(?:calendar|calendario|agenda)\W*$"
)
IS_DONE = re.compile(r"— (?:graded|handed in|done|excused)\b")


class Row(NamedTuple):
    """said, unless: on the student's words. told: the same in plain English and Spanish; None keeps their words.

    {day} and {works} are filled with what the message names, {rest} with the first group of the pattern.
    """

    said: str
    told: tuple[str, str] | None = None
    remark: tuple[str, str] | None = None
    unless: str = r"(?!)"


ASKS_WHAT_TO_DO = (
    r"(?:what\s+(?:do|should|can|shall)\s+i\s+do|what\s+now|any\s+(?:ideas|advice)|help(?:\s+me)?|que\s+hago"
    r"|que\s+puedo\s+hacer)"
)
DAY_NAMED = (
    r"(?:today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|hoy|manana|lunes|martes|miercoles|jueves"
    r"|viernes|sabado|domingo)"
)
END = r"(?:\s+(?:right\s+now|today|this\s+week|coming\s+up|for\s+me|hoy|ahora|esta\s+semana|para\s+mi))*\W*$"
TO_ME = r"(?:\b(?:me|for\s+me)\b\s*)?"
ROWS = (
    # Two questions of which one list answers both: it has the points of each.
    Row(
        r"^(.{8,}?)\W+(?:and|y)\s+(?:(?:how\s+much|what|cuant[oa]s?)\b.{0,25}\b(?:worth|points|count|vale\w*|puntos|cuenta)\b"
        r".{0,20})$",
        ("{rest}", "{rest}"),
        unless=r"^(?!.*\b(?:each|every|they|all|of\s+them|it\s+all|cada|tod[oa]s?|valen)\b)",
    ),
    Row(
        r"\b(?:gpa|grade\s+point\s+average|promedio\s+general)\b",
        ("how are my grades?", "¿cómo van mis calificaciones?"),
        remarks.NO_GPA,
        unless=r"\b(?:what\s+is\s+a|how\s+is|calculate|web|search|if\s+i)\b",
    ),
    Row(
        r"\b(?:don'?t|do\s+not|no)\s+(?:have|got|tengo)\s+(?:enough\s+|suficiente\s+)?(?:time|tiempo)\b.*\b(?:first|primero|do|hago)\b",
        ("what should I work on first?", "¿en qué trabajo primero?"),
        remarks.A_LOT,
    ),
    Row(
        r"\b(?:how\s+long|how\s+much\s+time|cuanto(?:\s+tiempo)?)\s+(?:will|does|do|should|is|would|me\s+va\s+a|me)\s+"
        r"(?:(?:the|my|this|it|el|la|mi)\s+)*(?:llevar\w*\s+|tomar\w*\s+|lleva\s+|toma\s+)?(?:(?:the|my|el|la|mi)\s+)?([\w\s]{3,40}?)"
        r"(?:\s+(?:going\s+to\s+)?(?:take|need|last))?(?:\s+me)?\W*$",
        ("prioritize my {rest}", "prioriza {rest}"),
        unless=r"^(?!.*\b(?:take|need|llev\w+|tom\w+)\b)|\b(?:class|lecture|lab\s+section|exam|meeting|event|shift|walk|clase|reunion)\b",
    ),
    # A plan that is to stand in the calendar is made of sessions.
    Row(
        r"\bplan(?:\s+de\s+estudio)?\s+(?:for|para)\s+(?:(?:the|my|all\s+my|los|mis)\s+)?(?:finals?(?:\s+week)?|(?:final\s+)?exams?"
        r"|finales|examenes(?:\s+finales)?)\W+(?:and|y)\s+.*\b(?:calendar|calendario|agenda)\W*$",
        (
            "schedule three study sessions before my next final exam",
            "agenda tres sesiones de estudio antes de mi próximo examen final",
        ),
    ),
    Row(
        r"\b(?:make|create|build|do|need|haz\w*|crea\w*|arma\w*)\b.{0,12}\b(?:study\s+)?plan(?:\s+de\s+estudio)?\s+(?:for|para)\s+"
        r"(?:the\s+|my\s+|el\s+|los\s+|mis?\s+)?(.+?)\W+(?:and|y)\s+(?:then\s+)?(?:put|add|schedule|pon\w*|anad\w*|agrega\w*|mete\w*)\b"
        r".*\b(?:calendar|calendario|agenda)\W*$",
        ("schedule three study sessions before the {rest}", "agenda tres sesiones de estudio antes del {rest}"),
    ),
    Row(
        r"^\W*(?:who(?:'?s|s|\s+is|\s+are)|what(?:'?s|\s+is)\s+the\s+name\s+of|quien(?:es)?\s+(?:es|son))\s+(?:(?:my|the|our|el|la|mi|los|mis)\s+)"
        r"(?:[\w\s]{0,25}\b)?(?:tas?|teaching\s+assistants?|prof\w*|teachers?|instructors?|lecturers?|maestr[oa]s?|docentes?)\b",
        ("list my courses with their teachers", "muestra mis cursos con sus profesores"),
        remarks.TEACHERS,
    ),
    # A worry about a day: what that day holds, so that the student can choose.
    Row(
        rf"^\W*(?:i|my|tengo|mi)\b.*\b(?:due|deadline|work|shift|exam|class|entreg\w+|turno|examen|clase)\b.*\b{ASKS_WHAT_TO_DO}\W*$",
        (
            "what is due on {day} and what is on my calendar on {day}?",
            "¿qué se entrega el {day} y qué hay en mi calendario el {day}?",
        ),
        remarks.A_HARD_DAY,
        unless=rf"^(?!.*\b{DAY_NAMED}\b)",
    ),
    Row(
        r"\b(?:stress\w*|anxious|panick\w*|overwhelm\w*|drowning|freaking\s+out|so\s+behind|estresad[oa]|agobiad[oa]|abrumad[oa])\b",
        None,
        remarks.A_LOT,
        unless=r"\b(?:notes?|apuntes|essay|paper|reading|web|search|what\s+is|define)\b",
    ),
    Row(
        r"^\W*(?:is\s+there\s+|do\s+i\s+have\s+|have\s+i\s+got\s+)?any(?:thing)?\s+(?:really\s+|super\s+)?(?:urgent|pressing|important)"
        + END
        + r"|^\W*(?:what'?s|whats|what\s+is)\s+(?:urgent|pressing|important|on\s+fire)"
        + END
        + r"|^\W*(?:hay\s+|tengo\s+)?algo\s+(?:muy\s+)?urgente"
        + END,
        ("what should I work on first?", "¿en qué trabajo primero?"),
    ),
    Row(
        r"\bwhat(?:'?d|\s+did|\s+have|\s+all\s+did)?\s+i\s+miss(?:ed)?\b(?!\s+(?:on|in|from)\s+(?:the\s+)?(?:quiz|exam|test|midterm|lab|class))"
        r"|\bque\s+me\s+(?:he\s+)?perdi(?:do)?\b",
        (
            "what was due last week and what announcements are there?",
            "¿qué había que entregar la semana pasada y qué anuncios hay?",
        ),
        unless=r"\b(?:yesterday|today|ayer|hoy)\b",
    ),
    Row(
        r"\bdid\s+i\s+miss\s+(?:anything|something)\b.*\byesterday\b|\bwhat\s+did\s+i\s+miss\s+yesterday\b|\bme\s+perdi\s+algo\s+ayer\b",
        ("what was due yesterday and what announcements are there?", "¿qué se entregaba ayer y qué anuncios hay?"),
    ),
    Row(
        r"\bcuanto\s+me\s+falta\s+(?:para|pa)\s+(?:pasar|aprobar)\s+(.+?)\W*$",
        ("what do I need to pass {rest}?", "¿cuánto necesito para aprobar {rest}?"),
    ),
    Row(
        r"^\W*(?:please\s+)?remind\s+me\s+(?:about|of)\s+(?:(?:the|my)\s+)?(.+?)\s+(?:a|one|1|the)\s+day\s+before(?:\s+it(?:'?s|\s+is)\s+due)?\W*$",
        ("add the due date of my {rest} to my calendar", "pon la fecha de entrega de {rest} en mi calendario"),
    ),
    Row(
        r"^\W*(?:what|how)\s+(?:grade\s+|score\s+)?did\s+i\s+(?:get|score|make|do)\s+on\s+(?:the|my)\s+(?:midterms?|exams?|quiz(?:zes)?|essays?|tests?)\W*$",
        ("which {works} of mine were graded?", "¿qué {works} míos están calificados?"),
    ),
    Row(
        r"\b(?:catch|fill)\s+me\s+(?:up|in)\b|\bponme\s+al\s+(?:dia|corriente)\b"
        r"|^\W*(?:what'?s|whats|what\s+is)\s+new\W*$|^\W*que\s+hay\s+de\s+nuevo\W*$",
        (
            "which assignments are overdue and what announcements are there?",
            "¿qué entregas tengo atrasadas y qué anuncios hay?",
        ),
    ),
    Row(
        r"^\W*(?:i|me|he)\W+(?:just\s+|totally\s+)?(?:failed|bombed|flunked|tanked|reprobe|suspendi|suspendido)\b",
        ("how are my grades?", "¿cómo van mis calificaciones?"),
        remarks.SORRY,
        unless=r"\?|\bif\b",
    ),
    # A date that the student thinks wrong: what the courses say of it.
    Row(
        r"\b(?:wrong|incorrect|not\s+right|isn'?t\s+right|mistake|equivocad[oa]|incorrect[oa]|esta\s+mal)\b.*\b(?:due|is\s+on|entrega\w*|es\s+el)\b"
        r"|\b(?:is|it'?s)\s+due\s+(?:on\s+)?\w+,?\s+not\s+(?:on\s+)?\w+",
        ("when are my {works} due?", "¿cuándo se entregan mis {works}?"),
        remarks.BY_THE_COURSE,
        unless=r"\b(?:move|change|update|reschedule|mueve|cambia)\b.*\b(?:calendar|event|calendario|evento)\b",
    ),
    # Everything at once: never; what there is, to choose from.
    Row(
        r"\b(?:delete|remove|cancel|clear|erase|wipe|borra\w*|elimina\w*|cancela\w*|quita\w*|vacia\w*)\s+(?:out\s+)?"
        r"(?:(?:all|every(?:thing)?|the\s+whole|tod[oa]s?|entero)\b(?!\s+(?:of\s+)?(?:the\s+)?(?:\w+\s+)?(?:lectures?|classes|one)\b)"
        r"|(?:my|the|mi|el)\s+(?:whole\s+|entire\s+)?(?:calendar|schedule|calendario|horario|agenda)\b)",
        ("what is on my calendar {span}?", "¿qué hay en mi calendario {span}?"),
        remarks.NOT_ALL_AT_ONCE,
        unless=r"\b(?:tasks?|to-dos?|pendientes|tareas|notes?|pages?|apuntes|notas|paginas|data|datos|account|cuenta|chats?"
        r"|conversations?|messages?|series|repeats|serie|gym|club|shifts?|called|named|with)\b",
    ),
    # A time for something, without saying that it is one.
    Row(
        r"^\W*(?:(?:can|could)\s+you\s+|please\s+|puedes\s+)?"
        r"(?:find|get|give|need|i\s+need|busca\w*|encuentra\w*|dame)\s+"
        + TO_ME
        + r"(?:an?\s+|some\s+|un\s+|una\s+|algo\s+de\s+)?(?:good\s+)?"
        r"(?:time|slot|window|moment|hueco|rato|tiempo|momento)\s+(?:to|for|para)\s+(.+?)\W*$",
        ("suggest a good time to {rest}", "sugiéreme un buen momento para {rest}"),
    ),
)
