"""Words of campus life that no course knows: its services, its deadlines, its terms, its exams; English and Spanish.

Patterns are on folded text. Each service has the word by which links are kept and the words to search for.
"""

import re

SERVICES = (
    ("library", "library", r"librar(?:y|ies)|bibliotecas?"),
    (
        "tutoring",
        "tutoring",
        r"tutoring(?:\s+cent(?:er|re))?|(?<!my )tutors?\b|(?:centro\s+de\s+)?tutorias?(?!\s+de\b)|asesorias?",
    ),
    ("writing", "writing center", r"writing\s+(?:cent(?:er|re)|lab|help)|centro\s+de\s+(?:escritura|redaccion)"),
    (
        "help desk",
        "help desk",
        r"help\s?desk|(?:it|tech)\s+(?:support|help|desk)|mesa\s+de\s+ayuda|soporte(?:\s+tecnico)?",
    ),
    ("registrar", "registrar", r"registrar(?:'s)?(?:\s+office)?|registro\s+academico|secretaria|control\s+escolar"),
    (
        "advising",
        "advising",
        r"(?:academic\s+)?advis(?:ing|ors?|ers?)(?:\s+(?:office|cent(?:er|re)))?|consejeria|orientacion\s+academica",
    ),
    (
        "counseling",
        "counseling",
        r"counsel+ing(?:\s+(?:cent(?:er|re)|services))?|consejeria\s+psicologica|apoyo\s+psicologico",
    ),
    (
        "health",
        "health center",
        r"(?:student\s+)?health\s+(?:cent(?:er|re)|services|clinic)|(?:campus\s+)?clinic|enfermeria"
        r"|centro\s+de\s+salud",
    ),
    (
        "career",
        "career center",
        r"career\s+(?:cent(?:er|re)|services|office|fair)|bolsa\s+de\s+trabajo|oficina\s+de\s+empleo",
    ),
    (
        "financial aid",
        "financial aid",
        r"financial\s+aid(?:\s+office)?|bursar(?:'s)?(?:\s+office)?|oficina\s+de\s+becas|becas",
    ),
    ("bookstore", "bookstore", r"(?:campus\s+)?book\s?store|libreria"),
    ("dining", "dining hall", r"dining(?:\s+halls?)?|cafeteria|food\s+court|comedor(?:es)?"),
    ("parking", "parking", r"parking(?:\s+(?:lot|permits?))?|estacionamiento|aparcamiento"),
    ("shuttle", "shuttle", r"(?:campus\s+)?(?:shuttle|bus)|autobus(?:\s+del\s+campus)?"),
    (
        "gym",
        "gym",
        r"(?:rec(?:reation)?|fitness|student)\s+cent(?:er|re)|campus\s+gym|gimnasio\s+del?\s+(?:campus"
        r"|la\s+universidad)",
    ),
    ("campus", "campus", r"campus\s+map|student\s+union|mapa\s+del\s+campus"),
)
SERVICE = "|".join(pattern for _, _, pattern in SERVICES)
ASKS_WHERE = (
    r"where(?:'?s|\s+(?:is|are|can|do))?|how\s+(?:do|can|would|to|does|should)\b.{0,25}\b(?:get|go|reach"
    r"|find|contact|call|walk|email)|hours?"
    r"|opens?|opening|closes?|closing|closed|directions?|address|phone|contact|late\s+is|schedule|donde"
    r"|como\s+(?:se\s+)?(?:llego|llegar|llega|ir|voy|contacto"
    r"|contactar|encuentro)|horarios?|abre|abren|abierta?|cierra|cierran|cerrada?|direccion|telefono"
    r"|ubicacion|ubicad[oa]|queda"
)
NOT_CAMPUS = re.compile(
    r"^\W*(?:(?:please|can\s+you|could\s+you|por\s+favor|puedes)\s+)?(?:add|put|book|schedule|create|set"
    r"|move|cancel|delete|remind|block|plan|write|draft|find\s+(?:my|me\s+my)"
    r"|anade|agrega|pon|crea|reserva|agenda|mueve|borra|cancela|recuerda\w*|apunta\w*|bloquea)\b"
    r"|\bmy\s+(?:\w+\s+){0,2}(?:tutoring|advis|counsel|tutor|library\s+(?:shift|books?))"
    r"|\bmis?\s+(?:\w+\s+){0,2}(?:tutoria|asesoria|consejer|libros?)"
    r"|\b(?:notes|apuntes|notion|due|office\s+hours|https?)\b|\bhours?\s+(?:of|a\s+day)\b|\bnews\b"
    r"|\bnoticias\b|\bnovedades\b"
)
CONTACT = re.compile(
    r"\b(?:how|where)\b.{0,20}\b(?:e-?mail|contact|reach|write\s+to|in\s+touch\s+with)\b.{0,40}"
    r"\b(?:her|him|them|prof(?:essor)?s?|teachers?|instructors?|lecturers?|tas?)\b"
    r"|\bwhat(?:'?s|\s+is)\b.{0,30}\b(?:her|his|their|prof(?:essor)?'?s?|teacher'?s|instructor'?s)\s+e-?mail\b"
    r"|\bcomo\s+(?:puedo\s+)?(?:l[aeo]s?\s+)?(?:escrib\w+|contact\w+)\b(?:.{0,40}\bprof\w*\b|\W*$)"
    r"|\bcual\s+es\s+(?:el|su)\s+correo\b"
)
"""How to reach whoever teaches."""
IS_CAMPUS = re.compile(
    rf"\b(?:{ASKS_WHERE})\b.{{0,45}}\b(?:{SERVICE})\b|\b(?:{SERVICE})\b.{{0,30}}\b(?:{ASKS_WHERE})\b"
    rf"|^\W*(?:the\s+|la\s+|el\s+)?(?:{SERVICE})(?:\s+info\w*)?\W*$"
)
TERM = (
    r"(?:term|semester|quarter|trimester|school\s+year|semestre|cuatrimestre|trimestre|ciclo"
    r"|curso\s+academico|ano\s+escolar)"
)
TERM_DATES = re.compile(
    rf"(?!.*\bmy\s+(?:last|first|next)\s+class\b)\b(?:when|what\s+(?:day|date)|how\s+long|until\s+when|cuando|que\s+dia|hasta\s+(?:cuando|que\s+dia)"
    rf"|en\s+que\s+fecha)\b.{{0,30}}\b(?:{TERM}|class(?:es)?|clases)\b.{{0,20}}"
    r"\b(?:end|ends|over|finish\w*|done|start\w*|begin\w*|last|out|acab\w*|termin\w*|finaliz\w*|empiez\w*"
    r"|comienz\w*|inici\w*|dur\w*)\b"
    rf"|\b(?:end|start|beginning|last\s+day|first\s+day|fin|final|inicio|ultimo\s+dia|primer\s+dia)\s+(?:of"
    rf"|de|del)\s+(?:the\s+|el\s+|la\s+)?(?:{TERM}|class(?:es)?|clases)\b"
    rf"|\b(?:cuando|que\s+dia)\b.{{0,15}}\b(?:acab\w*|termin\w*|finaliz\w*|empiez\w*"
    rf"|comienz\w*)\b.{{0,15}}\b(?:{TERM}|clases)\b"
    r"|\bhasta\s+(?:cuando|que\s+(?:dia|fecha))\b.{0,15}\bclases\b"
)
REGISTRATION = re.compile(
    r"\b(?:(?:last\s+day|deadline|until\s+when|when|how\s+late|too\s+late|latest|what\s+(?:day|date)"
    r"|by\s+when)\b.{0,40}\b(?:drop(?:ping)?|withdraw\w*|add[-/ ]drop|enrol\w*"
    r"|regist(?:er|ration)\w*|pass[-/ ]fail|switch\s+(?:classes|sections)|pay\s+tuition|tuition|graduat\w+\s+appl\w*)\b"
    r"|\b(?:drop|withdrawal|add[-/ ]drop|registration|enrol+ment|tuition|pass[-/ ]fail)\s+(?:deadline|date"
    r"|period|day|window)"
    r"|\b(?:hasta\s+(?:cuando|que\s+(?:dia|fecha))|cuando|ultimo\s+dia|fecha\s+limite|plazo|que\s+(?:dia"
    r"|fecha))\b.{0,40}\b(?:(?:dar(?:me|se|nos)?|doy)\s+de\s+baja|retirar\w*|(?:la\s+)?baja"
    r"|inscri\w+|matricul\w*|colegiatura|anular))\b"
)
HOLIDAYS = re.compile(
    r"\b(?:break|off|class(?:es)?|closed|free|holidays?|vacation|when|do\s+we|is\s+there|are\s+there|hay"
    r"|tenemos|cuando|clases?)\b.{0,40}"
    r"\b(?:thanksgiving|christmas|easter|labor\s+day|(?:spring|fall|winter|autumn)\s+break"
    r"|reading\s+(?:week|days?)|campus\s+holiday"
    r"|public\s+holiday|next\s+holiday|holidays|vacaciones|feriados?|festivos?|receso|semana\s+santa"
    r"|navidad|accion\s+de\s+gracias)\b"
    r"|^\W*(?:thanksgiving|(?:spring|fall|winter)\s+break|holidays|vacaciones|feriados?)\W*(?:dates?|when|cuando)?\W*$"
)
NAMED_BREAK = re.compile(
    r"\b(?P<name>spring|fall|autumn|winter|summer|thanksgiving|christmas|easter|reading)\b(?=\s+(?:break|week|days?)|\W*$)"
)
FINALS = re.compile(
    r"\b(?:when|what\s+(?:day|date|time)|where|which\s+day|schedule|dates?|cuando|que\s+dia|a\s+que\s+hora"
    r"|donde|horarios?|fechas?|calendario)\b.{0,40}"
    r"\b(?:finals?(?!\s+(?:project|paper|essay|draft|version))|final\s+exams?"
    r"|exam(?:en)?(?:es)?\s+final(?:es)?|los\s+finales)\b"
    r"|\b(?:finals?|final\s+exams?|examenes\s+finales)\s+(?:schedule|dates?|week|timetable|when)\b"
    r"|^\W*(?:(?:my|the|los|mis)\s+)?(?:[\w ]{0,20}\b)?(?:finals|final\s+exams?|examenes\s+finales)\W*$"
)
NOT_FINALS = re.compile(
    r"\b(?:need|get|got|score|worth|study|grade|necesito|sacar|saco|vale|estudiar|nota|remind\w*"
    r"|recuerda\w*|due|project|proyecto)\b"
)
NEWS = (
    r"(?:any(?:thing|body|one)?\s+(?:news?|new|changes?|updates?|activity|push\w*|commit\w*|merge\w*)"
    r"|what'?s\s+(?:new|happening|going\s+on|up)|latest|recent\w*|lately|news|updates?"
    r"|activity|commits?|push(?:ed|es)?|merged?|happen\w*|changed|novedad(?:es)?|actividad|algo\s+nuevo"
    r"|nuevo|cambios|noticias|ultim[oa]s?|subi\w+|hizo)"
)
REPOSITORY_WORD = r"(?:\brepo(?:sitor(?:y|io))?s?\b|\bgit\s?hub\b)"
REPOSITORY_NEWS = rf"(?:\b{NEWS}\b.{{0,40}}{REPOSITORY_WORD}|{REPOSITORY_WORD}.{{0,40}}\b{NEWS}\b)"


def service_of(text: str) -> tuple[str, str]:
    """The word by which the service's links are kept, and words to search for; both empty when none is named."""
    return next(
        ((topic, words) for topic, words, pattern in SERVICES if re.search(rf"\b(?:{pattern})\b", text)), ("", "")
    )
