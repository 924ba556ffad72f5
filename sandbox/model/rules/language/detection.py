"""Which language a text is in, and what of it only says what not to do."""

import re

from sandbox.model.rules.language.text import fold, tokens, word_set

SPANISH = word_set(
    """
    a al algo algun alguna algunos anade agrega agenda ahora ano anota anuncios aparta apunta apuntes aqui asi aun
    aunque ayer ayuda biblioteca biologia borra buenas bueno buenos busca cada calculo calendario cancela cierra
    clase clases como con corrige crea creo cual cuales cuando cuanta cuantas cuanto cuantos cuesta curso cursos de
    debo deja del desde despues dia dias dice dime dijo donde dos el ella ellos empieza en enlaces ensename entrega
    entregar entregas entrego entregue entonces eres es esa ese eso esta estan estas este esto estos estoy estudiar
    examen examenes falta faltan favor fecha fin fue gracias ha haber hace hacer hago hasta haz hay he historia hola
    hora horario horas hoy ir jueves la las le lee les libre lo los luego lunes manana martes mas materia materias
    me mejor mes mi miercoles mis mucho mueve muestra muy nada necesito nos nota notas novedades nuestro nueva
    nuevas nuevo nuevos o otra otro para parcial pendiente pendientes pero pon ponme por porfa porque pregunta profe
    profesor profesora programa proxima proximo proximos puede puedes puedo pues que quedar quedo queda quien quiero
    quisiera quita recuerdame repaso reserva resto resume reunion sabado saco saque se sea semana semestre ser si
    siguiente sin sobre solo son soy su sus tal tambien tarde tarea tareas te ten tengo tenia tiempo tiene tienes
    toca toda todas todo todos trabajo tres tu tus tutoria ultima ultimo un una unas uno unos va vale vamos ver vez
    viene viernes voy y ya yo adios domingo noche noches llego llama manda mandale crack oye vaya cierto claro dale
    listo perfecto genial despacho asignatura asignaturas profes salon aula
    """
)
ENGLISH = word_set(
    """
    a me he about add after all also am an and announcements any anybody anyone anything are around ask assignment
    assignments at be been before best book busy but by bye calculus call can cancel check class classes clear club
    could course courses create day deadline did do does doing done don't dont drop due each event every exam exams
    feedback find finish first follow for forgot free friday from gave get gimme give go going good got grade grades
    had hand has have hello help hey hi hours how hows i if i'm im i've id in into invite is it its just know last
    late later left let like list look looking lunch make many meet meeting midterm monday month more morning move
    much my need new news next not note notes now of off office on once one open or our out past plan please pls plz
    professor push put quiz read remind remove repo right saturday say schedule score set should show skip some
    something soon start still study suggest sunday sup syllabus take task tell term test than thanks that that's
    the their them then there these they thing things think this those thursday thx time times to today tomorrow
    tonight tmrw too tuesday turn turned until up us want was wednesday we week weekend weeks well were what whats
    what's when whens where wheres which who whos why will with work would write yeah yes yesterday yet yo you your
    afternoon evening hour
    """
)
# Words of both languages, or of none ("ok", "no"), say nothing.
BOTH = SPANISH & ENGLISH
QUOTED = re.compile(r"[\"“«][^\"”»]*[\"”»]")
READS_SPANISH = re.compile(
    r"\b(?:homeroom|interface|app|pages?|answers?)\s+in\s+(?:spanish|espanol)\b"
    r"|\b(?:reads?|speaks?|prefers?|chose|uses?)\b[^.\n]{0,40}\b(?:in\s+)?(?:spanish|espanol)\b"
    r"|\b(?:language|locale|idioma)\W{0,3}(?:is\s+|of\s+\w+\s+is\s+)?(?:spanish|espanol|es)\b"
)
NEGATION = re.compile(
    r"\W*(?:(?:please|ok|okay|por favor)\s+)?(?:don'?t|do not|no need to|forget|no|olvida)\s"
    r"(?!let me|forget|se me|olvid|me acuerdo|recuerdo|se\b|remember|know|entiendo|understand)[^,.;]{3,60}[,.;]\s*"
)


def language_of(text: str) -> str | None:
    """en or es, whichever has more words in a text; None where there are as many, as in "ok" or "BIOL 201"."""
    words = [token.word for token in tokens(QUOTED.sub(" ", text)) if token.word not in BOTH]
    marks = len(re.findall(r"[¿¡ñáéíóú]", text.lower()))
    spanish = sum(1 for word in words if word in SPANISH) + marks
    english = sum(1 for word in words if word in ENGLISH)
    return None if spanish == english else "es" if spanish > english else "en"


def reads_spanish(prompt: str) -> bool:
    """Whether an application's words say that the student reads it in Spanish."""
    return READS_SPANISH.search(fold(prompt)) is not None


def without_negation(text: str) -> str:
    """The text without a leading "don't …," that only says what not to do."""
    found = NEGATION.match(fold(text))
    return text[found.end() :] if found and text[found.end() :].strip() else text


ABOUT_THE_STUDENT = (
    (re.compile(r"\bThe student opens it\b(.*) and sends it\b"), r"You open it\1 and send it"),
    (re.compile(r"\bthe student's\b(?! (?:average|own words))"), "your"),
    (re.compile(r"\bthat the student (shared|connected|ticked|chose)\b"), r"that you \1"),
)
"""What tools say of the student to a model, which the student reads here."""


def to_the_student(text: str) -> str:
    """A sentence about the student as one to them; quotes stay as they are."""
    if "“" in text and "draft" not in text:
        return text
    for pattern, said in ABOUT_THE_STUDENT:
        text = pattern.sub(said, text)
    return text
