"""Facts of passages: sentences that stand by themselves, each with the term that matters in it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sandbox.model.summaries import INSTRUCTS, SENTENCE

FEWEST_WORDS, MOST_WORDS = 6, 38
BULLET = re.compile(r"^\s*(?:[•◦▪‣·*–-]|\d{1,2}[.)])\s+")
DROPPED = re.compile(
    r"^\s*(?:#|\[Picture|Table\b|Figure\b|Tabla\b|Figura\b)|\t|\||·|[=<>]{2}|^\s*(?:def|return|import|for|if|print)\b.*[:()]|https?://|\?|_{3}|[⃝⟶]"
)
NAME = r"[^\W\d_a-zà-ÿ][\w’'-]+(?: (?:of |de |del |the )?[^\W\d_a-zà-ÿ][\w’'-]+)+"
WORD = re.compile(r"[^\W\d_][\w’'-]*[^\W_]|[^\W\d_]")
_UNBOUND = (
    "it its they them their this that these those he his she her here there then so but and or such both neither "
    "each however also for instance see note another other others one some many most nobody everybody what which "
    "who how él ella ellos ellas esto esta este estos estas eso esa ese su sus pero y o así también aquí allí "
    "luego otro otra asimismo además lo les le nadie cada si if"
)
UNBOUND = frozenset(_UNBOUND.split())
_SPOKEN = (
    "you your yours we our ours us i me my let please tú tu tus usted ustedes nosotros nuestra nuestro mi yo "
    "lecture class page slide table figure exam midterm quiz homework section chapter lab submit student students "
    "course clase estudiantes curso tabla figura points puntos"
)
SPOKEN = frozenset(_SPOKEN.split())
_BACK = "this these such it they them him esta este estas estos"
BACK = frozenset(_BACK.split())
"""Words that point back to another sentence."""
LINKING = re.compile(r"\b(?:is|are|was|were|has|have|can|means?|es|son|fue|fueron|está|están|tiene|tienen)\b")
_BEFORE_NOUN = "a an the of in by into with from between el la los las un una de del por con en entre al"
BEFORE_NOUN = frozenset(_BEFORE_NOUN.split())
_COMMON = (
    "about after again against almost alone along already although always among another around because become "
    "becomes before being below between beyond called cannot comes could different does doing during early either "
    "enough even every everything exactly fewer first found general gives given great having hardly itself known "
    "large larger later least less little longer makes making might more much must need needs never nothing often "
    "only other part quite rather really right same second several should since small something sometimes still "
    "take takes than that their them themselves there these they thing things third this those though three "
    "through today together under until used using usually very well what when where whether which while whole "
    "whose will with within without would years ahora algunos algunas antes aunque bajo casi como contra cuando "
    "cuatro desde después donde durante ella entonces entre hacia hasta llama llamado mayor mayoría menos "
    "mientras misma mismo mucho muchos muchas nunca otra otro otros para parte pero porque primer primera puede "
    "pueden segunda segundo sido siempre sobre solo también tanto tiene todas todos toda todo tres último unos "
    "veces"
)
_PLACES = (
    "above across ahead apart around away back beside besides despite down except following former forward "
    "further inside instead latter like near nearly next onto opposite outside over past previous since than "
    "through throughout toward towards under unlike until upon versus via "
    "abajo acerca adelante además adentro afuera alrededor anterior arriba atrás aparte cerca delante dentro "
    "debajo detrás encima enfrente excepto fuera junto lejos mediante según siguiente tras través"
)
COMMON = frozenset(_COMMON.split()) | frozenset(_PLACES.split())
NO_TEXT = re.compile(
    r"(?i)^[\W\d]*(?:[^\W\d]+ ){0,2}(?:exercises?|practice|problems?|questions?|activit(?:y|ies)|answers?|solutions?"
    r"|contents|outline|index|agenda|references|bibliography|works cited|sources|readings?|ejercicios?|pr[aá]ctica"
    r"|problemas?|preguntas?|actividad(?:es)?|respuestas?|soluciones|contenidos?|[ií]ndice|sumario|temario|referencias"
    r"|bibliograf[ií]a|fuentes|lecturas?)\b"
    r"(?: (?:set|problems?|questions?|exercises?|list|de|for|to|and|y)\b.*)?[\W\d]*$"
)
"""Headings of parts that ask, list or cite, and state nothing."""
HEADING = re.compile(r"^[\W\d]*[^\W\d_a-zà-ÿ][^.:;?!|]{2,50}$")
"""A short line without an end, as plain text sets a heading; it begins another part when it is no item of a list."""
POINTS = re.compile(
    r"(?i)^(?:the|el|la|los|las) (?:following|siguientes?|anterior(?:es)?|former|latter)\b"
    r"|\b(?:above|below|(?:de )?(?:arriba|abajo))\b(?= (?:shows?|is|are|lists?|gives?|we|you|muestran?|es|son|se)\b)"
    r"|^(?:arriba|abajo|above|below) (?:se|you|we|is|are)\b"
)
"""Sentences about something else on the page."""
CITES = re.compile(
    r"\(\d{4}[a-z]?\)\.? |\bet al\.|\bpp?\. ?\d|\bISBN\b|\bdoi:|\b\d+ ?\(\d+\): ?\d|\.{4}|…\s*\d+$|\s\d{1,3}$"
)
"""Marks of a line of references or of contents."""
TASK = re.compile(
    r"(?i)^(?:[a-h]\)|\(?[a-hivx]{1,4}\))\s|^(?:explain|describe|calculate|compute|determine|list|name|draw|sketch|state|prove"
    r"|compare|discuss|define|find|show|give|write|identify|predict|suppose|consider|explica|describe|calcula|determina"
    r"|enumera|nombra|dibuja|demuestra|compara|define|halla|encuentra|escribe|identifica|supón|considera|indica|resuelve"
    r"|completa)\b"
)
NO_NOUN = re.compile(r"(?:ed|ing|ive|ous|ic|al|ble|ad[oa]s?|id[oa]s?|ando|iendo|ar|er|ir)$")
"""Endings of adjectives and verbs; a noun that has one counts for less as well."""
DEFINITION = re.compile(
    r"^(?:(?:An?|The|El|La|Los|Las|Un|Una)\s+)?(?P<term>[^,;:()“”]{3,40}?)(?:\s*\([^)]*\))?"
    r"(?:\s+(?:is|are|means|es|son|significa)\s+|:\s+)(?P<what>(?:an?|the|un|una|el|la|los|las)\s.{12,})$"
)


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Sentence of a passage, by the passage's number. what: of a definition, what its term is; else ""."""

    passage: int
    sentence: str
    term: str
    what: str = ""
    heading: str = ""

    @property
    def is_sentence(self) -> bool:
        """Whether it says something whole, unlike a line of a slide."""
        return self.sentence[-1] in ".!" or bool(LINKING.search(self.sentence))

    def with_term(self, other: str) -> str:
        """The sentence with another word in the term's place."""
        return self.sentence.replace(self.term, other, 1)


