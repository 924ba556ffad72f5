"""Words for subjects of study, in several languages and as the codes of courses abbreviate them."""

from services.integrations.kit.name_words import fold

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


def same_subject(word: str, other: str) -> bool:
    """Check whether two folded words name the same subject: "escritura" and "writ"."""
    return any(other in subject for subject in _BY_WORD.get(word, ()))


def is_subject(word: str) -> bool:
    """Check whether a folded word names a subject, and so is no typo or short form of another word."""
    return word in _KNOWN
