"""Replies that need no tool: greetings, thanks, what it can do, subjects it cannot explain, work it will not do."""

import re

from sandbox.model.brain import lexicon, memory, phrases, remarks
from sandbox.model.brain.about import wanted_objects
from sandbox.model.brain.accepting import AGREES
from sandbox.model.brain.answers import not_there
from sandbox.model.brain.app import about_app
from sandbox.model.brain.comparing import compared
from sandbox.model.brain.intent import Intent
from sandbox.model.brain.ladders import ladder_of
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.orders import head
from sandbox.model.brain.resolve import by_ordinal
from sandbox.model.brain.text import fold
from sandbox.model.brain.thesaurus import NAMES, SERVICES

MOST_NAMED = 10
HELLO = re.compile(
    r"^\W*(?:hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening)|howdy|greetings|sup|wass?up"
    r"|what'?s up|que tal|que onda|que hubo|ey|holi|hola|buenas|buenos dias|"
    r"buenas tardes)\b"
)
THANKS = re.compile(r"\b(?:thanks|thank you|thx|ty|cheers|appreciate it|gracias|mil gracias|genial, gracias)\b")
THANKS_AND_BYE = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|great|cool|perfect|nice|vale|bueno|listo|genial)\W+)*"
    r"(?:thanks|thank you|thx|ty|(?:muchas |mil )?gracias)(?:\W+(?:a lot|so much|ur|you'?re|the best"
    r"|that'?s (?:all|it)|that is all"
    r"|(?:eso|esto) es todo|por todo"
    r"|nada mas|bye|adios|for now|por ahora|eres|lo|la|un|una|crack|mejor|maximo|maxima))*\W*$"
    r"|^\W*(?:that'?s (?:all|it)|eso es todo|nada mas)(?:\W+(?:thanks|thank you|gracias|for now|por ahora))*\W*$"
)
REFUSES = re.compile(
    r"^\W*(?:no|nope|nah|not now|never ?mind|nvm|nm|forget it|olvidalo|no thanks|no gracias|ahora no|mejor no|"
    r"dejalo)\b(?:\W+\w+){0,2}\W*$"
)
BYE = re.compile(r"^\W*(?:bye|goodbye|see you|see ya|good night|later|adios|hasta luego|buenas noches|chao)\b")
ABILITIES = re.compile(
    r"\bwhat (?:else )?(?:can|could|do) you (?:even |actually |really |all )?(?:do|help)|"
    r"\b(?:how|where) (?:do|can|should) i (?:get started|start|begin)\W*$|\bwhat (?:can|should) i ask\b|"
    r"\bcomo (?:empiezo|se usa)\W*$|\bque (?:te )?puedo preguntar\b|"
    r"^\W*(?:(?:i|yo)\s+)?(?:need|necesito)\s+(?:some\s+)?(?:help|ayuda)\W*$|\bhelp me\W*$|^\W*help\W*$|"
    r"\bwho are you|\bwhat are you\b|"
    r"\bhow do (?:you|i) (?:work|use)|\bque (?:puedes|sabes) hacer|\bquien eres|\ben que (?:me )?puedes ayudar|"
    r"^\W*ayuda\W*$|\bwhat tools\b|\byour (?:tools|abilities)"
)


