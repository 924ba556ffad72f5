"""Titles and free text in a clause: names, what to search for, what to write."""

import re
from collections.abc import Iterable

from sandbox.model.rules.dates import recurrence as repeating
from sandbox.model.rules.dates.spans import Span
from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.text import fold, word_set
from sandbox.model.rules.slots import after_event as following
from sandbox.model.rules.tools.schema import Action
from sandbox.model.rules.understanding import mentions
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.mentions import CALLED, PLACE, names_a_page, place

SLOT = re.compile(
    r"\b(?:the|that|this|el|la|ese|esa)\s++(?:(?:first|second|third|fourth|last|1st|2nd|3rd|primer\w?|segund\w"
    r"|tercer\w?|ultim\w)\s*+)?(?:one|slot|gap|option|time|hueco|opcion|rato)\b"
    r"|\bthe (?:first|second|third|last)\b(?=\s+(?:for|of))"
)
IN_CALENDAR = re.compile(
    r"(?:(?<!\s)\s++)?\b(?:in(?:to|side)?|on(?:to)?|to|from|off|out of|en|al?|del?)\s++(?:(?:my|the|mis?|el|l[ao]s?"
    r"|our)\s*+)?(?:google )?(?:cal(?:endar(?:io)?)?|schedule|agenda|plann(?:er|ing)|horario|notion|to[- ]?do(?: list)?"
    r"|(?:list of )?tasks|(?:task )?list|lista(?: de (?:tareas|pendientes))?|workspace|pendientes|recordatorios)\b"
)
TASK_LEAD = re.compile(
    r"^\s*(?:(?:me|myself|us)\b\s*)?(?:(?:a|an|another|one|new|una|un|otra|nueva)\s+)*(?:(?:task|to[- ]?do|todo"
    r"|reminder|tarea|pendiente|recordatorio|item|note)s?\b)?\s*(?:for me\s+|para mi\s+)?(?:(?:to|that i (?:need"
    r"|have) to|i (?:need|have) to|that|about|for|saying|of|de|para|que|a|que tengo que|sobre)\b(?!\s*$)|:)?\s*"
)
ABOUT = re.compile(
    r"\b(?:about|regarding|on the topic of|covering|on|concerning|mention(?:s|ing)?|related to|dealing with"
    r"|with the words?|containing|sobre|acerca de|relacionad[oa]s? con|que hablen? de|que mencionen?|de|for"
    r"|para)\s+(?P<what>.+)$"
)
NEW_NAME = re.compile(
    r"\b(?:rename|retitle|change the (?:title|name) of|renombra\w*|llama\w*|cambia\w* el (?:titulo|"
    r"nombre))\b(?P<old>.{0,200}?)(?<!\s)\s++(?:to|as|into|a|por|como)\s++(?P<name>.{1,300})$"
)
CALL_IT = re.compile(r"\bcall (?:it|that|this)\s+(?P<name>.+?)(?:\s+instead)?\W*$")
SAYING = re.compile(
    r"\b(?:saying|say that|di que|that says|which says|with the text|with the content|the text|with|que diga"
    r"|con el texto|con)\b:?\s+(?P<text>.+)$",
    re.DOTALL,
)
CALLED_TO_COLON = re.compile(
    r"(?i)\b(?:called|named|titled|entitled|llamad[oa]|titulad[oa])\s++(?P<name>[^:\n]{2,80}?)(?:\s+(?:(?:in|en)\s+"
    r"notion|(?:under|inside|within|below|about|with|in my|to my|bajo|debajo|dentro|sobre|con|en mi)\b[^:]{0,200}))?:"
    r"(?!\d)(?!//)"
)
KIND_FIRST = re.compile(
    r"(?i)^\s*(?:an?\s+|un[ao]?\s+)?(?:new\s+)?(?:event|entry|meeting|appointment|evento|cita)\s*:\s*"
)
NOT_SEARCHED = word_set(
    "notion canvas google find search look looking busca called named llamada information info kept saved put written"
    " write wrote escribi link links enlace"
)
SAVE_THAT = re.compile(r"\b(?:that|this|it|your answer|the above|eso|esto|lo anterior|tu respuesta)\b")
EDGES = re.compile(
    r"^(?:[\s,.;:!?¿¡\-–—]|(?:a|an|the|my|some|for me|me|to|that|of|for|on|at|and|so|is|in|up|down|off|out|please|"
    r"then|called|it|un|una|el|la|mi|que|de|a|en|para|y|lo|unos|por favor)\b(?!['’]))+"
    r"|(?:[\s,.;:!?¿¡\-–—]|\b(?:a|an|the|my|to|for|on|at|and|in|into|from|by|with|due|please|pls|around|then|as well|"
    r"too|un|una|el|la|mi|de|del|a|al|en|para|y|por|con|por favor|desde|starting|which|that|lasting|is)\b)+$"
)


