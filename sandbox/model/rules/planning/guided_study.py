"""Guided study: a question on what a course's pages say, hints in steps, and the explanation when it is wanted."""

import re

from sandbox.model.reply import Call, Reply, calls, words
from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold, tokens
from sandbox.model.rules.planning.planner import plan
from sandbox.model.rules.planning.text_lookup import CITED, quotes
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.answers import opening
from sandbox.model.rules.tools.schema import Role

GUIDES = "you guide the student's study"
BEGINS = re.compile(r"(?i)^\W*(?:study|estudia)\s+(?P<topic>\S.*?)(?:\s+(?:with me|conmigo))?\W*$")
HINT = pattern("hints? | pistas? | stuck | atascad[oa] | i don'?t know | no (lo )?se")
TELL = pattern("just tell me | tell me | dime ?lo | dime la respuesta | stop asking | the answer | explain | explica~")
MOST_TERMS, SHORTEST = 4, 6


def guide(state: RequestState) -> Reply | None:
    """The next step of a study that the application asks to guide; None outside of one, or for another question."""
    turns, said = [*state.conversation.before, state.conversation.now], fold(state.conversation.now.said)
    if not any(GUIDES in text for text in (state.conversation.system, *state.conversation.notes)):
        return None
    begun = [at for at, turn in enumerate(turns) if BEGINS.match(turn.said)]
    is_hint, is_told = HINT.search(said) is not None, TELL.search(said) is not None
    if not begun:
        return words(opening(state) + state.say("guide.which")) if is_hint or is_told else None
    since = turns[begun[-1] :]
    if len(since) > 1 and not (is_hint or is_told) and plan(state):
        return None
    topic = re.sub(r"[“”«»\"]", "", BEGINS.sub(r"\g<topic>", since[0].said))
    tools = [tool for tool in state.tools.values() if CITED.search(tool.description)]
    search = next((tool for tool in tools if (query := tool.param(Role.QUERY)) and query.required), None)
    step = next((step for turn in since for step in turn.steps if search and step.name == search.name), None)
    if search is None or step is None:
        return search and calls(Call(name=search.name, input={"query": topic}))
    pages, hints = quotes(state, step, topic), sum(1 for turn in since if HINT.search(fold(turn.said)))
    text, _, rest = pages.partition("” — ")
    terms = [t.word for t in tokens(text) if len(t.word) >= SHORTEST and t.word not in lexicon.function_words()]
    half = text.lstrip("“").split()[: len(text.split()) // 2]
    if not pages:
        told = state.say("guide.none")
    elif len(since) == 1:
        told = state.say("guide.begin")
    elif is_hint and hints <= 2:
        told = state.say("guide.first" if hints == 1 else "guide.second")
    else:
        told = f"{state.say('guide.told' if is_hint or is_told else 'guide.compare')}\n\n{pages}"
    left = ", ".join(dict.fromkeys(term for term in terms if term not in fold(topic)))
    filled = {"topic": topic, "page": rest.partition("\n")[0], "half": " ".join(half)}
    named = {**filled, "terms": ", ".join(left.split(", ")[:MOST_TERMS])}
    return words(opening(state) + re.sub(r"\{(\w+)\}", lambda found: named.get(found[1], found[0]), told))
