"""Grade scenarios: the target, the work it counts on and the scores that a clause supposes."""

import re

from sandbox.model.rules.language.text import fold
from sandbox.model.rules.slots.slot_context import CallDraft
from sandbox.model.rules.tools.schema import Param

LETTER = re.compile(r"\b(?:an?|un|una)\s+(?P<letter>[A-D][+-]?|F)(?![\w])|\bmy\s+(?P<kept>[A-D][+-]?)(?![\w])")
BARE_LETTER = re.compile(r"\b(?:sacar|sacarme|conseguir|obtener|get|for)\s+(?P<letter>[A-D][+-]?)(?![\w'])")
SMALL_LETTER = re.compile(
    r"\b(?:get|getting|keep|keeping|make|earn|have|with|for|sacar|tener|conseguir|mantener)\s+(?:an?|my|the|un|una"
    r"|mi)\s+(?P<letter>[abcdf][+-]?)(?=\s*(?:$|[?.!,]|\b(?:in|on|for|overall|en|final)\b))"
)
PERCENT = re.compile(r"(?P<n>\d{1,3}(?:[.,]\d+)?)\s*(?:%|percent|por\s+ciento)?")
PASS = re.compile(r"\b(?:pass|aprobar|aprobado|fail)\b")
WORK = re.compile(
    r"\b(?:on|in|for|at|en)\s++(?:(?:the|my|el|la|mi|los|las)\s*+)?(?P<item>(?:[\w#]+\s+){0,3}?(?:final|exam|examen|midterm"
    r"|parcial|quiz|quizzes|lab|labs|essay|ensayo|paper|project|proyecto|homework|test|report|presentation"
    r"|participation)\b(?:\s+(?:exam|paper|project|report|final|parcial|\d+))?)"
)
IF_I_GET = re.compile(
    r"\b(?:(?:if|suppose|supposing|assuming|imagine|say)\s+(?:that\s+)?i\s+(?:get|got|score|scored|have|had|make"
    r"|receive|end\s+up\s+with)|si\s+(?:saco|tengo|obtengo|consigo|me\s+pongo|sacara|sacase|me\s+sale))\s+(?:an?\s+"
    r"|un\s+)?(?P<n>\d{1,3}(?:[.,]\d+)?)(?:\s*+(?:%|percent|points))?\s++(?:on|in|for|en)\s++(?:the\s+|my\s+|el\s+|la\s+"
    r"|mi\s+)?(?:next\s+|proxim[oa]\s+)?(?P<item>[^,?.]{1,80}?)(?=\s+(?:in|for|en|de)\s+|[,?.]|\s+(?:what|how|where|will"
    r"|would|can|do|does|que|como|cuanto)\b|$)"
)
IF_I_GET_IT = re.compile(
    r"\b(?:if\s+i\s+(?:get|got|score|make)|si\s+(?:saco|sacara|obtengo|consigo))\s+(?:an?\s+|un\s+)?"
    r"(?P<n>\d{1,3}(?:[.,]\d+)?)\s*(?:%|percent|points|puntos)?(?:\s+(?:on|in|en)\s+(?:it|that|this|ese|eso|esa))?"
    r"(?:\s+(?:instead|then|mejor|entonces))?\W*$"
)
"""Says no work: the one that was spoken of."""
IF_IT_GOES = re.compile(
    r"\b(?:bomb|fail|ace|flunk|crush|nail|tank|finish|do|repruebo|suspendo|apruebo|hago)\s+(?:(?:the|my|el|la"
    r"|mi)\s++)(?P<item>\w[\w ]{2,29}?)\s++(?:with|at|con)\s+(?:an?\s+|un\s+)?(?P<n>\d{1,3}(?:[.,]\d+)?)"
)


def target(draft: CallDraft, param: Param) -> str | None:
    """The letter, percentage or pass that is wished for; None where scores are supposed instead."""
    if scores(draft, param):
        return None
    if small := SMALL_LETTER.search(fold(draft.intent.text)):
        return small["letter"].upper()
    if letter := LETTER.search(draft.intent.text):
        return letter["letter"] or letter["kept"]
    if bare := BARE_LETTER.search(draft.intent.text):
        return bare["letter"]
    course = range(draft.intent.course[1], draft.intent.course[2]) if draft.intent.course else range(0)
    for match in PERCENT.finditer(draft.intent.text):
        if match.start() not in course and 40 <= float(match["n"].replace(",", ".")) <= 100:
            return match["n"]
    return "pass" if PASS.search(fold(draft.intent.text)) else None


def item(draft: CallDraft, param: Param) -> str | None:
    """The piece of work that the wish hangs on."""
    folded = fold(draft.intent.text)
    found = None if scores(draft, param) else WORK.search(folded)
    return draft.intent.text[found.start("item") : found.end("item")].strip() if found else None


def scores(draft: CallDraft, param: Param) -> dict[str, float] | None:
    """Supposed percentages by the words for the work: {"final": 90}."""
    folded = fold(draft.intent.text)
    if draft.context.work and (it := IF_I_GET_IT.search(folded)):
        return {draft.context.work: float(it["n"].replace(",", "."))}
    found = [
        (match["item"].strip(), float(match["n"].replace(",", ".")))
        for pattern in (IF_I_GET, IF_IT_GOES)
        for match in pattern.finditer(folded)
    ]
    return {item: int(value) if value == int(value) else value for item, value in found} or None
