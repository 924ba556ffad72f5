"""Text lookup: a question for which the application has loaded a tool that reads or searches texts, and how it quotes."""

import re
from collections.abc import Collection

from sandbox.model.reply import Call, Reply, calls, words
from sandbox.model.rules.language.text import fold, stem, tokens
from sandbox.model.rules.language.translation import in_english
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.answers import opening
from sandbox.model.rules.slots.slot_context import SlotContext
from sandbox.model.rules.slots.slot_filling import fill
from sandbox.model.rules.slots.title_words import reference_words
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Role
from sandbox.model.rules.understanding.conversation import Step

QUOTES = re.compile(r"^- \*\*(?P<title>.+?)\*\*.*\[open\]\((?P<url>\S+)\)\n(?P<text>(?:>.*\n?)+)", re.MULTILINE)
MOST_QUOTES, LONGEST = 4, 420


def quoted_answer(state: RequestState, step: Step) -> str:
    """What the pages of a result say: of each the paragraphs that share most words with the question."""
    asked = {token.stem for token in tokens(state.conversation.now.said)} - {""}
    said = []
    for page in list(QUOTES.finditer(step.result))[:MOST_QUOTES]:
        text = re.sub(r"(?m)^> ?", "", page["text"])
        parts = [" ".join(part.strip("# ").split()) for part in text.split("\n\n") if len(part.split()) > 4]
        best = sorted(parts, key=lambda part: -len(asked & {token.stem for token in tokens(part)}))[:2]
        quoted = " ".join(part for part in parts if part in best)[:LONGEST]
        said += [f"“{quoted}” — [{page['title']}]({page['url']})"] if quoted else []
    return "\n\n".join(said)


def look_into_texts(state: RequestState, loaded: Collection[str]) -> Reply | None:
    """The call of the tool that reads what the words name, else of the one that searches; then what the pages say."""
    turn, there = state.conversation.now, [tool for name, tool in state.tools.items() if name in loaded]
    made = [step for step in turn.steps if not step.is_error]
    if made and (said := quoted_answer(state, made[-1])):
        return words(f"{opening(state)}{state.say('lead')}\n\n{said}")
    readers = [tool for tool in there if "page_text" in tool.description or _reads(tool)]
    return next((reply for tool in readers if (reply := _called(state, tool)) is not None), None)
