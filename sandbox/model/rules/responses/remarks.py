"""What the demo model says before or beside what it found: how it took a message, what it cannot do."""

ARE_CLASSES = ("{n} of these are classes, the first at the top:", "{n} de estos son clases, la primera arriba:")
IS_A_CLASS = ("One of these is a class:", "Uno de estos es una clase:")
NO_CLASSES = ("None of these is a class:", "Ninguno de estos es una clase:")
OTHER_ITEMS = (
    "The other {n} graded items stand in the course; ask me for any of them by name.",
    "Los otros {n} trabajos calificados están en el curso; pregúntame por cualquiera por su nombre.",
)
MOST_POINTS = ("Most points of these: {points}.", "La que más puntos vale de estas: {points}.")
FEWEST_POINTS = ("Fewest points of these: {points}.", "La que menos puntos vale de estas: {points}.")
FIRST_OF_THEM = ("First of these comes:", "La primera de estas:")
LAST_OF_THEM = ("Last of these comes:", "La última de estas:")
NO_GPA = (
    "A GPA comes from your school; the courses here give none. This is where each of them stands:",
    "El promedio general lo calcula tu escuela; los cursos no lo dan. Así va cada uno:",
)
COACH = (
    "I can't write it, but I can help you begin:\n- Say in one sentence what you want to show.\n- Find three pieces of "
    "evidence for it, and one against it.\n- Write the middle first, the introduction last.\n\nI can also show you its "
    "instructions, find your notes on it or plan time for it: “plan time for the history paper”.",
    "No puedo escribirlo, pero sí ayudarte a empezar:\n- Di en una frase qué quieres demostrar.\n- Busca tres pruebas "
    "a favor y una en contra.\n- Escribe primero el cuerpo y al final la introducción.\n\nTambién puedo mostrarte las "
    "instrucciones, buscar tus apuntes o planear tiempo: «planea tiempo para el ensayo de historia».",
)
CANNOT_COMPOSE = (
    "I'm only the demo model and can't make that up myself. Tell me what to write and I make the page: “create a page "
    "“Bio flashcards” with: mitosis – division of the nucleus”.",
    "Soy solo el modelo de demostración y no puedo inventar eso. Dime qué escribir y creo la página: «crea una página "
    "“Tarjetas de bio” con: mitosis – división del núcleo».",
)
TEACHERS = (
    "These are the teachers that your courses name; assistants are often only in the syllabus:",
    "Estos son los profesores que nombran tus cursos; los asistentes suelen estar solo en el programa:",
)
DUE_DURING = (
    "{n} of the next {all} due times fall into something in your calendar:",
    "{n} de las próximas {all} entregas caen en algo de tu calendario:",
)
NONE_DURING = (
    "None of the next {all} due times falls into something in your calendar of these two weeks.",
    "Ninguna de las próximas {all} entregas cae en algo de tu calendario de estas dos semanas.",
)
WHICH_MOVES = ("Which of them should move, and to when?", "¿Cuál muevo, y para cuándo?")
HOLIDAY = ("I went by this day off in your calendar: {line}", "Me guié por este día libre de tu calendario: {line}")
NO_HOLIDAY = (
    "I looked in your calendar and found no such holiday or break. On which day is it? Your school's academic calendar "
    "has it.",
    "Busqué en tu calendario y no encontré ese feriado. ¿Qué día es? Está en el calendario académico de tu escuela.",
)
UNDO_THERE = (
    "I have no tool that brings that back, but Homeroom keeps it: press Undo on the card above, or on the Activity "
    "page.",
    "No tengo ninguna herramienta para recuperarlo, pero Homeroom lo guarda: pulsa Deshacer en la tarjeta de arriba o "
    "en la página Actividad.",
)
NOTHING_TO_UNDO = (
    "There is no change of the last answer to undo. The Activity page lists everything that was changed.",
    "En la última respuesta no cambió nada que se pueda deshacer. La página Actividad muestra todo lo que cambió.",
)
A_HARD_DAY = (
    "That is a tight day. Here is what it holds, so that you can choose what moves:",
    "Es un día apretado. Esto es lo que tiene, para que elijas qué mover:",
)
A_LOT = (
    "That sounds like a lot. One thing at a time; this is what stands there now:",
    "Suena a mucho. Vamos paso a paso; esto es lo que hay ahora:",
)
BY_THE_COURSE = (
    "I go by what the course itself says. If a date is wrong there, only your instructor can change it:",
    "Me guío por lo que dice el curso. Si allí hay una fecha equivocada, solo tu profesor puede cambiarla:",
)
NOT_ALL_AT_ONCE = (
    "I don't delete everything at once: each deletion is shown to you first. Tell me which of these should go:",
    "No borro todo de una vez: cada borrado se te muestra antes. Dime cuál de estos quitar:",
)
SORRY = (
    "I'm sorry, that stings. One result is not the whole course; this is where each of them stands:",
    "Lo siento, eso duele. Un resultado no es todo el curso; así va cada uno:",
)
FIRST_OF_MANY = (
    "These are the first {n} of {all}. Name a course for the others: “add my calculus due dates to my calendar”.",
    "Son las primeras {n} de {all}. Para las demás nombra un curso: «agrega mis entregas de cálculo a mi calendario».",
)
