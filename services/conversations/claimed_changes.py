"""Detector of claims in an answer that something of the student's was changed: "Done! I added it to your calendar."

It knows English and Spanish. What it misses stays as it was; what it finds is only held against the writes that ran.
"""

import re

_EN_VERBS = (
    "added|booked|canceled|cancelled|changed|cleared|completed|created|deleted|drafted|edited|emailed|entered|invited|"
    "logged|mailed|marked|moved|pinned|posted|put|recorded|removed|renamed|replaced|rescheduled|saved|scheduled|sent|"
    "set|shared|shifted|submitted|updated|wrote|written|blocked off|crossed off|checked off|ticked off|set up"
)
_EN_THINGS = (
    r"it|them|that|this|both|(?:[^\s.!?]+ ){0,8}?(?:agenda|alarms?|appointments?|calendars?|canvas|"
    r"cards?|checklist|classmates?|database|due dates?|e-?mails?|entry|entries|events?|exams?|google|invitations?|"
    r"issues?|meetings?|notes|notion|pages?|planner|professor|reminders?|sessions?|study blocks?|tasks?|to-?dos?|"
    r"to-?do list|tracker|trackers)"
)
_ES_VERBS = (
    r"actualizado|agendado|agregado|anotado|añadido|apuntado|bloqueado|borrado|cambiado|cancelado|completado|creado|"
    r"editado|eliminado|enviado|escrito|guardado|invitado|marcado|movido|pospuesto|programado|puesto|quitado|"
    r"registrado|reprogramado|reservado"
)
_ES_PAST = (
    r"actualicé|agendé|agregué|anoté|añadí|apunté|borré|cambié|cancelé|completé|creé|edité|eliminé|envié|guardé|"
    r"invité|marqué|moví|programé|puse|quité|registré|reprogramé|reservé"
)
_ES_THINGS = (
    r"(?:[^\s.!?]+ ){0,8}?(?:agenda|alarmas?|calendarios?|canvas|citas?|correos?|entradas?|eventos?|ex[aá]menes|examen|"
    r"google|invitaciones|invitación|notas|notion|páginas?|planificador|profesora?|recordatorios?|reuniones|reunión|"
    r"sesiones|sesión|tareas?)"
)
_CLAIMS = re.compile(
    "|".join(
        (
            rf"\bI(?:['’]ve| have)?(?: (?:just|now|also|already|went ahead and|successfully))* (?:{_EN_VERBS}) "
            rf"(?:{_EN_THINGS})\b",
            rf"\b(?:is|are|was|were|has been|have been)(?: now| just)? (?:{_EN_VERBS}) (?:to|on|in|from) your "
            r"(?:[\w-]+ ){0,3}?(?:calendar|planner|notion|tracker|task list|to-?do list)\b",
            r"\bit(?:['’]s| is) (?:now |already )?(?:on|in) your (?:[\w-]+ )?(?:calendar|planner|tracker)(?: now)?\b",
            rf"\b(?:(?:te )?l[oae]s? )?(?:ya )?(?:(?:te )?l[oae]s? )?he (?:{_ES_VERBS})(?: ya)? (?:{_ES_THINGS})\b",
            rf"\b(?:te )?(?:l[oae]s?|se l[oa]s?) (?:he (?:{_ES_VERBS})|(?:{_ES_PAST}))(?!\w)",
            rf"\b(?:{_ES_PAST}) (?:{_ES_THINGS})\b",
            r"\bya est[áa]n? (?:en|añadid[oa]s?|guardad[oa]s?|agregad[oa]s?) (?:en |a )?tu (?:[\w-]+ )?"
            r"(?:calendario|agenda|planificador)\b",
        )
    ),
    re.IGNORECASE,
)
_DONE = re.compile(r"^\W*(?:(?:all |it(?:['’]s| is) )?done|all set|hecho|listo)\b[^.!?\n]{0,20}[.!:—–-]", re.IGNORECASE)
_ABOUT_SERVICES = re.compile(
    r"\b(?:calendar|planner|notion|tracker|reminders?|events?|tasks?|calendario|recordatorios?|eventos?|tareas?)\b",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:after|as soon as|before|how|if|never|not|once|unless|until|when|whether|cuando|después de que|no|nunca|si|"
    r"una vez que)(?: \w+)?\s*$",
    re.IGNORECASE,
)
_BLOCKS = re.compile(r"```.*?(?:```|\Z)|^[ \t]*>.*$", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(
    r"\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”|«[^»\n]{0,300}»|`[^`\n]{0,300}`|\[[^\]\n]{0,300}\]\([^)\n]{0,300}\)"
)
_EMPHASIS = re.compile(r"[*_]{1,3}")
_BOUNDS = re.compile(r"(?<=[.!?])\s+|\n+")


def claims_change(text: str) -> bool:
    """Check whether an answer says that its assistant has changed something in the student's accounts or planner."""
    plain = _EMPHASIS.sub("", _QUOTED.sub("it", _BLOCKS.sub("", text)))
    sentences = [sentence for sentence in _BOUNDS.split(plain) if sentence.strip()]
    for at, sentence in enumerate(sentences):
        if sentence.rstrip().endswith("?"):
            continue
        if any(not _UNREAL.search(sentence[: claim.start()]) for claim in _CLAIMS.finditer(sentence)):
            return True
        is_done = _DONE.match(sentence) or (at == 0 and _DONE.match(f"{sentence}."))
        if is_done and _ABOUT_SERVICES.search(" ".join(sentences[at : at + 2])):
            return True
    return False
