"""Intent of one clause: what to do, to what, when, in which course."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sandbox.model.rules.dates import recurrence as repeating
from sandbox.model.rules.dates.spans import Span
from sandbox.model.rules.dates.vocabulary import WEEKDAY
from sandbox.model.rules.dates.when import When, combine, read_when
from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.courses import find_course
from sandbox.model.rules.language.lexicon import SERVICES
from sandbox.model.rules.language.text import Token, fold
from sandbox.model.rules.tools.schema import Action
from sandbox.model.rules.understanding.mentions import named_ranges, without_invitations
from sandbox.model.rules.understanding.orders import Order, find_order

OF_TIME = (
    rf"\s+(?:(?:coming|next|proxim[oa]|mism[oa])\s+)?(?:{WEEKDAY}|week\w*|month|term|semester|year|quarter"
    rf"|morning|afternoon|evening"
    r"|semanas?|mes|finde?|manana|tarde|noche|semestre|trimestre|ano|curso|cuatrimestre|vez|time)\b"
)
"""What makes "this" part of a time ("this Thursday") and no pronoun."""
PRONOUN = re.compile(
    rf"\b(?:it|(?:that|this|those|these)\b(?!{OF_TIME})|them|the (?:first|second|third|last|other) one|"
    r"(?:lo|la|los|las)(?=\s+(?:del?\b|puedes|podrias|que\s+(?:tengo|acab))|\W*$)|eso|ese\b(?!\s+dia)"
    r"|(?:esa|esta|este)\b"
    rf"(?!{OF_TIME})|"
    r"(?:muev|cambi|borr|elimin|cancel|quit|pas|aplaz|pon|pospon|retras|adelant|alarg|anul|renombr|hag|"
    r"haz|marc|termin|complet)\w{0,5}l[oa]s?)\b"
)
QUESTION = re.compile(
    r"^(?:what|whats|when|whens|where|wheres|which|who|how|hows|is|are|am|do|does|did|any|anything|have|has|que|cual|"
    r"cuando|donde|como|quien|hay|cuanto|cuanta)\b"
)
TOWARDS = {"to", "until", "till", "a", "al", "hasta", "para", "for"}
AT_HOUR = re.compile(r"(?:a|para) las?\b")
OLD_TO_NEW = re.compile(r"from\b|de\b|desde\b|del\b")
INSTEAD = re.compile(r"\b(?:instead|mejor|en vez)\b")
EVERY_ONE = re.compile(r"\btodos(?=\s+(?:l[oa]s|mis|nuestros|estos|esos)\b)")
"""The Spanish word for all, which is no list of things to do."""
QUOTED = re.compile(r"[\"“”«]([^\"“”»]{1,200})[\"”“»]|(?<!\w)'([^']{2,200})'(?!\w)")
# "add to my notes: …", but not "at 15:30" or "http://…".
CONTENT = re.compile(r":(?!\d)(?!//)\s*\S")


@dataclass(frozen=True, kw_only=True)
class Intent:
    """One clause, understood as far as rules go.
    objects, aspects: names of the thesaurus with their weights. course: what to search by, and where it is named.
    when: the time it is to have or to be looked at; located: the time by which an existing thing is named."""

    text: str
    tokens: Sequence[Token]
    order: Order
    objects: Mapping[str, float]
    aspects: Mapping[str, float]
    when: When
    located: When
    spans: Sequence[Span]
    course: tuple[str, int, int] | None
    quoted: Sequence[tuple[str, int, int]]
    services: frozenset[str]
    is_question: bool
    is_about_the_world: bool
    has_own: bool
    is_pronoun: bool

    @property
    def action(self) -> Action:
        """Action that the clause orders."""
        return self.order.action

    @property
    def verb(self) -> str:
        """Verb by which it is ordered."""
        return self.order.verb

    @property
    def has_order(self) -> bool:
        """Whether there is such a verb at all."""
        return self.order.end > 0

    @property
    def strength(self) -> float:
        """Weight of the surest subject that tools know."""
        return max(self.objects.values(), default=0.0)


def read_intent(text: str, now: datetime, courses: Iterable[str] = ()) -> Intent:
    """Understand one clause; `courses` are names that tools have shown."""
    plain, folded = without_invitations(text), fold(text)
    words = lexicon.mended(plain)
    when, spans = read_when(_without_reminders(plain), now)
    order = find_order(plain, words, when)
    if order.action is Action.CHANGE:
        # Who is invited to "the lunch tomorrow" does not move it.
        only_located = order.verb.startswith(("invit", "rename", "renombr"))
        located, when = (when, When()) if only_located else _old_and_new(text, spans, now)
    else:
        located = when
    asked = text.partition(":")[0] if order.action.is_write and CONTENT.search(text) else text
    about = _about(words, asked, order)
    discourse = lexicon.discourse().weights(about)
    return Intent(
        text=text,
        tokens=words,
        order=order,
        objects=lexicon.objects().weights(about),
        aspects=lexicon.aspects().weights(about),
        when=when,
        located=located,
        spans=spans,
        course=find_course(asked, courses),
        quoted=[(match[1] or match[2], match.start(), match.end()) for match in QUOTED.finditer(text)],
        services=frozenset(name for name in SERVICES if re.search(rf"\b{name}\b", folded)),
        is_question="?" in text or bool(QUESTION.match(folded.lstrip("¿ "))),
        is_about_the_world="knowledge" in discourse,
        has_own="own" in discourse,
        is_pronoun=bool(PRONOUN.search(folded)),
    )


def _without_reminders(text: str) -> str:
    # "remind me 30 minutes before" is neither the length nor the hour of the event.
    for start, end in repeating.reminder_ranges(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _about(words: Sequence[Token], asked: str, order: Order) -> list[Token]:
    # Names of things, and verbs of looking, say nothing about what the clause is about.
    names = named_ranges(asked)
    names += repeating.told_ranges(asked)
    names += [match.span() for match in EVERY_ONE.finditer(fold(asked))]
    about = [token for token in words if token.end <= len(asked) and not any(a <= token.start < b for a, b in names)]
    if order.action in (Action.OPEN, Action.SEARCH) or order.verb.startswith("remind me wh"):
        return [token for token in about if not order.start <= token.start < order.end or lexicon.is_about_notes(token)]
    return about


def _old_and_new(text: str, spans: Sequence[Span], now: datetime) -> tuple[When, When]:
    # "move my 3 o'clock on Friday to Saturday at 4": what stands before the "to" says which, the rest says where to.
    folded = fold(text)
    if len(spans) == 1 and spans[0].until is not None and OLD_TO_NEW.match(folded[spans[0].start :]):
        old, new = replace(spans[0], until=None), replace(spans[0], at=spans[0].until, until=None)
        return combine([old], now), combine([new], now)
    for at, span in enumerate(spans):
        if span.before in TOWARDS or span.kind == "shift" or AT_HOUR.match(folded[span.start :]):
            return combine(spans[:at], now), combine(spans[at:], now)
    if len(spans) > 1 and spans[-1].kind == "time" and INSTEAD.search(folded):
        return combine(spans[:-1], now), combine(spans[-1:], now)
    return When(), combine(spans, now)
