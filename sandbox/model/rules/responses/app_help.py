"""Help with the application itself: how to connect, who sees what, what cannot be done."""

import re
from functools import cache

from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.vocabulary import sections
from sandbox.model.rules.request_state import RequestState

CONCEPTS = {
    "service": r"canvas|google( calendar)?|notion|calendars?|calendario|accounts?|cuentas?|github",
    "so": r"((lol|haha+|jaja~|ok|okay|so|um+|uh+|wait|hey|bruh|bro|oye|y|pero|but)\W+)*",
    "rude": "sucks?|stupid|dumb|useless|trash|garbage|terrible|awful|idiot|worthless|the worst|wtf|stfu|fuck~|shit~|"
    "bullshit|inutil|tont[oa]|mierda|basura|pesim[oa]|idiota|no sirves( para nada)?|callate|shut up",
    "being": r"chat\s?gpt|gpt\S*|claude|gemini|copilot|siri|alexa|ai|ia|bot|chatbot|robot|human|humano|person|persona"
    "|llm|machine|maquina|modelo|real",
}
WHO_AM_I = pattern(
    r"^ ((so|ok|hey|oye|y)\W+)*(who (am i|do you think i am)|what('?s| is) my name|do you know (who i am|my name)"
    r"|quien soy( yo)?|como me llamo|cual es mi nombre|sabes (quien soy|como me llamo)) $"
)
CLOCK = pattern("^ (what time is it|what'?s the time|que hora es)( (now|ahora|right now))? $")
STUDENT = re.compile(r"The student you help is (?P<name>[^.\n]+)\. Their time zone is (?P<zone>[\w/+-]+)")
OTHER = pattern(
    """
    (add|put|sync|save) *** (due|deadlines?|assignments?|exams?|dates|homework|events?) *** (to|on|in|into|with) my
    translate|say|traduce|como se dice
    """
)
"""What is no question about the application, though it may sound like one."""


def about_app(state: RequestState, folded: str) -> str | None:
    """Answer to a question about the application; None for every other message."""
    if OTHER.search(folded):
        return None
    if WHO_AM_I.match(folded) and (known := STUDENT.search(state.conversation.system)):
        return state.say("who").format(**known.groupdict())
    if CLOCK.match(folded):
        return state.say("now").format(now=state.say(f"{state.now:%A}, {state.now:%I:%M %p}", f"{state.now:%H:%M}"))
    topic = next((name for name, said in _topics().items() if said.search(folded)), None)
    return state.say(f"app.{topic}") if topic else None


@cache
def _topics() -> dict[str, re.Pattern[str]]:
    found = {}
    for name, said in sections("app_topics.txt").items():
        for concept, words in CONCEPTS.items():
            said = said.replace(f"<{concept}>", words)
        found[name] = pattern(said)
    return found
