"""Language detection, shorthand that is written out, and what of a text only says what not to do."""

import re

from sandbox.model.rules.language.text import fold, tokens, word_set
from sandbox.model.rules.language.vocabulary import sections

SPANISH = word_set(sections("concepts.txt")["spanish words"])
ENGLISH = word_set(sections("concepts.txt")["english words"])
# Words of both languages, or of none ("ok", "no"), say nothing.
BOTH = SPANISH & ENGLISH
QUOTED = re.compile(r"[\"“«][^\"”»]*[\"”»]")
READS_SPANISH = re.compile(
    r"\b(?:homeroom|interface|app|pages?|answers?)\s+in\s+(?:spanish|espanol)\b"
    r"|\b(?:reads?|speaks?|prefers?|chose|uses?)\b[^.\n]{0,40}\b(?:in\s+)?(?:spanish|espanol)\b"
    r"|\b(?:language|locale|idioma)\W{0,3}(?:is\s+|of\s+\w+\s+is\s+)?(?:spanish|espanol|es)\b"
)
NEGATION = re.compile(
    r"\W*(?:(?:please|ok|okay|por favor)\s+)?(?:don'?t|do not|no need to|forget|no|olvida)\s"
    r"(?!let me|forget|se me|olvid|me acuerdo|recuerdo|se\b|remember|know|entiendo|understand)[^,.;]{3,60}[,.;]\s*"
)


def language_of(text: str) -> str | None:
    """en or es, whichever has more words in a text; None where there are as many, as in "ok" or "BIOL 201"."""
    words = [token.word for token in tokens(QUOTED.sub(" ", text)) if token.word not in BOTH]
    marks = len(re.findall(r"[¿¡ñáéíóú]", text.lower()))
    spanish = sum(1 for word in words if word in SPANISH) + marks
    english = sum(1 for word in words if word in ENGLISH)
    return None if spanish == english else "es" if spanish > english else "en"


def reads_spanish(prompt: str) -> bool:
    """Whether an application's words say that the student reads it in Spanish."""
    return READS_SPANISH.search(fold(prompt)) is not None


def without_negation(text: str) -> str:
    """The text without a leading "don't …," that only says what not to do."""
    found = NEGATION.match(fold(text))
    return text[found.end() :] if found and text[found.end() :].strip() else text


FOR_THE_MODEL = re.compile(
    r"(?:(?<=^)|(?<=[.:] ))(?:Ask|Tell|Let|Show|Remind|Name)\b[^.“”]*\bstudent\b[^.“”]*\.\s*"
    r"|[,;:] (?:and |or )?(?:tell|ask|let|show) the student\b[^.“”]*(?=\.)"
)
IN_QUOTES = re.compile(r"“[^”]*”|\*\*.*?\*\*|^>.*")
GRADE = r"(?:\d|[A-F][+-]? \()"
COURSE = (
    rf"\b([A-Z]{{2,5}} \d{{3}}[A-Z]?): [A-Z](?:[^—(“:,]|: (?!{GRADE}))*?"
    rf"(?=:? — | \(|,|: {GRADE}| (?:is|are|was|were|has|have|todavía) |$)"
)
ABOUT_THE_STUDENT = (
    (re.compile(r"\bThe student opens it\b(.*) and sends it\b"), r"You open it\1 and send it"),
    (re.compile(r"\b[Tt]he student's\b(?! own words)"), "your"),
    (
        re.compile(r"\b(T|t)he student ([a-z]+(?<![su])s)\b"),
        lambda said: f"{'Y' if said[1] == 'T' else 'y'}ou {said[2][:-1]}",
    ),
    (re.compile(r"\b(T|t)he student\b(?!')"), lambda said: f"{'Y' if said[1] == 'T' else 'y'}ou"),
    (re.compile(r"(?<=\d [AP]M) (?:[A-Z]{2,4}T|UTC|GMT)\b"), ""),
    (re.compile(COURSE), r"\1"),
)
"""What tools say to a model and the student reads otherwise: of themselves, without zones and titles of courses."""


def to_the_student(text: str) -> str:
    """A sentence about the student as one to them; quotes stay as they are."""
    text, at, said = FOR_THE_MODEL.sub("", text), 0, ""
    for quoted in [*IN_QUOTES.finditer(text), None]:
        between, end = text[at : quoted.start() if quoted else None], quoted.end() if quoted else len(text)
        for pattern, told in ABOUT_THE_STUDENT:
            between = pattern.sub(told, between)
        said, at = said + between + (quoted.group() if quoted else ""), end
    return said


WRITTEN_OUT = {
    "q": "que", "xq": "porque", "pq": "porque", "xfa": "por favor", "porfi": "por favor", "pa": "para",
    "tb": "también", "tmb": "también", "bn": "bien", "dsp": "después", "finde": "fin de semana", "mña": "mañana",
    "nxt": "next", "wk": "week", "teh": "the", "exm": "exam", "exms": "exams", "wat": "what", "wats": "what's",
    "wut": "what", "wht": "what", "du": "due", "2moro": "tomorrow", "2morrow": "tomorrow", "tmw": "tomorrow",
    "tmr": "tomorrow", "tmrw": "tomorrow", "2day": "today", "2nite": "tonight", "b4": "before", "asap": "soon",
    "smth": "something", "prolly": "probably", "assgn": "assignment", "assgnmt": "assignment", "cld": "could",
    "shud": "should", "bout": "about", "thurs": "thursday",
}  # fmt: skip
WORD = re.compile(rf"(?<![\w/.@#:'“\"-])(?:{'|'.join(sorted(WRITTEN_OUT, key=len, reverse=True))})(?![\w/@'”\"-])")
"""In small letters only: "Q" and "Du Bois" are names."""
CONTENT = re.compile(r":(?!\d)(?!//)\s*\S|[\"“«]")


def written_out(text: str) -> str:
    """The text without shorthand; what stands in quotes or after a colon is somebody's wording and stays."""
    if text.lstrip().startswith("/"):
        return text
    found = CONTENT.search(text)
    end = found.start() if found else len(text)
    return WORD.sub(lambda match: WRITTEN_OUT[match.group()], text[:end]) + text[end:]
