"""Likeness of two folded words: a short form, the same subject of study in some language or code, a typo."""

from enum import IntEnum

from services.integrations.kit.name_words import fold

_SHORTEST_WITH_TYPO = 5
_SHORTEST_CODE = 3
_OPPOSITES = (("micro", "macro"), ("inter", "intra"), ("hypo", "hyper"), ("pre", "post"), ("over", "under"))
_SAME = (
    "accounting acct contabilidad",
    "anthropology anth antropologia",
    "architecture arch arquitectura",
    "art arts arte",
    "astronomy astr astro astronomia",
    "biochemistry bioc bchm bioquimica",
    "biology bio biol biologia biologie",
    "business bus negocios",
    "calculus calc calculo",
    "chemistry chem quimica chemie chimie",
    "communication communications comm comunicacion",
    "computer computing computers comp cs cse informatica informatik computacion",
    "economics econ economia",
    "education educ educacion",
    "engineering engr eng ingenieria",
    "english engl eng ingles",
    "environmental envs environment ambiental",
    "finance fin finanzas",
    "french fren frances",
    "geography geog geografia",
    "geology geol geologia",
    "german germ aleman",
    "government govt gobierno",
    "history hist historia geschichte histoire",
    "kinesiology kine",
    "law derecho",
    "linguistics ling linguistica",
    "literature lit literatura",
    "marketing mktg mercadotecnia",
    "math maths mathematics mates matematica matematicas mathe",
    "medicine med medicina",
    "music musica",
    "nursing nurs enfermeria",
    "nutrition nutr nutricion",
    "philosophy phil philo filosofia",
    "physics phys fisica physik",
    "politics political pols poli politica",
    "programming prog coding programacion programmieren cs informatica",
    "psychology psych psyc psy psycho psicologia psychologie",
    "religion rels relg religious",
    "sociology soc soci sociologia",
    "spanish span espanol",
    "statistics stats stat estadistica",
    "theatre theater thea drama teatro",
    "writing writ composition comp escritura redaccion schreiben",
)
_OTHERS = (
    "acoustics aesthetics algebra analytics anatomy archaeology bacteriology bioethics bioinformatics "
    "biomechanics biophysics biostatistics botany cardiology cosmology criminology cryptography cytology "
    "demography dermatology dynamics ecology econometrics embryology endocrinology entomology epidemiology "
    "epistemology ethics ethnography ethnology etymology genetics genomics geometry geophysics gerontology "
    "histology historiography hydrology immunology ichthyology kinetics logic macroeconomics mechanics "
    "metaphysics meteorology microbiology microeconomics morphology mycology mythology neurology neuroscience "
    "oceanography oncology optics ornithology paleontology parasitology pathology pedagogy pharmacology phonetics "
    "phonology physiology psychiatry psychometrics radiology rhetoric robotics seismology semantics semiotics "
    "statics syntax taxonomy thermodynamics topology theology toxicology trigonometry urology virology zoology "
)
_SUBJECTS = tuple(frozenset(fold(word) for word in line.split()) for line in _SAME)
_BY_WORD = {word: [subject for subject in _SUBJECTS if word in subject] for subject in _SUBJECTS for word in subject}
_KNOWN = frozenset(_BY_WORD) | {fold(word) for word in _OTHERS.split()}


class Likeness(IntEnum):
    """How alike two words are, the most alike last."""

    NONE = 0
    TYPO = 1
    SUBJECT = 2
    ABBREVIATION = 3
    SAME = 4


def likeness(word: str, meant: str, *, is_code: bool = False) -> Likeness:
    """Compare a word with one that may be meant; what names another subject is neither short form nor typo.

    is_code: the one that may be meant abbreviates a subject, as PHYS in the code of a course.
    """
    if word == meant:
        return Likeness.SAME
    if same_subject(word, meant):
        return Likeness.ABBREVIATION if meant.startswith(word) or word.startswith(meant) else Likeness.SUBJECT
    if is_subject(word) and is_subject(meant):
        return Likeness.NONE
    if len(word) > 1 and meant.startswith(word):
        return Likeness.ABBREVIATION
    if is_code and len(meant) >= _SHORTEST_CODE and word.startswith(meant) and not is_subject(meant):
        return Likeness.ABBREVIATION
    return Likeness.TYPO if not is_subject(word) and _is_typo(word, meant) else Likeness.NONE


def _is_typo(word: str, meant: str) -> bool:
    """Check for a typo. The first letter is seldom one: "inorganic" is not "organic"."""
    if word[0] != meant[0] and not _is_swapped(word, meant):
        return False
    return _is_single_typo(word, meant) and not any(_differ(word, meant, pair) for pair in _OPPOSITES)


def _is_swapped(word: str, meant: str) -> bool:
    return word[:2] == meant[:2][::-1] and word[2:] == meant[2:]


def _differ(word: str, meant: str, pair: tuple[str, str]) -> bool:
    first, second = pair
    return (word.startswith(first) and meant.startswith(second)) or (
        word.startswith(second) and meant.startswith(first)
    )


def _is_single_typo(word: str, meant: str) -> bool:
    """Check for one letter missing, too many, wrong or swapped with the next; short words allow none."""
    if min(len(word), len(meant)) < _SHORTEST_WITH_TYPO or abs(len(word) - len(meant)) > 1:
        return False
    same = next((at for at, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b), min(len(word), len(meant)))
    rest, other = word[same:], meant[same:]
    is_swapped = rest[:2] == other[:2][::-1] and rest[2:] == other[2:]
    return rest[1:] == other or rest == other[1:] or rest[1:] == other[1:] or is_swapped


def same_subject(word: str, other: str) -> bool:
    """Check whether two folded words name the same subject: "escritura" and "writ"."""
    return any(other in subject for subject in _BY_WORD.get(word, ()))


def is_subject(word: str) -> bool:
    """Check whether a folded word names a subject, and so is no typo or short form of another word."""
    return word in _KNOWN
