"""Whole parts of tool results that hold somebody's own words, English and Spanish: another table behind `spanish`."""

from sandbox.model.rules.language.translation_words import pairs

FRAMES = """
    Added {n} sessions of “{title}” to your calendar ({source}).
    => Añadí {n} sesiones de «{title}» a tu calendario ({source}).
    Created “{title}” under the page “{page}” (chosen by Homeroom, because no place was named) ({source}).
    => Creé «{title}» debajo de la página «{page}», que eligió Homeroom porque no dijiste dónde ({source}).
    Created “{title}” under the page “{page}” ({source}). => Creé «{title}» debajo de la página «{page}» ({source}).
    Created the tracker “{title}” with {n} of {m} entries ({source}).
    => Creé la tabla «{title}» con {n} de {m} entradas ({source}).
    Created the tracker “{title}” ({source}). => Creé la tabla «{title}» ({source}).
    Added only {n} of {t_entries} to the database “{title}” ({source}).
    => Añadí solo {n} de {t_entries} a la base de datos «{title}» ({source}).
    Added {t_entries} to the database “{title}” ({source}).
    => Añadí {t_entries} a la base de datos «{title}» ({source}).
    Added to the end of “{title}” ({source}). => Lo añadí al final de «{title}» ({source}).
    Replaced the text of “{title}” ({source}). => Cambié el texto de «{title}» ({source}).
    Changed the document “{title}” ({source}). => Cambié el documento «{title}» ({source}).
    Changed “{title}” (Notion). => Cambié «{title}» (Notion).
    Added the task “{title}”, due {t_due} (Homeroom planner).
    => Añadí el pendiente «{title}», para el {t_due} (agenda de Homeroom).
    Added the task “{title}”, no due date (Homeroom planner).
    => Añadí el pendiente «{title}», sin fecha (agenda de Homeroom).
    Deleted the task “{title}” (Homeroom planner). => Borré el pendiente «{title}» (agenda de Homeroom).
    A draft “{title}” to {who} is ready; nothing is sent. {t_how}
    => El borrador «{title}» para {who} está listo; no se envía nada. {t_how}
    A draft “{title}” without a recipient is ready; nothing is sent. {t_how}
    => El borrador «{title}» sin destinatario está listo; no se envía nada. {t_how}
    “{title}”, {t_on}, summed up ({source}, as of {t_at}) — {link}
    => «{title}», {t_on}, en resumen ({source}, a las {t_at}) — {link}
    “{title}”, summed up ({source}, as of {t_at}) — {link} => «{title}», en resumen ({source}, a las {t_at}) — {link}
    “{title}” is done, {t_due} (Homeroom planner). => «{title}» está hecho, {t_due} (agenda de Homeroom).
    no due date => sin fecha de entrega
    Note: only the first {n} of {m} are shown. => Nota: solo se muestran {n} de {m}.
    Note: only the first {n} of {m} are shown; ask for fewer. => Nota: solo se muestran {n} de {m}; pide menos.
    Note: counted as busy: {t_all}. => Nota: cuenta como ocupado: {t_all}.
    Note: “{one}” is due before “{other}”, which must come first.
    => Nota: «{one}» vence antes que «{other}», que debe ir primero.
    Group: {name} ({t_rules}) => Grupo: {name} ({t_rules})
    Group: {name} => Grupo: {name}
    {t_now} in {name}, the current grading period => {t_now} en {name}, el periodo actual
    {t_course}, {name} (the current grading period): {t_rest} => {t_course}, {name} (el periodo actual): {t_rest}
    Counted: only what is due in {name} ({t_days}); for the whole course give grading_period all.
    => Cuenta solo lo que vence en {name} ({t_days}); también se puede calcular el curso entero.
    {name} ({t_days}), {share} % of the course; {other} ({t_next}), {rest} % of the course
    => {name} ({t_days}), {share} % del curso; {other} ({t_next}), {rest} % del curso
    Assumed: zero for what is missing (“{name}”). => Supuesto: cero en lo que falta («{name}»).
    {t_part} from {n} of {m} graded => {t_part} con {n} de {m} calificados
    {n} of {m} done => {n} de {m} hechos
    notes: {words} => notas: {words}
    **Module: {name}** => **Módulo: {name}**
    **Syllabus of {name}** => **Programa de {name}**
    **“{one}” and “{other}”** => **«{one}» y «{other}»**
    {name} (a page inside this page) => {name} (una página dentro de esta)
    {name} (a database inside this page) => {name} (una base de datos dentro de esta página)
    The document “{name}” has {t_words} in {t_parts} => El documento «{name}» tiene {t_words} en {t_parts}
    {n} words (start={start}) => {n} palabras
    {t_count} (Harper, offline). => {t_count} (Harper, sin conexión).
    try {words} => prueba {words}
    after “{name}” => después de «{name}»
    needed for something due {t_when} => hace falta para algo que vence el {t_when}
    waits for “{name}”, which waits for it in turn => espera a «{name}», que a su vez lo espera
    waits for “{name}” ({t_due}, started) => espera a «{name}» ({t_due}, en curso)
    waits for “{name}” ({t_due}, not started) => espera a «{name}» ({t_due}, sin empezar)
    waits for “{name}”, which {t_rest} => espera a «{name}», que {t_rest}
    blocked: {reason} => bloqueado: {reason}
    is blocked: {reason} => está bloqueado: {reason}
    {t_one}; {t_other} => {t_one}; {t_other}
    Planned by: the earliest due first and before its due date, at most {n} hours a day for one thing unless it \
    is due that day, in sittings of at most {m} hours
    => Criterio: primero lo que antes vence y antes de su fecha, como mucho {n} horas al día para una cosa \
    salvo el día de la entrega, en sesiones de hasta {m} horas
    what is missing already comes last. => lo que ya está atrasado va al final.
    Time estimates are Homeroom's rule of thumb by kind: exam or project {a} hours, essay {b} hours, lab {c} \
    hours, homework {d} hours, quiz {e} hour, discussion or peer review {f} minutes, anything else {g} minutes
    => Los tiempos son el cálculo aproximado de Homeroom: examen o proyecto {a} horas, ensayo {b} horas, \
    laboratorio {c} horas, tarea {d} horas, cuestionario {e} hora, discusión o revisión {f} minutos, lo demás \
    {g} minutos
    half of that for work of at most {n} points. => la mitad si vale {n} puntos o menos.
"""
"""{name} stays as it is, {t_…} is in Spanish, too."""
KINDS = {
    "quiz": "cuestionario", "exam": "examen", "discussion": "discusión", "essay": "ensayo", "lab": "laboratorio",
    "project": "proyecto", "homework": "tarea", "peer review": "revisión entre pares",
}  # fmt: skip
"""Of assignments, as they are asked for."""


def frames() -> list[tuple[str, str]]:
    """English and Spanish with the same places."""
    return [(english, spanish) for english, (spanish,) in pairs(FRAMES)]
