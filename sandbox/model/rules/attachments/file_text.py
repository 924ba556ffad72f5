"""Text of a file, used without being understood: lines on a subject, main points, gaps to fill."""

import csv
import re
from datetime import datetime

from sandbox.model.rules.dates.when import read_when
from sandbox.model.rules.language.lexicon import function_words
from sandbox.model.rules.language.text import fold, stem, tokens, word_set
from sandbox.model.rules.language.translation import english_names
from sandbox.model.summaries import SENTENCE

MOST_LINES, MOST_POINTS, FEWEST_WORDS = 5, 8, 6
HEADING = re.compile(r"^\s{0,3}#{1,6}\s++(?P<title>.+?)(?<![\s#])\s*+#*$")
MARKS = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+|[*_`]{1,3}")
ASKS_WHEN = re.compile(r"\b(?:when|what\s+(?:day|date|time)|dates?|deadlines?|cuando|que\s+dia|fechas?)\b")
ALSO = {
    **english_names(), "tarde": "late", "retraso": "late", "retrasadas": "late", "entrega": "due", "entregas": "due",
    "fecha": "date", "fechas": "date", "nota": "grade", "notas": "grade", "calificacion": "grade",
    "calificaciones": "grading", "profesor": "instructor", "profesora": "instructor", "libro": "textbook",
    "asistencia": "attendance", "correo": "email", "evaluacion": "grading", "professor": "instructor",
    "teacher": "instructor", "teaches": "instructor", "teach": "instructor", "graded": "grading", "attend":
    "attendance", "book": "textbook", "worth": "grading",
}  # fmt: skip
"""Other words by which a file may speak of the same."""
WEAK = frozenset(stem(word) for word in ("due", "date", "grading"))
"""Words that stand in many lines of a syllabus."""
ABOUT_ANOTHER = re.compile(r"^(?:it|they|this|these|that|he|she|its|ell[ao]s?|est[aeo]s?)\b", re.IGNORECASE)
"""Sentences that cannot be understood without the one before."""
COMMON = word_set(
    """
    what when where which does say says tell about this that these those have from with your please there page pages
    file files document attached image text according cual donde dice archivo documento pagina sobre este esta esto
    much many give show find look explain read summary summarize pdf syllabus notes slides handout happens happen
    policy make made want need know question questions answer
    """
)


def lines_about(text: str, question: str, now: datetime) -> list[str]:
    """The lines that share most words with a question; those that name a day, when it asks for one."""
    wanted = _stems(question)
    ranked = [(_weight(wanted & _stems(line)), line) for line in text.splitlines() if line.strip()]
    most = max((points for points, _ in ranked), default=0)
    best = [line for points, line in ranked if most and points == most]
    if ASKS_WHEN.search(fold(question)):
        best = [line for points, line in ranked if points and read_when(line, now)[0].has_day] or best
    return [_plain(line) for line in best[:MOST_LINES]]


def main_points(text: str) -> list[str]:
    """The headings with the first sentence under each; without headings, the first sentence of each paragraph."""
    points: list[str] = []
    heading, is_divided = "", has_headings(text)
    for line in text.splitlines():
        if found := HEADING.match(line):
            heading = _plain(found["title"])
        elif line.strip() and (heading or not is_divided):
            first = SENTENCE.split(_plain(line))[0]
            points.append(f"**{heading}**: {first}" if heading else first)
            heading = ""
    return points[:MOST_POINTS]


def has_headings(text: str) -> bool:
    """Whether the text is divided by headings."""
    return any(HEADING.match(line) for line in text.splitlines())


def gaps(text: str, most: int) -> list[tuple[str, str]]:
    """Sentences of the text with one telling word left out, and that word; spread over the whole text."""
    told = [
        sentence for line in text.splitlines() if not HEADING.match(line) for sentence in SENTENCE.split(_plain(line))
    ]
    made = [gap for sentence in told if (gap := _gap(sentence))]
    step = max(1, len(made) // most)
    return made[::step][:most]


def scored_rows(text: str) -> list[tuple[str, float, float]]:
    """The rows of such a table: what each is called, the points got, the points there were."""
    rows = list(csv.reader(text.splitlines()))
    head = [fold(cell) for cell in rows[0]] if rows else []
    got = next(
        (at for at, name in enumerate(head) if re.search(r"^(?:points?|score|got|earned|puntos|nota)\b", name)), None
    )
    of = next(
        (at for at, name in enumerate(head) if re.search(r"out.?of|max|possible|total|posibles|sobre", name)), None
    )
    if got is None or of is None or got == of:
        return []
    full = [row for row in rows[1:] if len(row) > max(got, of)]
    found = [(row[0], number(row[got]), number(row[of])) for row in full]
    return [(name, points, whole) for name, points, whole in found if points is not None and whole]


def number(cell: str) -> float | None:
    """A cell as a number; None for what is none."""
    try:
        return float(cell.strip())
    except ValueError:
        return None


def _weight(shared: set[str]) -> float:
    return sum(0.5 if word in WEAK else 1.0 for word in shared)


def _gap(sentence: str) -> tuple[str, str] | None:
    words = [token for token in tokens(sentence) if len(token.word) >= 5 and token.word not in function_words()]
    if (
        len(sentence.split()) < FEWEST_WORDS
        or not words
        or ABOUT_ANOTHER.match(sentence)
        or not sentence.rstrip().endswith((".", "!"))
    ):
        return None
    # The last long word is mostly what the sentence tells about its subject.
    left_out = max(words[len(words) // 2 :], key=lambda token: len(token.word))
    said = sentence[left_out.start : left_out.end]
    return f"{sentence[: left_out.start]}_____{sentence[left_out.end :]}", said


def _stems(text: str) -> set[str]:
    words = [token.word for token in tokens(text) if len(token.word) > 2 and token.word not in function_words()]
    told = [word for word in words if word not in COMMON]
    return {stem(word) for word in told} | {stem(ALSO[word]) for word in told if word in ALSO}


def _plain(line: str) -> str:
    return MARKS.sub("", HEADING.sub(r"\g<title>", line)).strip()
