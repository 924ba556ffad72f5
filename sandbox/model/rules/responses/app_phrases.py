"""What the demo model says about the application and about itself, English and Spanish."""

APP = {
    "connect": (
        "Open Connections in the menu, choose the service there and follow its steps. Then ask me again.",
        "Abre Conexiones en el menú, elige allí el servicio y sigue sus pasos. Después vuelve a preguntarme.",
    ),
    "privacy": (
        "I can't see that from here. Settings in the menu has what is kept of you and how to take or delete it.",
        "Desde aquí no puedo verlo. En Ajustes, en el menú, está qué se guarda de ti y cómo llevártelo o borrarlo.",
    ),
    "language": (
        "I answer in the language you write in. The language of the pages is chosen in Settings, in the menu.",
        "Respondo en el idioma en que me escribes. El idioma de las páginas se elige en Ajustes, en el menú.",
    ),
    "mail": (
        "No, I can't read your mail. I can draft one for you: tell me to whom, and what it should say.",
        "No, no puedo leer tu correo. Sí puedo redactar uno: dime a quién va y qué debe decir.",
    ),
    "hand_in": (
        "No, I can't hand anything in: you do that yourself. I can tell you what is due and how it is handed in.",
        "No, no puedo entregar nada: eso lo haces tú. Sí puedo decirte qué toca entregar y cómo se entrega.",
    ),
    "rude": (
        "Sorry that I'm not more use. I'm the demo model and follow simple rules, so plain requests work best: "
        "“what is "
        "due this week”, “am I free Tuesday afternoon”, “move my study group to 6”.",
        "Siento no servirte de más. Soy el modelo de demostración y sigo reglas sencillas; funcionan mejor las "
        "peticiones "
        "claras: «qué entrego esta semana», «¿estoy libre el martes por la tarde?», «mueve mi grupo de estudio a "
        "las 6».",
    ),
    "what": (
        "This is Homeroom: an assistant that knows your courses, deadlines, calendar and notes, and asks before it "
        "changes anything. What you see here is its demo campus, so try whatever you like: “what is due this week”, "
        "“plan my week”, “add gym on Friday at 6”.",
        "Esto es Homeroom: un asistente que conoce tus cursos, entregas, calendario y apuntes, y pregunta antes de "
        "cambiar algo. Lo que ves es su campus de demostración, así que prueba lo que quieras: «qué entrego esta "
        "semana», «planea mi semana», «pon gimnasio el viernes a las 6».",
    ),
    "real": (
        "No: this is the demo campus. Its people, courses, dates and grades are made up, so nothing of yours is "
        "touched "
        "whatever you try. On the Connections page you see which accounts are in use.",
        "No: este es el campus de demostración. Su gente, sus cursos, fechas y calificaciones son inventados, así que "
        "nada tuyo cambia, pruebes lo que pruebes. La página Conexiones muestra qué cuentas se usan.",
    ),
    "identity": (
        "I'm Homeroom's demo model: a set of rules, not an AI that thinks. I look things up and change them with real "
        "tools, but I can't explain a subject. With ANTHROPIC_API_KEY set, the real Claude answers here.",
        "Soy el modelo de demostración de Homeroom: un conjunto de reglas, no una IA que piensa. Busco y cambio cosas "
        "con herramientas reales, pero no explico temas. Con ANTHROPIC_API_KEY configurada, aquí responde el Claude "
        "de verdad.",
    ),
    "trust": (
        "Homeroom never asks for a password: you allow each account on the service's own page and can take it back on "
        "the Connections page. It asks you before it changes anything, and Activity lists all it read and wrote.",
        "Homeroom nunca pide contraseñas: das permiso en la página de cada servicio y puedes retirarlo en Conexiones. "
        "Pregunta antes de cambiar algo, y Actividad muestra todo lo que leyó y escribió.",
    ),
    "wrong": (
        "Thanks for telling me. I only repeat what the connected services say; the link on each line opens it "
        "there, so "
        "that you can compare. Which date, grade or name is off?",
        "Gracias por avisar. Solo repito lo que dicen los servicios conectados; el enlace de cada línea lo abre "
        "allí para "
        "comparar. ¿Qué fecha, nota o nombre está mal?",
    ),
    "fun": (
        "I'm only good with school things: I follow rules. I can tell you when you have an evening off, though: “am I "
        "free tonight?”",
        "Solo sirvo para cosas de la escuela: sigo reglas. Pero puedo decirte cuándo tienes una tarde libre: "
        "«¿estoy libre "
        "esta noche?»",
    ),
    "quiz": (
        "Attach your notes with the paper clip and say “quiz me”: I make questions from their own sentences. I know no "
        "subject myself.",
        "Adjunta tus apuntes con el clip y di «hazme preguntas»: las hago con sus propias frases. Yo no sé de "
        "ningún tema.",
    ),
    "weather": (
        "I can't see the weather: nothing that is connected here knows it. I can tell you what is on your "
        "calendar then.",
        "No puedo ver el tiempo: nada de lo que está conectado lo sabe. Sí puedo decirte qué hay en tu calendario.",
    ),
}
WHO = (
    "You're signed in as {name}; your time zone here is {zone}. Settings, in the menu, has your name, your assistant "
    "and what Homeroom keeps of you.",
    "Entraste como {name}; tu zona horaria aquí es {zone}. En Ajustes, en el menú, están tu nombre, tu asistente y lo "
    "que Homeroom guarda de ti.",
)
NOW = ("It is {now}.", "Son las {now}.")