def facts_of(passages: Sequence[str]) -> list[Fact]:
    """All facts: definitions first, then from each passage in turn."""
    headers = Counter(_header(line) for text in passages for line in set(text.splitlines()))
    weights = Counter(word.lower() for text in passages for word in WORD.findall(text))
    marked = _marked(passages)
    found = [list(_facts(text, number, headers, weights)) for number, text in enumerate(passages, 1)]
    found = [[fact for fact in facts if _is_term(fact, weights, marked)] for facts in found]
    turns = [facts[at] for at in range(max(map(len, found), default=0)) for facts in found if at < len(facts)]
    return sorted(turns, key=lambda fact: not fact.what)


def _marked(passages: Sequence[str]) -> str:
    """What stands in headings, in bold or before a colon, in small letters."""
    lines = [line for text in passages for line in text.splitlines()]
    headings = [line for line in lines if line.lstrip().startswith("#")]
    bold = [found for line in lines for found in re.findall(r"\*\*(.+?)\*\*|__(.+?)__", line) for found in found]
    return "\n".join([*headings, *bold, *(line.partition(":")[0] for line in lines if ":" in line[:40])]).lower()


def _is_term(fact: Fact, weights: Counter[str], marked: str) -> bool:
    """Whether the term is one: marked as such, defined, a name, or a noun that comes again."""
    words = [word.lower() for word in WORD.findall(fact.term)]
    if not words or set(words) <= COMMON | UNBOUND | SPOKEN | BEFORE_NOUN or words[-1] in COMMON | BEFORE_NOUN:
        return False
    is_marked = re.search(rf"\b{re.escape(fact.term.lower())}", marked) is not None
    again = sum(weights[form] for form in {words[-1], f"{words[-1]}s", words[-1].removesuffix("s")})
    return is_marked or len(words) > 1 or (again > 1 and NO_NOUN.search(words[0]) is None) or bool(fact.what)


