"""Text lookup: questions for which the application has loaded a tool whose texts are to be cited, and their answers."""

import re

from sandbox.model.reply import Call, Reply, calls, words
from sandbox.model.rules.dialogue.clarification import asked_back, candidates
from sandbox.model.rules.dialogue.tool_ranking import WHERE_IS, likely_tool, special_tool
from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.text import fold, stem, stems, word_set
from sandbox.model.rules.language.translation import in_english
from sandbox.model.rules.planning.planner import plan
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.answers import opening
from sandbox.model.rules.responses.small_talk import is_talk, refuses_work
from sandbox.model.rules.search.fallback_search import fallback_search_for
from sandbox.model.rules.slots.slot_context import SlotContext
from sandbox.model.rules.slots.slot_filling import fill
from sandbox.model.rules.slots.title_words import telling_stems
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Role
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.tool_results import notes

PASSAGE = re.compile(r"(?m)^- \*\*(?>(?P<title>.+?)\*\*)(?>.*\[open\]\((?P<url>[^\s()[]++)\)).*\n(?P<text>(?:>.*\n?)+)")
COUNTED = re.compile(r"\b(?P<unit>[a-z]+)\s+(?P<numbers>\d+(?:\s*(?:-|–|to|a)\s*\d+)?)")
CITED = re.compile(r"\bcite\b")
ABOUT = re.compile(
    r"^\W*(?:about|sobre)\s+[“«\"](?P<title>[^”»\"]+)[”»\"](?:,\s*\w+\s+(?P<pages>\d+))?\s*:", re.IGNORECASE
)
"""How the reader of materials names the page that is open beside the chat."""
OF_READING = word_set(
    "explain explica explicame sum summarize summarise resume what say says dice mean means significa up"
)
MOST_QUOTED, LONGEST, SHORTEST = 4, 420, 5


def look_into_texts(state: RequestState) -> Reply | None:
    """Call the tool that reads what the words name, then the one that searches; in the end what their pages say."""
    turn, last = state.conversation.now, state.conversation.now.steps[-1:]
    open_page = ABOUT.match(turn.said)
    heard = state.tools if open_page else state.added[1]
    citing = [tool for name, tool in state.tools.items() if name in heard and CITED.search(tool.description)]
    is_asked = open_page is not None or bool(last) or _is_asked(state)
    if (last and last[0].name not in [tool.name for tool in citing]) or not is_asked:
        return None
    if last and (said := quotes(state, last[0], turn.said)):
        return words(f"{opening(state)}{state.say('lead')}\n\n{said}")
    if last and (asked := asked_back(state, last[0])):
        return words(opening(state) + asked)
    said_in_english = fold(in_english(turn.said) or turn.said).split()
    named = {stem(word) for word in said_in_english if word not in lexicon.function_words()}
    readers = [tool for tool in citing if (what := tool.param(Role.REFERENCE)) and what.required]
    meant = [tool for tool in readers if open_page or named & {*tool.words, *stems(tool.params[0].description)}]
    tools = [*meant, *(tool for tool in citing if (query := tool.param(Role.QUERY)) and query.required)]
    left = [tool for tool in tools if tool.name not in [step.name for step in turn.steps]]
    return calls(_call(state, left[0])) if left and not (last and not last[0].is_error) else None


def _is_asked(state: RequestState) -> bool:
    """Whether the rules know nothing better: the words ask for no ability, for no place, and answer no question."""
    intent = state.read(state.conversation.now.said)
    before = [turn.steps[-1:] for turn in state.conversation.before[-1:]]
    if intent.action.is_write or any(candidates(step) for steps in before for step in steps):
        return False
    likely = likely_tool(state, intent)
    names_a_text = any(len(word) >= SHORTEST for word in telling_stems(intent))
    if likely is not None and not CITED.search(likely.description) and not names_a_text:
        return False
    is_special = special_tool(state, intent.text) or fallback_search_for(intent, state.tools, state.now.date())
    is_new = any(CITED.search(state.tools[name].description) for name in state.added[0] if name in state.tools)
    is_new = is_new and not WHERE_IS.search(fold(intent.text))
    return not is_special and not refuses_work(intent.text) and not is_talk(state) and (is_new or not plan(state))


def _call(state: RequestState, tool: Profile) -> Call:
    said, pages = state.conversation.now.said, ""
    if (found := COUNTED.search(fold(said))) and stem(in_english(found["unit"]) or found["unit"]) in tool.words:
        said, pages = f"{said[: found.start()]} {said[found.end() :]}", found["numbers"]
    if (open_page := ABOUT.match(said)) is not None:
        said, pages = open_page["title"], open_page["pages"] or ""
    intent = state.read(said)
    arguments = fill(tool, intent, SlotContext(now=state.now)).arguments if open_page is None else {}
    if (what := tool.param(Role.REFERENCE)) is not None and what.required:
        arguments[what.name] = said if open_page else _named(intent) or said
    counted = [param.name for param in tool.params if param.description.startswith("Numbers")]
    return Call(name=tool.name, input={**arguments, **{name: pages for name in counted if pages}})


def _named(intent: Intent) -> str:
    """The words that may be a title: no verbs of orders, no small words, no course."""
    course = range(intent.course[1], intent.course[2]) if intent.course else range(0)
    kept = [token for token in intent.tokens if token.start not in course and not lexicon.orders().hits([token])]
    return " ".join(intent.text[t.start : t.end] for t in kept if t.word not in lexicon.function_words() | OF_READING)


def quotes(state: RequestState, step: Step, question: str) -> str:
    """Of each page the two paragraphs that share most words with the question, and the page's link."""
    asked, said = set(stems(question)), []
    for page in list(PASSAGE.finditer(step.result))[:MOST_QUOTED]:
        text = re.sub(r"(?m)^> ?", "", page["text"])
        parts = [" ".join(part.strip("# ").split()) for part in text.split("\n\n") if len(part.split()) > 3]
        best = sorted(parts, key=lambda part: -len(asked & set(stems(part))))[:2]
        if quoted := " … ".join(part for part in parts if part in best)[:LONGEST]:
            said.append(f"“{quoted}” — [{page['title']}]({page['url']})")
    return "\n\n".join([*said, *notes(step.result)]) if said else ""
