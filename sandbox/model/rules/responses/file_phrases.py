"""What the demo model says about files that came with a message, English and Spanish."""

SAID = {
    "questions": (
        "{name} in gaps to fill, from its own sentences:\n\n{listed}\n\nAnswers: {solved}.",
        "{name} con huecos por completar, con sus propias frases:\n\n{listed}\n\nRespuestas: {solved}.",
    ),
    "points": (
        "The main points of {name}, in its own words:\n\n{listed}",
        "Lo principal de {name}, con sus propias palabras:\n\n{listed}",
    ),
    "share": (
        "In {name} you have {got} of {whole} points: {percent} %. Every row counts there by its points; weights that "
        "your course may give are not in the file.",
        "En {name} tienes {got} de {whole} puntos: {percent} %. Cada fila cuenta por sus puntos; los pesos que dé tu "
        "curso no están en el archivo.",
    ),
    "one_row": ("In {name}: {row}, {got} of {whole} points.", "En {name}: {row}, {got} de {whole} puntos."),
    "no_days": (
        "I found no coming day in that file, so I added nothing.",
        "No encontré ningún día por venir en ese archivo, así que no añadí nada.",
    ),
    "over": ("Days in it that are over already: {n}.", "Días que ya pasaron: {n}."),
    "from": ("From {name}:", "De {name}:"),
}
