"""Small talk and other replies without a tool: greetings, abilities, subjects and work that are refused."""

import re
from collections.abc import Mapping

from sandbox.model.rules.dialogue.follow_ups import AGREES
from sandbox.model.rules.dialogue.references import by_ordinal
from sandbox.model.rules.dialogue.tool_ranking import wanted_objects
from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.lexicon import SERVICES
from sandbox.model.rules.language.messages import messages
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.answers import not_there
from sandbox.model.rules.responses.app_help import about_app
from sandbox.model.rules.responses.selection import compared
from sandbox.model.rules.search.fallback_search import fallback_search_for
from sandbox.model.rules.understanding import memory
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.orders import head

MOST_NAMED = 10
HELLO = re.compile(
    r"^\W*(?:hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening)|howdy|greetings|sup|wass?up|what'?s up|que tal"
    r"|que onda|que hubo|ey|holi|hola|buenas|buenos dias|buenas tardes)\b"
)
THANKS = re.compile(r"\b(?:thanks|thank you|thx|ty|cheers|appreciate it|gracias|mil gracias|genial, gracias)\b")
THANKS_AND_BYE = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|great|cool|perfect|nice|vale|bueno|listo|genial)\W+)*(?:thanks|thank you|thx|ty|(?:muchas "
    r"|mil )?gracias)(?:\W+(?:a lot|so much|ur|you'?re|the best|that'?s (?:all|it)|that is all|(?:eso|esto) es todo"
    r"|por todo|nada mas|bye|adios|for now|por ahora|eres|lo|la|un|una|crack|mejor|maximo|maxima))*\W*$"
    r"|^\W*(?:that'?s (?:all|it)|eso es todo|nada mas)(?:\W+(?:thanks|thank you|gracias|for now|por ahora))*\W*$"
)
REFUSES = re.compile(
    r"^\W*(?:no|nope|nah|not now|never ?state|nvm|nm|forget it|olvidalo|no thanks|no gracias|ahora no|mejor no|"
    r"dejalo)\b(?:\W+\w+){0,2}\W*$"
)
BYE = re.compile(r"^\W*(?:bye|goodbye|see you|see ya|good night|later|adios|hasta luego|buenas noches|chao)\b")
ABILITIES = re.compile(
    r"\bwhat (?:else )?(?:can|could|do) you (?:even |actually |really |all )?(?:do|help)|\b(?:how|where) (?:do|can"
    r"|should) i (?:get started|start|begin)\W*$|\bwhat (?:can|should) i ask\b|\bcomo (?:empiezo|se usa)\W*$"
    r"|\bque (?:te )?puedo preguntar\b|^\W*(?:(?:i|yo)\s+)?(?:need|necesito)\s+(?:some\s+)?(?:help|ayuda)\W*$"
    r"|\bhelp me\W*$|^\W*help\W*$|\bwho are you|\bwhat are you\b|\bhow do (?:you|i) (?:work|use)|\bque (?:puedes"
    r"|sabes) hacer|\bquien eres|\ben que (?:me )?puedes ayudar|^\W*ayuda\W*$|\bwhat tools\b|\byour (?:tools|abilities)"
)
WORK_FOR_ME = re.compile(
    r"^\W*(?:(?:please|can you|could you|pls|hey|just)\W+)*(?:do|solve|finish|complete|write"
    r"|answer)\s+(?:all\s+)?(?:of\s+)?(?:(?:my|the)\s+|this\s+(?=assignment|homework|hw|essay|quiz|paper|problem\s+set"
    r"|worksheet))(?!(?:task|email|mail|note)s?\b)(?:[\w-]+\s+){1,4}for\s+me\b|\b(?:write|make|do)\b.{3,80}\b(?:that"
    r"|which|so)\s+i\s+can\s+(?:just\s+)?(?:hand|turn|submit)\b|\b(?:escribe\w*|redacta\w*"
    r"|haz\w*)\b.{3,80}\bpara\s+(?:entregar|entregarl[oa])\b"
)
HELP_WRITING = re.compile(
    r"\b(?:help|ayud\w+)\b.{0,12}\b(?:write|start|begin|draft|outline|writing|starting|escribir|empezar|redactar|con)\s+"
    r"(?:(?:my|the|an?|this|mi|el|la|un)\s+)(?:[\w]+\s+){0,3}?(?:essay|paper|report|thesis|ensayo|informe|trabajo)\b"
)
COMPOSE = re.compile(
    r"\b(?:page|note|doc(?:ument)?|flashcards?|pagina|nota|documento|tarjetas)\b.{0,60}\b(?:with|of|con|de)\s+"
    r"(?:\d{1,2}|some|a\s+few|several|unos|unas|algun[oa]s|cinco|tres|five|three|ten|diez)\s+(?:\w+\s+)?"
    r"(?:terms?|facts?|questions?|flashcards?|ideas?|definitions?|examples?|terminos?|datos|preguntas|tarjetas|definiciones"
    r"|ejemplos)\b(?!.*:\s*\S)"
)


def is_talk(state: RequestState) -> bool:
    """Whether a message wants no tool, whatever single words of it may speak of."""
    folded = fold(state.conversation.now.said)
    is_writing = HELP_WRITING.search(folded) or COMPOSE.search(folded)
    return bool(THANKS_AND_BYE.match(folded) or is_writing or compared(state)) or about_app(state, folded) is not None


def refuses_work(text: str) -> bool:
    """Whether a message asks for graded work to be done for the student."""
    if WORK_FOR_ME.search(fold(text)):
        return True
    found = lexicon.mended(text)
    begin = head(found)
    for hit in lexicon.discourse().hits(found):
        if hit.name == "do_my_work" and (hit.start == begin or found[hit.end - 1].word in ("me", "mi")):
            return True
    return False


def reply(state: RequestState) -> str:
    """The reply to a message for which no tool was chosen."""
    text = state.conversation.now.said
    folded = fold(text)
    if refuses_work(text):
        return state.say("no_homework")
    told = about_app(state, folded)
    if told is not None or (told := compared(state)):
        return told
    if (helps := HELP_WRITING.search(folded)) or COMPOSE.search(folded):
        return state.say("coach" if helps else "cannot_compose")
    if ABILITIES.search(folded):
        return _abilities(state)
    if THANKS_AND_BYE.match(folded) or (THANKS.search(folded) and len(folded.split()) <= 8):
        return state.say("thanks")
    if AGREES.match(folded) or REFUSES.match(folded):
        return state.say("fine")
    if BYE.search(folded) and len(folded.split()) <= 5:
        return state.say("bye")
    if HELLO.search(folded) and len(folded.split()) <= 6:
        return state.say("hello") + _invitation(state)
    intent = state.read(text)
    listed = memory.last_list(state.conversation, state.tools, state.now)
    if (named := by_ordinal(intent, listed)) is not None and not intent.action.is_write:
        return f"- {state.translated_line(named.line)}"
    fallback = fallback_search_for(intent, state.tools, state.now.date())
    if fallback is not None:
        return not_there(state, fallback)
    return _missing_service(state, intent) or _subject(state, intent)


def _invitation(state: RequestState) -> str:
    entities = _things(state)
    if not entities:
        return _abilities(state)
    said = state.say("ask_about").format(things=entities)
    return f"{said}{state.say('ask_me')} {state.say('key')}"


def _abilities(state: RequestState) -> str:
    if not state.tools:
        return f"{state.say('can_nothing')} {state.say('key')}"
    able = _able(state) or [f"- {tool.name.replace('_', ' ')}" for tool in list(state.tools.values())[:MOST_NAMED]]
    closing = f"{state.say('asks_first')} {state.say('ask_me')} {state.say('key')}"
    return "\n".join([state.say("can"), *able, "", closing])


def _able(state: RequestState, about: Mapping[str, float] | None = None) -> list[str]:
    """What the tools here can do, as a list; about: subjects that come first."""
    looking = [tool for tool in state.tools.values() if not tool.action.is_write and not tool.ability]
    makes = [tool for tool in state.tools.values() if tool.action.is_write]
    known = {name for tool in looking for name, weight in tool.objects.items() if weight >= 0.9}
    known |= {name for tool in makes for name in ("note", "task") if tool.objects.get(name, 0) >= 0.9}
    names = [name for name in messages() if name.startswith("able.") and name.removeprefix("able.") in known]
    return [f"- {state.say(name)}" for name in sorted(names, key=lambda name: -(about or {}).get(name[5:], 0.0))]


def _three_things(state: RequestState, said: str, intent: Intent) -> str:
    """That a message was not understood, with three things that can be done instead."""
    firsts = [re.split(r"(?<=[.])\s|:", tool.description)[0] for tool in state.tools.values()]
    told = [f"- {state.translated_line(first)}" for first in firsts]
    able = [*_able(state, wanted_objects(state, intent)), *told]
    return "\n".join([f"{said} {state.say('three_things')}", "", *able[:3]])


def _things(state: RequestState) -> str:
    known = {name for tool in state.tools.values() for name, weight in tool.objects.items() if weight >= 0.9}
    names = list(dict.fromkeys(state.say(name) for name in messages() if name[:6] == "names." and name[6:] in known))
    return state.say("and").join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _missing_service(state: RequestState, intent: Intent) -> str:
    if intent.is_about_the_world and not intent.has_own:
        return ""
    objects = wanted_objects(state, intent)
    name = max(objects, key=lambda key: objects[key], default="")
    if not name or objects[name] < 0.6 or not (intent.has_own or intent.has_order or intent.is_question):
        return ""
    if any(tool.objects.get(name, 0) > 0.6 for tool in state.tools.values() if not tool.ability):
        return _three_things(state, state.say("no_tool"), intent)
    service = next((label for label, entities in SERVICES.values() if name in entities), "")
    if not service:
        return _three_things(state, state.say("no_tool"), intent) if state.tools else state.say("can_nothing")
    is_dead = re.search(
        rf"{service}[^.\n]*\breconnect|\breconnect[^.\n]*{service}", state.conversation.system, re.IGNORECASE
    )
    said = "reconnect" if is_dead else "not_connected"
    what = state.say(f"names.{name}")
    return state.say(said).format(what=what, service=service)


def _subject(state: RequestState, intent: Intent) -> str:
    if (not intent.is_about_the_world and not intent.is_question) or not intent.tokens:
        if not state.tools:
            return state.say("can_nothing")
        return _three_things(state, state.say("not_understood"), intent)
    notes = any(tool.objects.get("note", 0) >= 0.9 and not tool.action.is_write for tool in state.tools.values())
    parts = [f"{state.say('not_thinking')} {state.say('key')}", state.say("study")]
    return "\n\n".join([*parts, state.say("look_up_notes")] if notes else parts)
