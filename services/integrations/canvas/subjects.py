"""What students call a subject: short forms, other languages and the letters that stand for it in course codes."""

_SAME = (
    "accounting acct contabilidad",
    "anthropology anth antropologia",
    "art arts arte",
    "astronomy astr astro astronomia",
    "biology bio biol biologia biologie",
    "business bus negocios",
    "calculus calc calculo",
    "chemistry chem quimica chemie chimie",
    "communication communications comm comunicacion",
    "computer computing computers comp cs cse informatica informatik computacion",
    "economics econ economia",
    "education educ educacion",
    "engineering engr eng ingenieria",
    "english engl ingles",
    "environmental envs environment ambiental",
    "geography geog geografia",
    "geology geol geologia",
    "government govt gobierno",
    "history hist historia geschichte histoire",
    "law derecho",
    "linguistics ling linguistica",
    "literature lit literatura",
    "math maths mathematics mates matematica matematicas mathe",
    "medicine med medicina",
    "music musica",
    "philosophy phil philo filosofia",
    "physics phys fisica physik",
    "politics political pols poli politica",
    "programming prog coding programacion programmieren cs informatica",
    "psychology psych psyc psy psycho psicologia psychologie",
    "sociology soc soci sociologia",
    "spanish span espanol",
    "statistics stats stat estadistica",
    "writing writ composition escritura redaccion schreiben",
)
_SUBJECTS = tuple(frozenset(line.split()) for line in _SAME)
_BY_WORD = {word: [subject for subject in _SUBJECTS if word in subject] for subject in _SUBJECTS for word in subject}


def same_subject(word: str, other: str) -> bool:
    """Whether two bare words (no accents, lower case) name the same subject: "escritura" and "writ"."""
    return any(other in subject for subject in _BY_WORD.get(word, ()))


def is_subject(word: str) -> bool:
    """Whether a bare word names a subject at all."""
    return word in _BY_WORD
