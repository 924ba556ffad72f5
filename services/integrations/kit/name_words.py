"""Words of a name, each number with the words it belongs to: "Quiz 2 (chapters 4–5)", "the second midterm"."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ARTICLES = _set(
    "a an my our the this that your s i el la las los lo un una mi mis nuestro nuestra su tu der die das le les"
)
"""Words that tell nothing. A single letter after a noun is a label and none of these: "Midterm A", "Exam I"."""
_PREPOSITIONS = _set(
    "about and as at by for from in into of on or since through to until vs versus with"
    " con de del desde en entre hasta o para por sobre y e"
)
GENERIC = _set(
    "assignment class classe course entry event homework item lecture module note page section seminar task topic"
    " asignatura clase curso materia"
)
"""Nouns that a student may add to any name: "my writing class", "assignment 3"."""
_NUMBER_SIGNS = _set("no nr num number numero nummer")
_CARDINALS = {
    word: str(value)
    for words in (
        "one two three four five six seven eight nine ten eleven twelve",
        "uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for value, word in enumerate(words.split(), 1)
}
_ORDINALS = {
    word: str(value)
    for words in (
        "first second third fourth fifth sixth seventh eighth ninth tenth",
        "primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo",
        "primera segunda tercera cuarta quinta sexta septima octava novena decima",
        "primer - tercer - - - - - - -",
    )
    for value, word in enumerate(words.split(), 1)
    if word != "-"
}
_ROMANS = {
    word: str(value)
    for value, word in enumerate(
        ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv"], 1
    )
}
_ALIASES = {
    alias: word
    for word, aliases in {
        "assignment": "assigment asgn assgn",
        "chapter": "ch chap capitulo cap",
        "discussion": "disc debate foro forum",
        "draft": "borrador",
        "essay": "ensayo",
        "exam": "examen",
        "homework": "hw hwk tarea tareas deberes",
        "lab": "laboratory laboratorio labo",
        "midterm": "mid-term parcial",
        "presentation": "presentacion",
        "project": "proyecto proj",
        "quiz": "quizz quizzes quizes cuestionario",
        "reading": "lectura",
        "report": "informe",
        "unit": "unidad",
        "week": "semana wk",
        "worksheet": "ws",
    }.items()
    for alias in aliases.split()
}
_TOKEN = re.compile(
    r"(?P<range>\d+ ?[-–—−] ?\d+(?![\w.]| ?[-–—−] ?\d))|(?P<ordinal>\d+(?:st|nd|rd|th)\b)"
    r"|(?P<number>\d+(?:[.,]\d+)+(?!\w)|\d+ [a-z](?=\s*(?:$|[:;,()\[\]]))|\d+[a-z]?(?![a-z])|\d+)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
    r"|(?P<break>[:;,()\[\]{}|/•·!?\"“”«»]|[-–—−](?= )|(?<= )[-–—−])"
)
_WIDEST_RANGE = 50


@dataclass(frozen=True, kw_only=True)
class NameWord:
    """Word of a name, folded: without case, accents and the plural's s.

    values: what it counts as a number or label, such as "5", "3a" or "b"; several for a range; none for a plain word.
    owners: the plain words that the number belongs to, the nearest last; none where nothing stands before it.
    noun: the word right behind it.
    is_head: stands before the first bracket, colon or dash. is_word: may also be a word ("two", "first").
    """

    text: str
    at: int
    is_head: bool
    values: frozenset[str] = frozenset()
    owners: tuple[str, ...] = ()
    noun: str = ""
    is_word: bool = False

    @property
    def key(self) -> object:
        """What two equal words have in common, however they are written: "II" and "2"."""
        return self.values or self.text


def name_words(text: str) -> tuple[NameWord, ...]:
    """Split a name into its significant words, in their order."""
    tokens = list(_tokens(text))
    return tuple(_read(tokens))


def without_accents(text: str) -> str:
    """Fold case and remove accents."""
    if text.isascii():
        return text.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def fold(word: str) -> str:
    """Fold a plain word to the form that its plural and its short forms share: "HWs" and "homework"."""
    word = without_accents(word).replace("’", "'").removesuffix("'s").replace("'", "")
    word = _ALIASES.get(word, word)
    if word.endswith(("sses", "xes", "ches", "shes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and word[-2] not in "suia":
        word = word[:-1]
    return _ALIASES.get(word, word)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Kind and text of each token. Signs like º are written out before the accents go."""
    plain = without_accents(re.sub(r"(?<=\d)[ºª°]", "th", text).replace("&", " "))
    for match in _TOKEN.finditer(plain):
        yield match.lastgroup or "", match.group()


def _read(tokens: Sequence[tuple[str, str]]) -> Iterator[NameWord]:
    phrase: list[str] = []
    is_head, at = True, 0
    for place, (kind, text) in enumerate(tokens):
        if kind == "break":
            phrase, is_head = [], is_head and not at
            continue
        if kind == "word" and text in _NUMBER_SIGNS and _kind_at(tokens, place + 1) in ("number", "range"):
            continue
        values, is_ordinal = _values(tokens, place, phrase)
        if values:
            behind = _phrase_after(tokens, place)
            owners = behind[::-1] if is_ordinal or (not phrase and not at) else phrase
            yield NameWord(
                text=fold(text) if kind == "word" else text,
                at=at,
                is_head=is_head,
                values=values,
                owners=tuple(owners),
                noun="".join(behind[:1]),
                is_word=kind == "word" and len(text) > 2 and text not in _ROMANS,
            )
            at, phrase = at + 1, []
        elif text in _PREPOSITIONS:
            phrase = []
        elif text not in ARTICLES:
            yield NameWord(text=fold(text), at=at, is_head=is_head)
            at, phrase = at + 1, [*phrase, fold(text)]


def _values(tokens: Sequence[tuple[str, str]], place: int, phrase: Sequence[str]) -> tuple[frozenset[str], bool]:
    """Values of a token that counts as a number or label, and whether it is an ordinal."""
    kind, text = tokens[place]
    if kind == "ordinal":
        return frozenset({_plain_number(text[:-2])}), True
    if kind == "number":
        return frozenset({_plain_number(text)}), False
    if kind == "range":
        first, last = (int(part) for part in re.findall(r"\d+", text))
        is_span = first < last <= first + _WIDEST_RANGE
        return frozenset(str(n) for n in (range(first, last + 1) if is_span else (first, last))), False
    if text in _ORDINALS:
        return frozenset({_ORDINALS[text]} if _phrase_after(tokens, place) else ()), True
    if not phrase:
        is_opening = place == 0 and len(text) > 1
        return frozenset({_ROMANS[text]} if is_opening and text in _ROMANS else ()), False
    value = _ROMANS.get(text) or _CARDINALS.get(text)
    ends = _kind_at(tokens, place + 1) in ("", "break")
    if value and (len(text) > 1 or ends):
        return frozenset({value}), False
    return frozenset({text} if len(text) == 1 and ends else ()), False


def _kind_at(tokens: Sequence[tuple[str, str]], place: int) -> str:
    return tokens[place][0] if place < len(tokens) else ""


def _phrase_after(tokens: Sequence[tuple[str, str]], place: int) -> list[str]:
    """Plain words that follow, up to a sign, a number or a preposition."""
    found: list[str] = []
    for kind, text in tokens[place + 1 :]:
        if kind != "word" or text in _PREPOSITIONS:
            break
        if text not in ARTICLES:
            found.append(fold(text))
    return found


def _plain_number(text: str) -> str:
    return re.sub(r"^0+(?=\d)", "", text.replace(",", ".").replace(" ", ""))