def steps_of(text: str) -> Iterator[tuple[str, list[str]]]:
    """Numbered lists of a passage: the line before each, and its steps as they stand there."""
    before, steps = "", list[str]()
    for line in [*text.splitlines(), ""]:
        numbered = re.match(r"^\s*(\d{1,2})[.)]\s+(.+)", line)
        if numbered and int(numbered[1]) == len(steps) + 1:
            steps.append(numbered[2].strip())
            continue
        if 3 <= len(steps) <= 8 and not any("?" in step for step in steps):
            yield before, steps
        if line.strip():
            before = line.strip("# :.") if not steps else ""
        steps = []


def _facts(text: str, number: int, headers: Counter[str], weights: Counter[str]) -> Iterator[Fact]:
    heading, states = "", True
    for line in text.splitlines():
        bare = BULLET.sub("", line).strip()
        if line.lstrip().startswith("#"):
            heading, states = line.strip("# "), NO_TEXT.match(line) is None
        elif NO_TEXT.match(line):
            states = False
        elif HEADING.match(line) and not BULLET.match(line) and len(line.split()) <= 6:
            states = True
        if not states or DROPPED.search(line) or headers[_header(line)] > 2 or INSTRUCTS.search(line):
            continue
        if CITES.search(line.strip()) or TASK.search(bare):
            continue
        for sentence in SENTENCE.split(bare):
            if POINTS.search(sentence.strip()):
                continue
            if _stands_alone(sentence.strip(), weights) and (fact := _fact(sentence.strip(), number, heading, weights)):
                yield fact


def _header(line: str) -> str:
    return re.sub(r"\d+", "0", line.strip())


def _stands_alone(sentence: str, weights: Counter[str]) -> bool:
    words = [word.lower() for word in WORD.findall(sentence)]
    if (
        not FEWEST_WORDS <= len(words) <= MOST_WORDS
        or words[0] in UNBOUND
        or not (sentence[0].isupper() or sentence[0].isdigit())
    ):
        return False
    if (
        SPOKEN & set(words)
        or BACK & set(words[:7])
        or sentence.count("(") != sentence.count(")")
        or sentence.count("“") != sentence.count("”")
    ):
        return False
    # It begins with what it is about: an article, a number, a name, a plural, or a noun that comes again or "is".
    is_noun = words[0].endswith("s") or weights[words[0]] > 1 or bool(LINKING.search(" ".join(words[1:6])))
    return words[0] in BEFORE_NOUN or sentence[:1].isdigit() or is_noun or sentence.split()[1][:1].isupper()


def _fact(sentence: str, passage: int, heading: str, weights: Counter[str]) -> Fact | None:
    defined = DEFINITION.match(sentence)
    if defined and len(defined["term"].split()) <= 4 and not COMMON & set(defined["term"].lower().split()):
        what = defined["what"].rstrip(". ")
        return Fact(passage=passage, sentence=sentence, term=defined["term"].strip(), what=what, heading=heading)
    words = [*re.finditer(NAME, sentence), *WORD.finditer(sentence)]
    names = [found.span() for found in words if " " in found.group()]
    whole = [w for w in words if " " in w.group() or not any(a <= w.start() < b for a, b in names)]
    scored = [(_score(found, sentence, heading, weights), found.group()) for found in whole]
    score, term = max(scored, default=(0.0, ""))
    if score < 3 or len(re.findall(rf"\b{re.escape(term)}\b", sentence, re.I)) != 1:
        return None
    return Fact(passage=passage, sentence=sentence, term=term, heading=heading)


def _score(found: re.Match[str], sentence: str, heading: str, weights: Counter[str]) -> float:
    """How much a word matters: it comes again, stands after an article or a preposition, is long or a name."""
    word, before = found.group(), WORD.findall(sentence[: found.start()])
    low = word.lower()
    if len(word) < 5 or low in COMMON | UNBOUND | SPOKEN | BEFORE_NOUN or low.endswith("ly"):
        return 0.0
    is_name = word[0].isupper() and bool(before)
    comes_again = min(weights[low], 5)
    after_article = bool(before) and before[-1].lower() in BEFORE_NOUN
    told = comes_again + 2 * after_article + 2 * is_name + min(len(word), 12) / 8 + (low in heading.lower())
    return told - 3 * (NO_NOUN.search(low) is not None and not is_name)