def event_title(intent: Intent) -> str:
    """Title of an event; empty when the clause does not say."""
    named = _named(intent)
    if named:
        return named
    left = KIND_FIRST.sub("", _left_over(intent))
    left = _sub_folded(IN_CALENDAR, left)
    if (where := place(intent.text)) and where in left:
        left = re.sub(rf"(?i)\s*(?:\b(?:at|en|in)|@)\s+{re.escape(where)}", " ", left)
    left = _trimmed(_sub_folded(PLACE, left))
    if re.match(r"(?i)(?:with|w|con)\b/?\s*", left):
        who = re.sub(r"(?i)^(?:with|w|con)\b/?\s*", "", left)
        left = f"Meeting with {who}" if not re.match(r"(?i)con\b", left) else f"Reunión con {who}"
    return capital(left)


def task_title(intent: Intent) -> str:
    """Title of a task: "email Prof Okafor" of "remind me to email Prof Okafor by Thursday"."""
    named = _named(intent)
    if named:
        return named
    left = _sub_folded(IN_CALENDAR, _left_over(intent, keep_duration=True))
    before = None
    while before != left:
        before = left
        left = _drop(TASK_LEAD, left)
    return capital(_trimmed(left))


def page_title(intent: Intent, content: str) -> str:
    """Title of a page: its name, its subject, else the first words of what is written."""
    named = _named(intent)
    if named:
        return named
    head = intent.text.partition(":")[0] if content and ":" in intent.text else intent.text
    subject = ABOUT.search(fold(head))
    if subject is not None:
        found = _trimmed(_sub_folded(IN_CALENDAR, head[subject.start("what") : subject.end("what")]))
        if found and not re.fullmatch(r"(?i)(?:my |the )?(?:notes?|page|notion)", found):
            return capital(found)
    if kind := re.search(r"(?i)\b(?:as|como)\s+(?:a|an|my|una?)\s+(.+)$", head):
        return capital(_trimmed(kind.group(1)))
    first = re.split(r"[.\n;]", content.strip())[0]
    return capital(" ".join(first.split()[:8]).strip(" ,.#*-"))


def new_name(intent: Intent) -> str:
    """The new title when something is renamed."""
    if intent.quoted:
        return intent.quoted[-1][0]
    folded = fold(intent.text)
    found = NEW_NAME.search(folded) or CALL_IT.search(folded)
    return _trimmed(intent.text[found.start("name") : found.end("name")]) if found else ""


def content(intent: Intent, last_answer: str) -> str:
    """Text to be written: after a colon, in quotes, after "saying", or the last answer for "save that"."""
    folded = fold(intent.text)
    if after := re.search(r":(?!\d)(?!//)\s*(?=\S)", intent.text):
        return intent.text[after.end() :].strip()
    quoted = [words for words, start, _ in intent.quoted if not names_a_page(intent.text, start)]
    if quoted:
        return quoted[-1]
    if said := SAYING.search(folded):
        return intent.text[said.start("text") : said.end("text")].strip()
    if last_answer and SAVE_THAT.search(folded):
        return last_answer
    return ""


def search_words(intent: Intent) -> str:
    """Search words: what stands after "about", else the words that are left when the asking is taken away."""
    if intent.quoted:
        return intent.quoted[0][0]
    folded = fold(intent.text)
    about = ABOUT.search(folded, intent.order.end)
    if about is not None:
        found = _content_words(intent, about.start("what"))
        if found:
            return found
    return _content_words(intent, intent.order.end)


def target_stems(intent: Intent) -> list[str]:
    """The stems by which an existing thing may be recognised, the most telling kept, dates and verbs left out."""
    taken = [(span.start, span.end) for span in intent.spans] + [(intent.order.start, intent.order.end)]
    end = len(intent.text)
    renamed = NEW_NAME.search(fold(intent.text)) if intent.action is Action.CHANGE else None
    if renamed:
        end = renamed.start("name")
    if intent.action is Action.APPEND and ":" in intent.text:
        end = intent.text.index(":")
    return [
        token.stem
        for token in intent.tokens
        if token.end <= end and token.word not in lexicon.function_words() and not _inside(token.start, taken)
    ]


