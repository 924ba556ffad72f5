"""Bibliography entries for what a search of the web finds: "search for sources on Bandung and cite them in MLA"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sandbox.model.reply import Call
from sandbox.model.rules.dialogue.conversation import Step
from sandbox.model.rules.language.lexicon import function_words
from sandbox.model.rules.language.text import stem, stems
from sandbox.model.rules.planning.list_tools import special
from sandbox.model.rules.planning.planner import Goal
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Role

MOST_CITED = 3
SEARCHED = re.compile(
    r"(?i)\b(?:search|look|find|busca\w*|encuentra\w*)\b.*?\b(?:sources?|articles?|pages?|fuentes|art[ií]culos|web|internet)\b"
    r".*?\b(?:on|about|for|sobre|de)\s+(?:good\s+)?(?!(?:good\s+)?sources?\b)(?P<topic>.+?)\s*(?:,|\band\b|\by\b)\s*"
    r"(?:then\s+)?(?:cite|c[ií]ta\w*|give|make|write|haz|dame)\b"
)
LINK = re.compile(r"\[open\]\((?P<url>[^)\s]+)\)")


def search_first(state: RequestState, goal: Goal) -> tuple[Profile, Call] | None:
    """The search whose finds are to be cited; None for an entry of a page that is named."""
    web, asked = special(state, "web_search"), SEARCHED.search(goal.intent.text)
    query = web.param(Role.QUERY) if web else None
    if goal.profile.known_for != "bibliography" or not goal.missing or web is None or query is None or not asked:
        return None
    return web, Call(name=web.name, input={query.name: asked["topic"].strip()})


def entries_of(goal: Goal, found: Step) -> Sequence[Goal]:
    """One goal for each of the first finds."""
    address = goal.missing[0].name
    asked = SEARCHED.search(goal.intent.text)
    wanted = set(stems(asked["topic"])) - {stem(word) for word in function_words()} if asked else set()
    alike = [item for item in found.items if wanted & set(stems(item.title))]
    links = [link["url"] for item in alike or found.items if (link := LINK.search(item.line))]
    return [replace(goal, arguments={**goal.arguments, address: url}, missing=[]) for url in links[:MOST_CITED]]
