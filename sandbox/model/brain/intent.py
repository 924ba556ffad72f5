"""What one clause of the student asks for: what to do, to what, when, in which course."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from sandbox.model.brain import lexicon
from sandbox.model.brain.names import named_ranges
from sandbox.model.brain.spans import Span
from sandbox.model.brain.subjects import find_course
from sandbox.model.brain.text import Token, fold
from sandbox.model.brain.thesaurus import SERVICES
from sandbox.model.brain.when import When, combine, read_when


class Action(StrEnum):
    READ = "read"
    SEARCH = "search"
    OPEN = "open"
    CREATE = "create"
    APPEND = "append"
    CHANGE = "change"
    DELETE = "delete"

    @property
    def is_write(self) -> bool:
        """Whether it changes something."""
        return self in (Action.CREATE, Action.APPEND, Action.CHANGE, Action.DELETE)


PRONOUN = re.compile(
    r"\b(it|that|this|them|those|these|that one|this one|the (?:first|second|third|last|other) one|lo|la|eso|esa|ese|esta|este|"
    r"(?:muev|cambi|borr|elimin|cancel|quit|pas|aplaz|pon|pospon|retras|adelant|alarg|anul|renombr|hag|haz)\w{0,5}l[oa]s?)\b"
)
SPANISH = re.compile(
    r"[¿¡ñ]|\b(que|cual|cuando|donde|como|tengo|mis?|para|por|favor|hay|semana|manana|hoy|clase|tarea|el|los|las|una|del|puedes|quiero|"
    r"anade|crea|agrega|busca|borra|cancela|recuerdame|gracias|hola|estoy|voy|esta|notas)\b"
)
ENGLISH = re.compile(
    r"\b(the|what|when|my|is|are|am|to|for|on|in|do|how|and|it|me|add|show|can|i|any|of|please|about)\b"
)
QUESTION = re.compile(
    r"^(?:what|whats|when|whens|where|wheres|which|who|how|hows|is|are|am|do|does|did|any|anything|have|has|que|cual|cuando|donde|como|quien|hay|cuanto|cuanta)\b"
)
TOWARDS = {"to", "until", "till", "a", "al", "hasta", "para", "for"}
OLD_TO_NEW = re.compile(r"from\b|de\b|desde\b|del\b")
TO_EXISTING = re.compile(
    r"\b(?:to|into|onto|in|at the (?:end|bottom|top) of|al final de|a|al|en)\s+(?:the\s+|my\s+|our\s+|mi\s+|mis\s+|la\s+|el\s+|las\s+|los\s+)(?!calendar|to ?do|task|list|agenda|schedule)"
    r"(?:[\w'-]+\s+){0,4}?(?:page|notes?|docs?|document|notebook|apuntes|pagina|notas|cuaderno|documento)\b"
)
SHOULD = re.compile(r"^\W*(?:the|my|our|el|la|mi)\b.*\b(?:should|needs to|has to|ought to|must|deberia|tiene que)\s+(?:start|end|begin|be|last|go|finish|empezar|acabar|terminar|durar|ser)\b")
AUXILIARIES = frozenset("can could may will would should shall do does did is are am was were has have puedo podemos podria es esta hay".split())
PASSIVE = re.compile(
    r"^\W*(?:can|could|may|would|should)\b.{2,60}?\b(?:be|get)\s+(?P<verb>moved|cancell?ed|changed|rescheduled|shifted|pushed(?: back)?|deleted|removed|"
    r"added|scheduled|booked|renamed|postponed|extended|shortened|put)\b"
)
PARTICIPLE = re.compile(r"e?d$")
PASSIVE_VERBS = {
    Action.CHANGE: ("mov", "chang", "resch", "shift", "push", "renam", "postp", "exten", "short"),
    Action.DELETE: ("cancel", "delet", "remov"),
    Action.CREATE: ("add", "sched", "book", "put"),
}
GONE = re.compile(r"\b(?:want|need|quiero|like)\b.*\b(?:gone|off my calendar|out of my calendar|removed|deleted|cancell?ed|fuera de mi calendario)\b")
STRETCH = re.compile(
    r"(?:make|have|set|put|haz|pon)\s+(?:the|my|our|that|this|la|el|mi|esa|ese|nuestr[oa])\b.*"
    r"\b(?:long|longer|shorter|later|earlier|instead|mas larg\w|mas cort\w|mas tarde|antes|dure)\b"
)
TO_IT = re.compile(r"\W*(?:\w+\s+){0,4}?(?:to|in|into|on|at the end of|a|en)\s+(?:it|that|that page|this page|esa pagina|esta pagina|ella)\b(?!\s+(?:week|day|slot|time))")
NEW_PAGE = re.compile(
    r"\b(?:a|an|new|una?|nueva?|nuevo)\s+(?:\w+\s+)?(?:page|note|doc|document|pagina|nota|documento)\b"
)
QUOTED = re.compile(r"[\"“”«]([^\"“”»]{1,200})[\"”“»]|(?<!\w)'([^']{2,200})'(?!\w)")


@dataclass(frozen=True, kw_only=True)
class Intent:
    """One clause, understood as far as rules go.

    objects, aspects: names of the thesaurus with their weights. order_end: where the verb ends in the text.
    when: the time it is to have or to be looked at; located: the time by which an existing thing is named.
    """

    text: str
    tokens: Sequence[Token]
    action: Action
    verb: str
    order_start: int
    order_end: int
    objects: Mapping[str, float]
    aspects: Mapping[str, float]
    when: When
    located: When
    spans: Sequence[Span]
    course: tuple[str, int, int] | None
    quoted: Sequence[tuple[str, int, int]] = ()
    services: frozenset[str] = frozenset()
    is_question: bool = False
    is_about_the_world: bool = False
    has_own: bool = False
    is_pronoun: bool = False
    has_order: bool = False

    @property
    def strength(self) -> float:
        """How surely it is about something that tools know."""
        return max(self.objects.values(), default=0.0)


def read_intent(text: str, now: datetime, courses: Iterable[str] = ()) -> Intent:
    """Understand one clause."""
    words = lexicon.mended(text)
    when, spans = read_when(text, now)
    action, verb, first, end = _order(text, words, when)
    if when.shift is not None and action in (Action.READ, Action.CREATE) and not verb.startswith(("when", "what", "how")):
        action = Action.CHANGE
    if action is Action.CREATE and STRETCH.match(fold(text[first:])) and (when.minutes or when.shift or when.has_time):
        action = Action.CHANGE
    if action is Action.CREATE and TO_EXISTING.search(fold(text.partition(":")[0])) and not NEW_PAGE.search(fold(text)):
        action = Action.APPEND
    elif action is Action.CREATE and TO_IT.match(fold(text)):
        action = Action.APPEND
    located = when
    if action is Action.CHANGE:
        located, when = _old_and_new(text, spans, now)
    content = text.partition(":")[0] if action.is_write and _colon_begins_content(text) else text
    names = named_ranges(content)
    about = [token for token in words if token.end <= len(content) and not any(a <= token.start < b for a, b in names)]
    if action in (Action.OPEN, Action.SEARCH) or verb.startswith("remind me wh"):
        about = [token for token in about if not first <= token.start < end or lexicon.is_about_notes(token)]
    objects = lexicon.objects().weights(about)
    manners = lexicon.manners().weights(about)
    folded = fold(text)
    intent = Intent(
        text=text,
        tokens=words,
        action=action,
        verb=verb,
        order_start=first,
        order_end=end,
        objects=objects,
        aspects=lexicon.aspects().weights(about),
        when=when,
        located=located,
        spans=spans,
        course=find_course(content, courses),
        quoted=[(match[1] or match[2], match.start(), match.end()) for match in QUOTED.finditer(text)],
        services=frozenset(name for name in SERVICES if re.search(rf"\b{name}\b", folded)),
        is_question="?" in text or bool(QUESTION.match(folded.lstrip("¿ "))),
        is_about_the_world="knowledge" in manners,
        has_own="own" in manners,
        is_pronoun=bool(PRONOUN.search(folded)),
        has_order=end > 0,
    )
    return intent


def without_negation(text: str) -> str:
    """The text without a leading "don't …," that only says what not to do."""
    found = re.match(
        r"\W*(?:(?:please|ok|okay|por favor)\s+)?(?:don'?t|do not|no need to|forget|no|olvida)\s(?!let me|forget|se me|olvid)[^,.;]{3,60}[,.;]\s*",
        fold(text),
    )
    return text[found.end() :] if found and text[found.end() :].strip() else text


def is_spanish(text: str) -> bool:
    """Whether a text is more likely Spanish than English."""
    folded = fold(text)
    marks = len(re.findall(r"[¿¡ñ]", text.lower())) * 2
    return len(SPANISH.findall(folded)) + marks > len(ENGLISH.findall(folded))


def _old_and_new(text: str, spans: Sequence[Span], now: datetime) -> tuple[When, When]:
    # "move my 3 o'clock on Friday to Saturday at 4": what stands before the "to" says which, the rest says where to.
    if len(spans) == 1 and spans[0].until is not None and OLD_TO_NEW.match(fold(text[spans[0].start :])):
        old, new = replace(spans[0], until=None), replace(spans[0], at=spans[0].until, until=None)
        return combine([old], now), combine([new], now)
    for at, span in enumerate(spans):
        if span.before in TOWARDS or span.kind == "shift" or re.match(r"(?:a|para) las?\b", fold(text[span.start :])):
            return combine(spans[:at], now), combine(spans[at:], now)
    if len(spans) > 1 and spans[-1].kind == "time" and re.search(r"\b(?:instead|mejor|en vez)\b", fold(text)):
        return combine(spans[:-1], now), combine(spans[-1:], now)
    return When(), combine(spans, now)


def _colon_begins_content(text: str) -> bool:
    # "add to my notes: …", but not "at 15:30" or "http://…".
    return bool(re.search(r":(?!\d)(?!//)\s*\S", text))


def head(words: Sequence[Token]) -> int:
    """The position after politeness and circling, where the verb stands."""
    at = 0
    while at < len(words):
        leads = [hit for hit in lexicon.manners().hits_at(words, at) if hit.name == "lead"]
        if not leads or any(hit.end > leads[0].end for hit in lexicon.orders().hits_at(words, at)):
            break
        at = leads[0].end
    return at


def _order(text: str, words: Sequence[Token], when: When) -> tuple[Action, str, int, int]:
    if passive := PASSIVE.match(fold(text)):
        base = PARTICIPLE.sub("", passive["verb"].split()[0])
        action = next(action for action, stems_ in PASSIVE_VERBS.items() if base.startswith(stems_))
        return action, passive["verb"], passive.start("verb"), passive.end("verb")
    at, orders = 0, lexicon.orders()
    while at < len(words):
        hits = orders.hits_at(words, at)
        leads = [hit for hit in lexicon.manners().hits_at(words, at) if hit.name == "lead"]
        best, lead = _best(hits), leads[0] if leads else None
        if best is not None and (lead is None or best.end >= lead.end):
            return _placed(text, best, words, when)
        if lead is None:
            break
        at = lead.end
    return _late_order(text, words, at, when)


def _best(hits: Sequence[lexicon.Hit]) -> lexicon.Hit | None:
    # Of equally long readings the one that changes something wins: "schedule", "plan", "book".
    rank = {"delete": 0, "change": 1, "create": 2, "search": 3, "open": 4, "read": 5}
    return min(hits, key=lambda hit: (-hit.end, rank[hit.name]), default=None)


def _placed(text: str, hit: lexicon.Hit, words: Sequence[Token], when: When) -> tuple[Action, str, int, int]:
    verb = " ".join(token.word for token in words[hit.start : hit.end])
    action = Action(hit.name)
    if verb in ("i have", "i've got") and not when.has_time or verb == "new" and "?" in text:
        action = Action.READ
    return action, verb, words[hit.start].start, words[hit.end - 1].end


def _late_order(text: str, words: Sequence[Token], at: int, when: When) -> tuple[Action, str, int, int]:
    # "for bio, could you add …": a verb further on, after a lead or a comma. Without any: an hour makes it an event.
    for position in range(at + 1, len(words)):
        hit = _best([hit for hit in lexicon.orders().hits_at(words, position) if hit.name not in ("read", "open")])
        if hit is None:
            continue
        leads = [lead for start in range(position) for lead in lexicon.manners().hits_at(words, start)]
        is_new_part = bool(re.search(r"[,;:.!\u2014–]", text[words[position - 1].end : words[position].start]))
        if is_new_part or any(lead.name == "lead" and lead.end == position for lead in leads):
            return _placed(text, hit, words, when)
    if SHOULD.search(fold(text)):
        return Action.CHANGE, "", 0, 0
    if GONE.search(fold(text)):
        return Action.DELETE, "", 0, 0
    if words and words[0].word in AUXILIARIES:
        return Action.READ, "", 0, 0
    is_statement = any(token.word in AUXILIARIES or re.search(r"n't$|^(?:cant|wont)$", token.word) for token in words)
    if when.has_time and not is_statement and "?" not in text and len(words) <= 12 and not when.is_deadline:
        return Action.CREATE, "", 0, 0
    return Action.READ, "", 0, 0