WORK_FOR_ME = re.compile(
    r"^\W*(?:(?:please|can you|could you|pls|hey|just)\W+)*"
    r"(?:do|solve|finish|complete|write|answer)\s+(?:all\s+)?(?:of\s+)?"
    r"(?:(?:my|the)\s+|this\s+(?=assignment|homework|hw|essay|quiz|paper|problem\s+set|worksheet))"
    r"(?!(?:task|email|mail|note)s?\b)(?:[\w-]+\s+){1,4}for\s+me\b"
    r"|\b(?:write|make|do)\b.{3,80}\b(?:that|which|so)\s+i\s+can\s+(?:just\s+)?(?:hand|turn|submit)\b"
    r"|\b(?:escribe\w*|redacta\w*|haz\w*)\b.{3,80}\bpara\s+(?:entregar|entregarl[oa])\b"
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


def is_talk(mind: Mind) -> bool:
    """Whether a message wants no tool, whatever single words of it may speak of."""
    folded = fold(mind.conversation.now.said)
    is_writing = HELP_WRITING.search(folded) or COMPOSE.search(folded)
    return bool(THANKS_AND_BYE.match(folded) or is_writing or compared(mind)) or about_app(mind, folded) is not None


def refuses_work(text: str) -> bool:
    """Whether a message asks for graded work to be done for the student."""
    if WORK_FOR_ME.search(fold(text)):
        return True
    found = lexicon.mended(text)
    begin = head(found)
    for hit in lexicon.manners().hits(found):
        if hit.name == "do_my_work" and (hit.start == begin or found[hit.end - 1].word in ("me", "mi")):
            return True
    return False


def reply(mind: Mind) -> str:
    """The reply to a message for which no tool was chosen."""
    text = mind.conversation.now.said
    folded = fold(text)
    if refuses_work(text):
        return mind.say(*phrases.NO_HOMEWORK)
    if (told := about_app(mind, folded)) is not None:
        return told
    if told := compared(mind):
        return told
    if HELP_WRITING.search(folded):
        return mind.say(*remarks.COACH)
    if COMPOSE.search(folded):
        return mind.say(*remarks.CANNOT_COMPOSE)
    if ABILITIES.search(folded):
        return _abilities(mind)
    if THANKS_AND_BYE.match(folded) or (THANKS.search(folded) and len(folded.split()) <= 8):
        return mind.say(*phrases.THANKS)
    if AGREES.match(folded) or REFUSES.match(folded):
        return mind.say(*phrases.FINE)
    if BYE.search(folded) and len(folded.split()) <= 5:
        return mind.say(*phrases.BYE)
    if HELLO.search(folded) and len(folded.split()) <= 6:
        return mind.say(*phrases.HELLO) + _invitation(mind)
    intent = mind.read(text)
    listed = memory.last_list(mind.conversation, mind.tools, mind.now)
    if (named := by_ordinal(intent, listed)) is not None and not intent.action.is_write:
        return f"- {mind.told(named.line)}"
    ladder = ladder_of(intent, mind.tools, mind.now.date())
    if ladder is not None:
        return not_there(mind, ladder)
    return _missing_service(mind, intent) or _subject(mind, intent)


def _invitation(mind: Mind) -> str:
    things = _things(mind)
    if not things:
        return _abilities(mind)
    said = mind.say(*phrases.ASK_ABOUT).format(things=things)
    return f"{said}{mind.say(*phrases.ASK_ME)} {mind.say(*phrases.KEY)}"


def _abilities(mind: Mind) -> str:
    if not mind.tools:
        return f"{mind.say(*phrases.CAN_NOTHING)} {mind.say(*phrases.KEY)}"
    looking = [tool for tool in mind.tools.values() if not tool.action.is_write and not tool.specialty]
    makes = [tool for tool in mind.tools.values() if tool.action.is_write]
    known = {name for tool in looking for name, weight in tool.objects.items() if weight >= 0.9}
    known |= {name for tool in makes for name in ("note", "task") if tool.objects.get(name, 0) >= 0.9}
    able = [f"- {mind.say(*said)}" for name, said in phrases.ABLE.items() if name in known]
    able = able or [f"- {tool.name.replace('_', ' ')}" for tool in list(mind.tools.values())[:MOST_NAMED]]
    closing = f"{mind.say(*phrases.ASKS_FIRST)} {mind.say(*phrases.ASK_ME)} {mind.say(*phrases.KEY)}"
    return "\n".join([mind.say(*phrases.CAN), *able, "", closing])


def _things(mind: Mind) -> str:
    known = {name for tool in mind.tools.values() for name, weight in tool.objects.items() if weight >= 0.9}
    names = list(dict.fromkeys(NAMES[name][mind.spanish] for name in NAMES if name in known))
    return mind.say(*phrases.AND).join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _missing_service(mind: Mind, intent: Intent) -> str:
    if intent.is_about_the_world and not intent.has_own:
        return ""
    objects = wanted_objects(mind, intent)
    name = max(objects, key=lambda key: objects[key], default="")
    if not name or objects[name] < 0.6 or not (intent.has_own or intent.has_order or intent.is_question):
        return ""
    if any(tool.objects.get(name, 0) > 0.6 for tool in mind.tools.values() if not tool.specialty):
        return mind.say(*phrases.NO_TOOL).format(things=_things(mind))
    service = next((label for label, things in SERVICES.values() if name in things), "")
    if not service:
        return mind.say(*phrases.NO_TOOL).format(things=_things(mind)) if mind.tools else mind.say(*phrases.CAN_NOTHING)
    is_dead = re.search(
        rf"{service}[^.\n]*\breconnect|\breconnect[^.\n]*{service}", mind.conversation.system, re.IGNORECASE
    )
    said = phrases.RECONNECT if is_dead else phrases.NOT_CONNECTED
    what = NAMES[name][mind.spanish]
    return mind.say(*said).format(what=what, service=service)


def _subject(mind: Mind, intent: Intent) -> str:
    if (not intent.is_about_the_world and not intent.is_question) or not intent.tokens:
        if not mind.tools:
            return mind.say(*phrases.CAN_NOTHING)
        return f"{mind.say(*phrases.NOT_UNDERSTOOD).format(things=_things(mind))} {mind.say(*phrases.ASK_ME)}"
    notes = any(tool.objects.get("note", 0) >= 0.9 and not tool.action.is_write for tool in mind.tools.values())
    parts = [f"{mind.say(*phrases.NOT_THINKING)} {mind.say(*phrases.KEY)}", mind.say(*phrases.STUDY)]
    return "\n\n".join([*parts, mind.say(*phrases.LOOK_UP_NOTES)] if notes else parts)
