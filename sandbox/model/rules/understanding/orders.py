"""Orders in a clause: the verb at its head, a passive, a wish, a verb further on, or none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sandbox.model.rules.dates.when import When
from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import Token, fold, word_set
from sandbox.model.rules.tools.schema import Action

# Of equally long readings the one that changes something wins: "schedule", "plan", "book".
RANK = {"delete": 0, "change": 1, "create": 2, "search": 3, "open": 4, "read": 5}
TASK_NOTE = re.compile(
    r"^\W*(?:(?:add|new|create|anade|agrega|crea)\s+)?(?:an?\s+|una?\s+)?(?:new\s+|nuev[oa]\s+)?"
    r"(?P<kind>task|to-?\s?do|reminder|tarea|pendiente|recordatorio)\s*:\s*(?=\S)"
)
LONGEST_NOTE = 12
"""In words: "gym tomorrow 6pm" is an order without a verb, a longer text is not."""

PASSIVE = re.compile(
    r"^\W*(?:can|could|may|would|should)\b.{2,60}?\b(?:be|get)\s+(?P<verb>moved|cancell?ed|changed|rescheduled|shifted|"
    r"pushed(?: back)?|deleted|removed|added|scheduled|booked|renamed|postponed|extended|shortened|put)\b"
)
PARTICIPLE = re.compile(r"e?d$")
PASSIVE_VERBS = {
    Action.CHANGE: ("mov", "chang", "resch", "shift", "push", "renam", "postp", "exten", "short"),
    Action.DELETE: ("cancel", "delet", "remov"),
    Action.CREATE: ("add", "sched", "book", "put"),
}
SHOULD = re.compile(
    r"^\W*(?:the|my|our|el|la|mi)\b.*\b(?:should|needs to|has to|ought to|must|deberia|tiene que)\s+"
    r"(?:start|end|begin|be|last|go|finish|empezar|acabar|terminar|durar|ser)\b"
)
GONE = re.compile(
    r"\b(?:want|need|quiero|like)\b.*"
    r"\b(?:gone|off my calendar|out of my calendar|removed|deleted|cancell?ed|fuera de mi calendario)\b"
)
STRETCH = re.compile(
    r"(?:make|have|set|put|haz|pon)\s+(?:the|my|our|that|this|la|el|mi|esa|ese|nuestr[oa])\b.*"
    r"\b(?:long|longer|shorter|later|earlier|instead|mas larg\w|mas cort\w|mas tarde|antes|dure)\b"
)
MAKE_LONGER = re.compile(r"make\s+(?!an?\b|it\b)[\w' ]{3,60}\b(?:longer|shorter|earlier|later)\W*$")
TO_EXISTING = re.compile(
    r"\b(?:to|into|onto|in|at the (?:end|bottom|top) of|al final de|a|al|en)\s+"
    r"(?:the|my|our|mi|mis|la|el|las|los)\s+(?!calendar|to ?do|task|list|agenda|schedule)"
    r"(?:[\w'-]+\s+){0,4}?(?:page|notes?|docs?|document|notebook|apuntes|pagina|notas|cuaderno|documento)\b"
)
TO_IT = re.compile(
    r"\W*(?:\w+\s+){0,4}?(?:to|in|into|on|at the end of|a|en)\s+"
    r"(?:it|that|that page|this page|esa pagina|esta pagina|ella)\b(?!\s+(?:week|day|slot|time))"
)
NEW_PAGE = re.compile(
    r"\b(?:a|an|new|una?|nueva?|nuevo)\s+(?:(?!(?:la|el|mi|las|los|mis)\b)\w+\s+)?(?:page|note|doc|document|pagina|nota|documento)\b"
)
DROPS = re.compile(r"drop|toss|throw|deja|saca")
FROM_CALENDAR = pattern(r"(from|off|out of|de|del) (my|the|mi|el)?\s*(calendar|schedule|agenda|calendario|horario)")
AUXILIARIES = word_set(
    """
    can could may will would should shall do does did is are am was were has have puedo podemos podria es esta hay
    """
)
NEGATIVE = re.compile(r"n't$|^(?:cant|wont|dont)$")


@dataclass(frozen=True, kw_only=True)
class Order:
    """Order: what to do, by which verb, and where it stands in the text; both ends 0 when nothing was ordered."""

    action: Action
    verb: str = ""
    start: int = 0
    end: int = 0


def find_order(text: str, words: Sequence[Token], when: When) -> Order:
    """Order of the clause."""
    if noted := TASK_NOTE.match(fold(text)):
        return Order(action=Action.CREATE, verb="add", start=noted.start("kind"), end=noted.end())
    return _refined(_passive(text) or _at_head(text, words, when) or _further_on(text, words, when), text, when)


def head(words: Sequence[Token]) -> int:
    """The position after politeness and circling, where the verb stands."""
    at = 0
    while at < len(words):
        lead = _lead(words, at)
        if lead is None or any(hit.end > lead.end for hit in lexicon.orders().hits_at(words, at)):
            break
        at = lead.end
    return at


def _passive(text: str) -> Order | None:
    found = PASSIVE.match(fold(text))
    if found is None:
        return None
    base = PARTICIPLE.sub("", found["verb"].split()[0])
    action = next(action for action, beginnings in PASSIVE_VERBS.items() if base.startswith(beginnings))
    return Order(action=action, verb=found["verb"], start=found.start("verb"), end=found.end("verb"))


def _at_head(text: str, words: Sequence[Token], when: When) -> Order | None:
    at = 0
    while at < len(words):
        best, lead = _best(lexicon.orders().hits_at(words, at)), _lead(words, at)
        if best is not None and (lead is None or best.end >= lead.end):
            return _placed(text, best, words, when)
        if lead is None:
            return None
        at = lead.end
    return None


def _further_on(text: str, words: Sequence[Token], when: When) -> Order:
    return _after_a_break(text, words, when) or _without_verb(text, words, when)


def _after_a_break(text: str, words: Sequence[Token], when: When) -> Order | None:
    # "for bio, could you add …": a verb after a comma or a lead.
    leads = {
        lead.end
        for start in range(len(words))
        for lead in lexicon.discourse().hits_at(words, start)
        if lead.name == "lead"
    }
    for position in range(1, len(words)):
        hits = lexicon.orders().hits_at(words, position)
        best = _best([hit for hit in hits if hit.name not in ("read", "open")])
        between = text[words[position - 1].end : words[position].start]
        if best is not None and (position in leads or re.search(r"[,;:.!—–]", between)):
            return _placed(text, best, words, when)
    return None


def _without_verb(text: str, words: Sequence[Token], when: When) -> Order:
    folded = fold(text)
    if SHOULD.search(folded):
        return Order(action=Action.CHANGE)
    if GONE.search(folded):
        return Order(action=Action.DELETE)
    is_statement = any(token.word in AUXILIARIES or NEGATIVE.search(token.word) for token in words)
    is_note = when.has_time and not when.is_deadline and min(len(words), len(text.split())) <= LONGEST_NOTE
    return Order(action=Action.CREATE if is_note and not is_statement and "?" not in text else Action.READ)


def _refined(order: Order, text: str, when: When) -> Order:
    folded = fold(text)
    if order.action is Action.CREATE and DROPS.match(order.verb) and FROM_CALENDAR.search(folded):
        return replace(order, action=Action.DELETE)
    is_open = order.action in (Action.READ, Action.CREATE) and not order.verb.startswith(("when", "what", "how"))
    if when.shift is not None and is_open:
        return replace(order, action=Action.CHANGE)
    if order.action is not Action.CREATE:
        return order
    if (STRETCH.match(folded[order.start :]) or MAKE_LONGER.match(folded[order.start :])) and (
        when.minutes or when.has_time
    ):
        return replace(order, action=Action.CHANGE)
    is_existing = TO_EXISTING.search(folded.partition(":")[0]) and not NEW_PAGE.search(folded)
    return replace(order, action=Action.APPEND) if is_existing or TO_IT.match(folded) else order


def _lead(words: Sequence[Token], at: int) -> lexicon.Hit | None:
    return next((hit for hit in lexicon.discourse().hits_at(words, at) if hit.name == "lead"), None)


def _best(hits: Sequence[lexicon.Hit]) -> lexicon.Hit | None:
    return min(hits, key=lambda hit: (-hit.end, RANK[hit.name]), default=None)


def _placed(text: str, hit: lexicon.Hit, words: Sequence[Token], when: When) -> Order:
    verb = " ".join(token.word for token in words[hit.start : hit.end])
    is_told = verb in ("i have", "i've got") and not when.has_time
    is_asked = verb == "new" and "?" in text
    action = Action.READ if is_told or is_asked else Action(hit.name)
    return Order(action=action, verb=verb, start=words[hit.start].start, end=words[hit.end - 1].end)
