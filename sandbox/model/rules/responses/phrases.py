"""The demo model's own sentences, English and Spanish. Facts never stand here: they come from tool results."""

import re

DEMO = ("(demo model) ", "(modelo de demostración) ")
KEY = (
    "With ANTHROPIC_API_KEY set, the real Claude answers here.",
    "Con ANTHROPIC_API_KEY configurada, aquí responde el Claude de verdad.",
)
HELLO = ("Hello! ", "¡Hola! ")
ASK_ABOUT = ("I can look things up here: {things}. ", "Aquí puedo buscar: {things}. ")
THANKS = ("You're welcome! Anything else?", "¡De nada! ¿Algo más?")
FINE = ("All right. Tell me when you need something else.", "De acuerdo. Dime si necesitas algo más.")
BYE = ("See you — good luck with everything.", "¡Hasta luego y mucha suerte!")
CAN = (
    "I follow simple rules instead of thinking, but I work with your real tools here. I can:",
    "Sigo reglas sencillas en lugar de pensar, pero trabajo con tus herramientas. Puedo:",
)
ABLE = {
    "assignment": (
        "Tell what is due, missing or handed in, and what to do first: “anything due tomorrow?”",
        "Decirte qué tienes que entregar, qué te falta y qué va primero: «¿algo para mañana?»",
    ),
    "grade": (
        "Show grades and work out what you need: “what if I get 85 on the calculus final?”",
        "Mostrar tus calificaciones y calcular qué necesitas: «¿y si saco 85 en el final de cálculo?»",
    ),
    "course": ("List your courses, with syllabus and materials.", "Mostrar tus cursos, con programa y materiales."),
    "announcement": ("Read what your teachers announced.", "Leer los anuncios de tus profesores."),
    "event": (
        "Show your calendar, and add, move or delete events: “move my study group to 6”",
        "Ver tu calendario y añadir, mover o borrar eventos: «mueve mi grupo de estudio a las 6»",
    ),
    "free": (
        "Find free time and plan study sessions: “plan my week”",
        "Encontrar huecos libres y planear sesiones de estudio: «planea mi semana»",
    ),
    "note": ("Find, read and write your notes.", "Buscar, leer y escribir apuntes."),
    "task": (
        "Keep your tasks: “remind me to buy a calculator tomorrow”",
        "Llevar tus pendientes: «recuérdame comprar pilas mañana»",
    ),
    "web": ("Search the web and cite what it finds.", "Buscar en la web y citar lo que encuentre."),
}
ASKS_FIRST = ("I ask before I change anything.", "Pregunto antes de cambiar algo.")
CAN_NOTHING = (
    "I follow simple rules, and right now no tool is connected, so I can't look anything up. Connect an account on "
    "the Connections page.",
    "Sigo reglas sencillas y ahora mismo no hay ninguna herramienta conectada. Conecta una cuenta en la página "
    "Conexiones.",
)
ASK_ME = ('Try "What is due this week?"', "Prueba con «¿Qué tengo que entregar esta semana?»")
NOT_THINKING = (
    "I'm only the demo model: I follow rules and can't explain, judge or write on a subject myself.",
    "Soy solo el modelo de demostración: sigo reglas y no puedo explicar, valorar ni escribir sobre un tema.",
)
STUDY = (
    "What helps meanwhile:\n- Say in your own words what you know about it already, and where it stops.\n- Which "
    "question would a teacher ask about it first?\n"
    "- Work one example by hand, then change one thing in it.",
    "Mientras tanto ayuda esto:\n- Di con tus palabras qué sabes ya y dónde se acaba.\n- ¿Qué pregunta haría primero "
    "un profesor?\n"
    "- Resuelve un ejemplo a mano y luego cambia una cosa.",
)
LOOK_UP_NOTES = (
    "I can look in your notes, though: say “find my notes about …”.",
    "Sí puedo mirar en tus apuntes: di «busca mis apuntes sobre …».",
)
DRAWS = (
    "I'm only the demo model and know no subject, but I draw the steps that you list: try “Draw the steps: outline, "
    "first draft, feedback, final version”.",
    "Soy solo el modelo de demostración y no sé de ningún tema, pero dibujo los pasos que tú enumeras: prueba "
    "«Dibuja los pasos: esquema, borrador, comentarios, versión final».",
)
DRAWN = ("Here are your steps:", "Aquí están tus pasos:")
NO_HOMEWORK = (
    "I won't write that for you: handing in work that isn't yours is a matter of academic integrity. I can help you "
    "do it yourself:\n"
    "- What exactly is asked? Copy the question and underline the verbs.\n- Which one sentence do you want to defend?\n"
    "- Three reasons for it, with one piece of evidence each, make the outline.\n- Write the middle first, the "
    "introduction last.",
    "No lo voy a escribir por ti: entregar un trabajo ajeno es una cuestión de integridad académica. Sí puedo "
    "ayudarte a hacerlo:\n"
    "- ¿Qué se pide exactamente? Copia el enunciado y subraya los verbos.\n- ¿Qué frase quieres defender?\n"
    "- Tres razones, cada una con una prueba, forman el esquema.\n- Escribe primero el cuerpo y al final la "
    "introducción.",
)
NOT_UNDERSTOOD = (
    "I'm not sure what you'd like me to look up or do. You can ask me about {things}.",
    "No estoy seguro de qué quieres que busque o haga. Puedes preguntarme por {things}.",
)
AND = (" and ", " y ")
NOT_CONNECTED = (
    "I can't see {what} right now: {service} isn't connected. Open Connections to connect it, then ask me again.",
    "Ahora no puedo ver {what}: {service} no está conectado. Abre Conexiones, conéctalo y vuelve a preguntarme.",
)
RECONNECT = (
    "I can't see {what} right now: {service} needs to be reconnected. Open Connections, reconnect it, then ask me "
    "again.",
    "Ahora no puedo ver {what}: hay que volver a conectar {service}. Abre Conexiones, vuelve a conectarlo y "
    "pregúntame otra vez.",
)
NO_TOOL = (
    "I have no tool that can do that here. What I can work with: {things}.",
    "No tengo ninguna herramienta que pueda hacer eso aquí. Puedo trabajar con {things}.",
)
ASK = {
    "start": ("When should it start?", "¿A qué hora debe empezar?"),
    "hour": ("What time should it start?", "¿A qué hora debe empezar?"),
    "repeats": ("Until when should it repeat?", "¿Hasta cuándo debe repetirse?"),
    "end": ("Until when?", "¿Hasta cuándo?"),
    "title": ("What should I call it?", "¿Qué título le pongo?"),
    "content": ("What should I write in it?", "¿Qué debo escribir?"),
    "course": ("Which course do you mean?", "¿Qué curso quieres decir?"),
    "query": ("What should I look for?", "¿Qué debo buscar?"),
    "thing": ("Which one do you mean?", "¿Cuál quieres decir?"),
    "place": ("Under which page should it go?", "¿Debajo de qué página debe ir?"),
    "repository": (
        "Which repository do you mean, written like owner/name?",
        "¿Qué repositorio quieres decir, escrito como dueño/nombre?",
    ),
    "page": (
        "I can only cite a web page. What is its address?",
        "Solo puedo citar una página web. ¿Cuál es su dirección?",
    ),
    "address": ("To which e-mail address should the invitation go?", "¿A qué correo debe ir la invitación?"),
    "change": ("What should I change about it?", "¿Qué debo cambiar?"),
    "other": ("What should I use for the {name}?", "¿Qué pongo en {name}?"),
}
SEVERAL = ("Several fit. Which one do you mean?", "Hay varios que coinciden. ¿Cuál quieres decir?")
MORE_THAN_ONE = ("More than one fits:", "Hay más de uno que coincide:")
NO_SUCH_COURSE = (
    "You have no course called “{name}” in {service}. Your courses there:",
    "No tienes ningún curso llamado «{name}» en {service}. Tus cursos allí:",
)
NO_SUCH_THING = ("I found none that is called that. There are:", "No encontré ninguno que se llame así. Hay:")
NONE_FITS = (
    "I looked in {place}{words} and found nothing that fits, so I changed nothing. What is it called there?",
    "Busqué en {place}{words} y nada coincide, así que no cambié nada. ¿Cómo se llama allí?",
)
FOR_WORDS = (" for “{words}”", " «{words}»")
LOOKED_IN = {
    "event": ("your calendar", "tu calendario"),
    "note": ("your notes", "tus apuntes"),
    "task": ("your tasks", "tus pendientes"),
    "assignment": ("your courses", "tus cursos"),
    "announcement": ("your courses' announcements", "los anuncios de tus cursos"),
    "free": ("your calendar", "tu calendario"),
    "web": ("the web", "la web"),
}
WHAT_IS_HERE = ("what is connected here", "lo que está conectado aquí")
IS_OVER = (
    "{line}\n\nThat one is over already, so I changed nothing. On which day is the one that you mean?",
    "{line}\n\nEse ya pasó, así que no cambié nada. ¿Qué día es el que quieres decir?",
)
NO_LISTS = (
    "I have nothing that lists issues or commits. I can read a repository's README, its files, its releases, or one "
    "issue by its number.",
    "No tengo con qué listar incidencias ni commits. Puedo leer el README de un repositorio, sus archivos, sus "
    "versiones o una incidencia por su número.",
)
NO_ROOM = (
    "There is no gap that long then, so I changed nothing. Tell me another time.",
    "A esa hora no hay ningún hueco tan largo, así que no cambié nada. Dime otro momento.",
)
NONE_FOUND = (
    "I looked in {place}{words} and found nothing that fits.",
    "Busqué en {place}{words} y no encontré nada que coincida.",
)
LEAD = ("Here is what I found. ", "Esto es lo que encontré. ")
DONE = ("Done. ", "Hecho. ")
DECLINED = ("All right, I left everything as it was.", "De acuerdo, dejé todo como estaba.")
UNCHANGED = ("Nothing was changed: it was not approved.", "No se cambió nada: no se aprobó.")
TROUBLE = ("That didn't work: ", "No funcionó: ")
TRIED = ("I tried that already and stopped here.", "Ya lo intenté y me detuve aquí.")
NO_COMING = (
    "I found no coming exam or due work that this is for, so I planned nothing. Tell me a day until when to plan.",
    "No encontré ningún examen ni entrega próximos para eso, así que no planeé nada. Dime hasta qué día planear.",
)
FEWER = ("Only {n} of the {asked} that you asked for fit then.", "Solo caben {n} de las {asked} que pediste.")
WHICH_FOR = ("For which of these is it?", "¿Para cuál de estas es?")
WORK_ON = ("Work on {title}", "Trabajar en {title}")
STUDY_FOR = ("Study for {title}", "Estudiar para {title}")
STUDYING = ("Study", "Estudiar")
NOTHING_THEN = ("Nothing at that time. The rest of the day:", "A esa hora no hay nada. El resto del día:")
MATCHING = ("This fits what you asked for:", "Esto coincide con lo que preguntas:")
MORE = ("… and {n} more.", "… y {n} más.")
OVER = ("… and {n} that are over already.", "… y {n} que ya pasaron.")
MORE_AND_OVER = (
    "… and {n} more to come; {over} are over already.",
    "… y {n} más por venir; {over} ya pasaron.",
)
STOPPED = (
    "I stopped after several steps; here is what I have so far.",
    "Me detuve tras varios pasos; esto es lo que tengo.",
)
NOT_THERE = (
    "I looked in {places}, but that isn't in anything that is connected here.",
    "Busqué en {places}, pero eso no está en nada de lo que está conectado aquí.",
)
NOTHING_TO_LOOK = (
    "I have nothing to look that up with here.",
    "Aquí no tengo con qué buscar eso.",
)
PLACES = {
    "links": ("the campus links", "los enlaces del campus"),
    "event": ("your calendar", "tu calendario"),
    "web": ("the web", "la web"),
    "course": ("your courses", "tus cursos"),
    "assignment": ("your assignments", "tus entregas"),
    "syllabus": ("the syllabus", "el programa del curso"),
}
WHO_KNOWS = {
    "campus": ("Your campus website will know.", "La página web de tu campus lo sabrá."),
    "registration": (
        "The registrar or your school's academic calendar has that date.",
        "Esa fecha la tienen la secretaría o el calendario académico de tu escuela.",
    ),
    "term": ("Your school's academic calendar has it.", "La tiene el calendario académico de tu escuela."),
    "finals": (
        "Your school's exam schedule or your instructor will know.",
        "Lo sabrán el calendario de exámenes de tu escuela o tu profesor.",
    ),
    "contact": (
        "The Inbox in Canvas reaches your instructor by name, and the syllabus may have the address.",
        "La bandeja de entrada de Canvas llega a tu profesor por su nombre, y el programa puede tener la dirección.",
    ),
}
CLOSEST = ("The closest I found:", "Lo más cercano que encontré:")
NO_SUCH = ("I found nothing that is called that.", "No encontré nada que se llame así.")
CANNOT_SEE = (
    "I can't see {service} right now. Try again in a moment.",
    "No puedo ver {service} ahora mismo. Vuelve a intentarlo en un momento.",
)
QUOTED = "La herramienta dice: «{text}»"
"""For sentences of tools whose words are not known in Spanish."""
OFFER = (
    "Shall I put “{title}” into your calendar on {moment}, for {minutes} minutes?",
    "¿Pongo «{title}» en tu calendario el {moment}, durante {minutes} minutos?",
)
OFFERED = re.compile(
    r"(?:Shall I put|¿Pongo) [“«](?P<title>.+?)[”»] (?:into your calendar on|"
    r"en tu calendario el) (?P<moment>[^?]+)\?\s*$"
)
IMAGE = (
    "{name} is an image of {width} by {height} pixels. I am the demo model and cannot see what is on it.",
    "{name} es una imagen de {width} por {height} píxeles. Soy el modelo de demostración y no puedo verla.",
)
NO_TEXT = ("{name} is {what}, without text that I could read.", "{name} es {what}, sin texto legible.")
BEGINS = ("{name} is {what}. It begins:", "{name} es {what}. Empieza así:")
A_PDF = ("a PDF of 1 page", "un PDF de 1 página")
PDF_PAGES = ("a PDF of {n} pages", "un PDF de {n} páginas")
A_LINE = ("a text of 1 line", "un texto de 1 línea")
LINES = ("a text of {n} lines", "un texto de {n} líneas")
PAGE = ("page", "página")
NAMELESS = ("It", "El archivo")
THAT_WAS_ALL = ("That was all.", "Eso era todo.")
RESULT_OF = ("`{name}` answered:", "`{name}` respondió:")
BAD_CALL = (
    "That is not valid JSON after /call {name}: {problem}.",
    "Lo que sigue a /call {name} no es JSON válido: {problem}.",
)


def asks_which(answer: str) -> bool:
    """Whether an answer of ours ended by asking which existing thing is meant."""
    ends = (*SEVERAL, *WHICH_FOR, *ASK["thing"], *ASK["place"])
    return answer.rstrip().endswith(tuple(end.rpartition(". ")[2] for end in ends))


def asks_title(answer: str) -> bool:
    """Whether an answer of ours ended by asking how to call it."""
    return answer.rstrip().endswith(ASK["title"])


def asks_content(answer: str) -> bool:
    """Whether an answer of ours ended by asking what to write."""
    return answer.rstrip().endswith(ASK["content"])
