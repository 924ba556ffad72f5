"""Questions about the application itself: where it says how to connect, who sees what, and what cannot be done."""

import re

from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.app_phrases import APP, NOW, WHO

SERVICE = r"(?:canvas|google(?:\s+calendar)?|notion|calendars?|calendario|accounts?|cuentas?|github)"
HOW = r"(?:how|where|can|como|donde|puedo)"
SO = r"\W*(?:(?:lol|haha+|jaja\w*|ok|okay|so|um+|uh+|wait|hey|bruh|bro|oye|y|pero|but)\W+)*"
RUDE = (
    r"sucks?|stupid|dumb|useless|trash|garbage|terrible|awful|idiot|worthless|the\s+worst|wtf|stfu|fuck\w*|shit\w*|bullshit"
    r"|inutil|tont[oa]|mierda|basura|pesim[oa]|idiota|no\s+sirves(?:\s+para\s+nada)?|callate|shut\s+up"
)
BEING = (
    r"chat\s?gpt|gpt\S*|claude|gemini|copilot|siri|alexa|ai|ia|bot|chatbot|robot|human|humano|person|persona"
    r"|llm|machine|maquina|modelo|real"
)
RULES = (
    (
        APP["connect"],
        rf"\b{HOW}\b.{{0,30}}\b(?:connect|link|hook\s+up|sync|add|conect\w*|vincul\w*|enlaz\w*|sincroniz\w*)\b.{{0,20}}{SERVICE}\b"
        rf"(?!.*\b(?:event|to\s+my)\b)|\b(?:disconnect|desconect\w*)\b.{{0,25}}{SERVICE}\b",
    ),
    (
        APP["privacy"],
        r"\b(?:my|mis?)\s+(?:data|chats?|information|info|privacy|datos|conversaciones|privacidad)\b.{0,40}"
        r"\b(?:private|safe|secure|share\w*|stored?|kept|privad\w+|segur\w+|guard\w+|compart\w+)\b"
        r"|\bwho\b.{0,20}\b(?:read|see)\b.{0,20}\b(?:my|this|these)\b|\bquien\b.{0,20}\b(?:leer?|ven?)\b.{0,20}\bmis?\b"
        r"|\bprivacy\s+policy\b|\bpolitica\s+de\s+privacidad\b|\b(?:delete|erase|export|borra\w*)\s+(?:all\s+)?(?:my|mis)\s+"
        r"(?:data|account|datos|cuenta)\b",
    ),
    (
        APP["language"],
        r"\b(?:change|switch|set|cambi\w*)\b.{0,25}\b(?:language|idioma)\b|\b(?:in|to|en|al)\s+(?:spanish|english|espanol|ingles)"
        r"\W*$",
    ),
    (
        APP["mail"],
        r"\b(?:see|read|check|open|ver|leer|revisar|abrir)\s+(?:my|mis?)\s+(?:e-?mails?|inbox|correos?|bandeja\b.*)",
    ),
    (
        APP["hand_in"],
        r"\b(?:submit|hand\s+in|turn\s+in|upload)\b.{2,40}\bfor\s+me\b|\bpuedes\s+entregar\b|\bentrega(?:lo|la)?\s+por\s+mi\b",
    ),
    (
        APP["rude"],
        rf"^{SO}(?:(?:you|u|ur|you'?re|this|it|that|homeroom|eres|esto|tu)\b(?:\W+\w+){{0,3}}\W+)?(?:{RUDE})\b(?:\W+\w+){{0,1}}\W*$",
    ),
    (
        APP["what"],
        rf"^{SO}(?:(?:what|que)(?:'?s|s|\s+is|\s+es|\s+the\s+\w+\s+is|\s+even\s+is)?\s+(?:this|esto|homeroom)"
        r"(?:\s+(?:app|thing|site|website|page|place|even|for|about|all\s+about))*|what\s+does\s+(?:this|homeroom)(?:\s+(?:app|thing))?\s+do"
        r"|(?:what|how)\s+is\s+this\s+supposed\s+to\s+\w+|where\s+am\s+i|(?:para\s+)?que\s+(?:sirve|hace)\s+(?:esto|homeroom))\W*$",
    ),
    (
        APP["real"],
        r"\b(?:is|are|isn'?t|aren'?t)\s+(?:this|these|that|it|they|any\s+of\s+this)\b.{0,25}\b(?:real|fake|made\s+up|invented|sample)\b"
        r"|\b(?:whose|de\s+quien)\b.{0,20}\b(?:data|calendar|account|courses|grades|datos|calendario|cuenta|cursos)\b"
        r"|\b(?:es|son|esto\s+es|estos\s+son)\b.{0,20}\b(?:real(?:es)?|de\s+verdad|inventad[oa]s?|de\s+mentira)\W*$",
    ),
    (
        APP["identity"],
        r"\b(?:you|this|homeroom|tu|esto)\b.{0,30}\b(?:different|better|worse|same|like|diferente|mejor|igual)\b.{0,20}\b(?:chat\s?gpt|claude|gemini|siri|copilot)\b|"
        rf"^{SO}(?:are|r)\s+(?:you|u)\s+(?:an?\s+|the\s+|really\s+|just\s+|actually\s+)*(?:real\s+|actual\s+)?(?:{BEING})\b"
        r"|\bwho\s+(?:made|built|created|trained)\s+(?:you|u|this)\b|\b(?:what|which)\s+(?:ai|llm|model)\s+(?:are|is|do)\b"
        rf"|\beres\s+(?:un[ao]?\s+|el\s+)?(?:{BEING})\b|\bquien\s+te\s+(?:hizo|creo|entreno)\b|\bque\s+(?:modelo|ia)\s+eres\b",
    ),
    (
        APP["trust"],
        r"\b(?:trust\s+(?:you|u|this|homeroom)|my\s+(?:\w+\s+)?passwords?|are\s+you\s+(?:safe|secure|spying)|is\s+(?:this|it)\s+(?:safe|secure|legit)"
        r"|confi(?:ar|o)\s+en\s+(?:ti|esto)|mi\s+contrasena|es\s+(?:esto\s+)?segur[oa])\b",
    ),
    (
        APP["wrong"],
        rf"^{SO}(?:i\s+think\s+|creo\s+que\s+)?(?:you|u|that|this|it|eso|esto|te)\b(?:'?(?:re|s)|\s+(?:are|is|got|have|esta|has))?"
        r"(?:\W+\w+){0,3}?\W+(?:wrong|incorrect|mistaken|not\s+(?:right|true)|mal|equivoca\w+|incorrect[oa])\W*$",
    ),
    (
        APP["fun"],
        r"\b(?:tell|say|sing|write|know|cuenta\w*|dime|canta\w*|sabes)\b.{0,15}\b(?:jokes?|song|riddle|chistes?|cancion|adivinanza)\b",
    ),
    (
        APP["quiz"],
        r"^\W*(?:(?:can|could)\s+you\s+|please\s+)?(?:quiz|test)\s+me\b|\b(?:ponme\s+a\s+prueba|hazme\s+(?:un\s+quiz|preguntas))\b",
    ),
    (
        APP["weather"],
        r"\b(?:what(?:'?s|s|\s+is)|how(?:'?s|\s+is)|check|tell\s+me|will|is|going)\b.{0,20}\b(?:the\s+weather|it\s+(?:going\s+to\s+)?(?:rain|snow))\b"
        r"|^\W*weather\b|\bque\s+tiempo\s+(?:hace|hara|va\s+a\s+hacer)\b|\b(?:va\s+a\s+llover|llovera|el\s+clima)\b",
    ),
)
WHO_AM_I = re.compile(
    r"^\W*(?:(?:so|ok|hey|oye|y)\W+)*(?:who\s+(?:am\s+i|do\s+you\s+think\s+i\s+am)|what(?:'?s|\s+is)\s+my\s+name"
    r"|do\s+you\s+know\s+(?:who\s+i\s+am|my\s+name)|quien\s+soy(?:\s+yo)?|como\s+me\s+llamo|cual\s+es\s+mi\s+nombre"
    r"|sabes\s+(?:quien\s+soy|como\s+me\s+llamo))\W*$"
)
CLOCK = re.compile(
    r"^\W*(?:what\s+time\s+is\s+it|what'?s\s+the\s+time|que\s+hora\s+es)(?:\s+(?:now|ahora|right\s+now))?\W*$"
)
STUDENT = re.compile(r"The student you help is (?P<name>[^.\n]+)\. Their time zone is (?P<zone>[\w/+-]+)")
INTO_CALENDAR = re.compile(
    r"\b(?:add|put|sync|save)\b.*\b(?:due|deadlines?|assignments?|exams?|dates|homework|events?)\b.*\b(?:to|on|in|into|with)\s+my\b"
)
CHATS_ONLY = re.compile(r"\b(?:translate|say|traduce|como\s+se\s+dice)\b")


def about_app(state: RequestState, folded: str) -> str | None:
    """What there is to say; None for every other message."""
    if CHATS_ONLY.search(folded) or INTO_CALENDAR.search(folded):
        return None
    if WHO_AM_I.match(folded) and (known := STUDENT.search(state.conversation.system)):
        return state.say(*WHO).format(**known.groupdict())
    if CLOCK.match(folded):
        return state.say(*NOW).format(now=state.say(f"{state.now:%A}, {state.now:%I:%M %p}", f"{state.now:%H:%M}"))
    told = next((words for words, said in RULES if re.search(said, folded)), None)
    return state.say(*told) if told else None