def tidy(text: str) -> str:
    """A title from loose words: no stray words at its edges, a capital first."""
    return capital(_trimmed(text))


def _named(intent: Intent) -> str:
    if intent.quoted:
        return intent.quoted[0][0].strip()
    if to_colon := CALLED_TO_COLON.search(intent.text):
        return _trimmed(to_colon["name"])
    called = CALLED.search(fold(intent.text))
    return _trimmed(intent.text[called.start("name") : called.end("name")]) if called else ""


def _left_over(intent: Intent, *, keep_duration: bool = False) -> str:
    cut = [(0, intent.order.end)] if intent.has_order else _leads(intent)
    if intent.order.start > len(intent.text) // 2:
        # The verb comes last: "I'd like to study on Wednesday from 6 to 8, add that".
        cut = [*_leads(intent), (intent.order.start, len(intent.text))]
    cut += [
        _with_preposition(intent.text, span.start, span.end)
        for span in intent.spans
        if not (keep_duration and span.kind == "duration") and not _is_of_a_name(intent, span)
    ]
    cut += (
        repeating.told_ranges(intent.text)
        + mentions.invitations(intent.text)
        + ([found.span()] if (found := following.followed(intent.text)) else [])
    )
    cut += [match.span() for match in SLOT.finditer(fold(intent.text))]
    kept = [" " if _inside(at, cut) else character for at, character in enumerate(intent.text)]
    return " ".join(mentions.with_names("".join(kept)).split())


def _is_of_a_name(intent: Intent, span: Span) -> bool:
    # "Chess night, tomorrow 9 pm" is called so; "Friday night at 9" is not.
    after_a_word = re.search(r"[a-z]{3,} $", fold(intent.text)[: span.start])
    after_a_time = any(other.end == span.start - 1 for other in intent.spans)
    is_named_by_hour = intent.when.has_time and any(other.kind == "time" for other in intent.spans)
    return span.kind == "part" and is_named_by_hour and not span.before and bool(after_a_word) and not after_a_time


def _leads(intent: Intent) -> list[tuple[int, int]]:
    at = 0
    while at < len(intent.tokens):
        leads = [hit for hit in lexicon.discourse().hits_at(intent.tokens, at) if hit.name == "lead"]
        if not leads:
            break
        at = leads[0].end
    return [(0, intent.tokens[at - 1].end)] if at else []


def _with_preposition(text: str, start: int, end: int) -> tuple[int, int]:
    folded = fold(text)
    before = re.search(
        r"(?:\b(?:on|at|by|for|from|until|till|til|thru|before|in|during|this|starting|start|around|due|hasta|el|la"
        r"|los|las|a|para|por|de|en|desde|del|al|antes|sobre|the|@|next|between|to)\s+){1,6}$|@\s*$",
        folded[:start],
    )
    return (before.start() if before else start), end


def _content_words(intent: Intent, start: int) -> str:
    taken = [(span.start, span.end) for span in intent.spans]
    dropped = lexicon.function_words() | NOT_SEARCHED
    kept = [
        intent.text[token.start : token.end]
        for token in intent.tokens
        if token.start >= start
        and token.word not in dropped
        and not _inside(token.start, taken)
        and lexicon.objects().weights([token]).get("note", 0) < 0.5
    ]
    return " ".join(kept)


def _trimmed(text: str) -> str:
    before = None
    while before != text:
        before = text
        folded = fold(text)
        found = EDGES.search(folded)
        if found:
            text = (
                text[found.end() :]
                if found.start() == 0 and found.end() < len(text)
                else text[: found.start()] + text[found.end() :]
            )
    return " ".join(text.split())


def _drop(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(fold(text))
    return text[found.end() :] if found else text


def _sub_folded(pattern: re.Pattern[str], text: str) -> str:
    cut = [match.span() for match in pattern.finditer(fold(text))]
    return "".join(" " if _inside(at, cut) else character for at, character in enumerate(text))


def _inside(at: int, ranges: Iterable[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in ranges)


def capital(text: str) -> str:
    """The text with a capital first."""
    return text[:1].upper() + text[1:]
