"""Answers about files that came with a message, from their own words: lines, main points, questions, days, points."""

import re
from collections.abc import Sequence

from sandbox.model.brain import phrases, reading
from sandbox.model.brain.answers import answer, opening
from sandbox.model.brain.conversation import Turn
from sandbox.model.brain.file_phrases import SAID
from sandbox.model.brain.intent import OF_TIME
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.plan import plan
from sandbox.model.brain.schema import Role
from sandbox.model.brain.text import fold
from sandbox.model.brain.toolbox import Profile
from sandbox.model.files import ReadFile
from sandbox.model.reply import Call, Reply, calls, words

MOST_LINES, LONGEST_LINE = 8, 240
USUAL_QUESTIONS, MOST_QUESTIONS = 5, 10
NAMES_FILES = re.compile(
    r"\b(?:files?|pdfs?|documents?|docx?|attach\w*|images?|pictures?|photos?|screenshots?|slides|handout|syllabus|"
    r"archivos?|documentos?|adjunt\w*|imagen(?:es)?|fotos?|diapositivas)\b"
)
POINTS_AT_IT = re.compile(
    rf"\b(?:(?:this|these|it|here|esto|est[ea])\b(?!{OF_TIME})|summar\w*|read|say|says|explain|about|pages?|according|"
    r"mention\w*|resum\w*|lee|leer|dice|explica|aqui|paginas?|segun|menciona)"
)
PAGE = re.compile(r"\b(?:page|pagina)\s+(\d{1,3})\b")
SUMS_UP = re.compile(
    r"\b(?:summar\w*|sum\s+(?:it|this|up)|main\s+(?:points?|ideas?)|key\s+(?:points?|ideas?)|tl;?dr|gist|outline|resum\w*"
    r"|ideas?\s+principales|puntos\s+clave)\b"
)
ASKS_WHAT = re.compile(r"\b(?:what\s+is\s+(?:in|this|it)|what'?s\s+(?:in|this)|que\s+(?:es|hay)|begin\w*|read)\b")
PRACTICE = re.compile(
    r"\b(?:practice|quiz\s+(?:me|questions?)|(?:make|give|write|create|ask)\b.{0,25}\bquestions?|test\s+me|flash\s?cards?"
    r"|study\s+questions?|preguntas|tarjetas|cuestionario|ponme\s+a\s+prueba)\b"
)
HOW_MANY = re.compile(r"\b(\d{1,2})\b")
EXTREME = re.compile(r"\b(?:(?P<low>lowest|worst|mas\s+baj[oa]|peor)|highest|best|mas\s+alt[oa]|mejor)\b")
POINTS = re.compile(
    r"\b(?:average|mean|total|percent\w*|grade|how\s+(?:did|am)\s+i|promedio|media|porcentaje|nota|suma)\b"
)
SAVES = re.compile(
    r"\b(?:save|put|add|write|create|make|turn|copy|export|guarda\w*|pon\w*|crea\w*|copia\w*|pasa\w*|haz\w*)\b.*"
    r"\b(?:notion|(?:a|new|my|una?|mis?)\s+(?:\w+\s+)?(?:notes?|page|nota|apuntes|pagina))\b"
)
EVERY_DAY = re.compile(r"\b(?:all|every\w*|dates|deadlines|tod[oa]s|fechas|entregas)\b")
TO_CALENDAR = re.compile(
    r"\b(?:add|put|save|import|schedule|create|make|enter|pon\w*|anade\w*|agrega\w*|mete\w*|pasa\w*|crea\w*)\b.*"
    r"\b(?:calendar|calendario|agenda|events|eventos|schedule)\b"
)


def about_files(mind: Mind) -> Reply | None:
    """The reply to a question about a file of this message, or about an earlier one that is meant; else None."""
    turn = mind.conversation.now
    if (turn.searches and not turn.steps) or turn.said.lstrip().startswith("/"):
        return _into_tools(mind, turn) if turn.files and turn.searches else None
    if turn.files and (reply := _into_tools(mind, turn)) is not None:
        return reply
    if turn.steps:
        return None
    said = fold(turn.said)
    if turn.files:
        is_about = NAMES_FILES.search(said) or POINTS_AT_IT.search(said) or PRACTICE.search(said)
        is_about = is_about or (EXTREME.search(said) and any(reading.scored_rows(file.text) for file in turn.files))
        is_about = is_about or _is_about_nothing_else(mind) or _stands_in_one(mind, turn.files)
        return _told(mind, turn.files, said) if is_about else None
    earlier = [file for one in mind.conversation.before for file in one.files]
    is_meant = NAMES_FILES.search(said) or PAGE.search(said) or _goes_on(mind, said)
    return _told(mind, earlier, said) if earlier and is_meant else None


def _is_about_nothing_else(mind: Mind) -> bool:
    # "Hello!" with a file stays a greeting; a question that no tool knows is about the file.
    return not plan(mind) and mind.read(mind.conversation.now.said).is_question


def _stands_in_one(mind: Mind, files: Sequence[ReadFile]) -> bool:
    # "Where does glycolysis happen?" with a chapter about it, whatever the notes may say.
    intent = mind.read(mind.conversation.now.said)
    is_own = intent.has_own or intent.services or intent.when.is_said or not intent.is_question
    return not is_own and any(reading.lines_about(file.text, intent.text, mind.now) for file in files)


def _goes_on(mind: Mind, said: str) -> bool:
    before = mind.conversation.before
    follows = bool(before and before[-1].files and not before[-1].steps)
    return follows and bool(PRACTICE.search(said) or SUMS_UP.search(said) or _is_about_nothing_else(mind))


def _told(mind: Mind, files: Sequence[ReadFile], said: str) -> Reply:
    return words(opening(mind) + "\n\n".join(_about(mind, file, said) for file in files))


def _about(mind: Mind, file: ReadFile, said: str) -> str:
    if file.kind == "image" or not file.text.strip():
        return _described(mind, file)
    if page := PAGE.search(said):
        return _page(mind, file, int(page[1])) or _described(mind, file)
    if PRACTICE.search(said) and (asked := _questions(mind, file, said)):
        return asked
    if SUMS_UP.search(said):
        return _points(mind, file)
    if (extreme := EXTREME.search(said)) and (rows := reading.scored_rows(file.text)):
        pick = min if extreme["low"] else max
        row, got, whole = pick(rows, key=lambda one: one[1] / one[2])
        return mind.say(*SAID["one_row"]).format(name=_name(mind, file), row=row, got=f"{got:g}", whole=f"{whole:g}")
    if POINTS.search(said) and (share := reading.share_of_points(file.text)):
        return mind.say(*SAID["share"]).format(
            name=_name(mind, file),
            got=f"{share[0]:g}",
            whole=f"{share[1]:g}",
            percent=f"{100 * share[0] / share[1]:.1f}",
        )
    if ASKS_WHAT.search(said):
        return _points(mind, file) if reading.has_headings(file.text) else _described(mind, file)
    if lines := reading.lines_about(file.text, said, mind.now):
        return f"{_name(mind, file)}:\n\n{_quoted(lines)}"
    return _described(mind, file)


def _page(mind: Mind, file: ReadFile, number: int) -> str:
    if file.kind != "PDF" or not 0 < number <= len(file.pages):
        return ""
    return f"{_name(mind, file)}, {mind.say(*phrases.PAGE)} {number}:\n\n{_quoted(file.pages[number - 1].splitlines())}"


def _questions(mind: Mind, file: ReadFile, said: str) -> str:
    asked = HOW_MANY.search(said)
    made = reading.gaps(file.text, min(MOST_QUESTIONS, max(1, int(asked[1]))) if asked else USUAL_QUESTIONS)
    if not made:
        return ""
    listed = "\n".join(f"{at}. {gap}" for at, (gap, _) in enumerate(made, 1))
    solved = ", ".join(f"{at} {word}" for at, (_, word) in enumerate(made, 1))
    return mind.say(*SAID["questions"]).format(name=_name(mind, file), listed=listed, solved=solved)


def _points(mind: Mind, file: ReadFile) -> str:
    listed = "\n".join(f"- {point[:LONGEST_LINE]}" for point in reading.main_points(file.text))
    return mind.say(*SAID["points"]).format(name=_name(mind, file), listed=listed) if listed else _described(mind, file)


def _into_tools(mind: Mind, turn: Turn) -> Reply | None:
    """What carries a file's points into a note or its days into the calendar, and then the words about it."""
    said = fold(turn.said)
    readable = [file for file in turn.files if file.text.strip()]
    if not readable:
        return None
    if TO_CALENDAR.search(said) and (tool := _maker(mind, "event")):
        return _days_into_calendar(mind, turn, tool, readable)
    if SAVES.search(said) and (tool := _maker(mind, "note")):
        if made := [step for step in turn.steps if step.name == tool.name]:
            return words(opening(mind) + answer(mind, [(step, None) for step in made]))
        given = {
            Role.TITLE: readable[0].name.rpartition(".")[0] or readable[0].name,
            Role.CONTENT: _note(mind, readable),
        }
        return calls(Call(name=tool.name, input=_filled(tool, given)))
    return None


def _days_into_calendar(mind: Mind, turn: Turn, tool: Profile, files: Sequence[ReadFile]) -> Reply:
    dated = [one for file in files for one in reading.dated_lines(file.text, mind.now)]
    named = [one for one in dated if reading.shares_words(one.title, turn.said)]
    dated = dated if EVERY_DAY.search(fold(turn.said)) else named or dated
    coming = [one for one in dated if one.start.date() >= mind.now.date()]
    over = mind.say(*SAID["over"]).format(n=len(dated) - len(coming)) if len(dated) > len(coming) else ""
    if not coming:
        return words(opening(mind) + " ".join(filter(None, [mind.say(*SAID["no_days"]), over])))
    if made := [step for step in turn.steps if step.name == tool.name]:
        return words(opening(mind) + "\n\n".join(filter(None, [answer(mind, [(one, None) for one in made]), over])))
    whole_day = tool.param(Role.FLAG)
    return calls(
        *(
            Call(
                name=tool.name,
                input=_filled(
                    tool,
                    {
                        Role.TITLE: one.title,
                        Role.START: f"{one.start:%Y-%m-%dT%H:%M}" if one.has_time else f"{one.start:%Y-%m-%d}",
                    },
                )
                | ({whole_day.name: True} if whole_day and not one.has_time else {}),
            )
            for one in coming
        )
    )


def _maker(mind: Mind, about: str) -> Profile | None:
    tools = [tool for tool in mind.tools.values() if tool.action.value == "create" and not tool.specialty]
    fitting = [tool for tool in tools if tool.objects.get(about, 0) >= 0.9 and tool.param(Role.TITLE)]
    return max(fitting, key=lambda tool: tool.objects[about], default=None)


def _filled(tool: Profile, given: dict[Role, str]) -> dict[str, object]:
    return {param.name: value for role, value in given.items() if (param := tool.param(role))}


def _note(mind: Mind, files: Sequence[ReadFile]) -> str:
    return "\n\n".join(
        "\n".join(
            [mind.say(*SAID["from"]).format(name=file.name), "", *(f"- {p}" for p in reading.main_points(file.text))]
        )
        for file in files
    )


def _described(mind: Mind, file: ReadFile) -> str:
    name = _name(mind, file)
    if file.kind == "image":
        width, height = file.size
        return mind.say(*phrases.IMAGE).format(name=name, width=width, height=height)
    lines = [line for line in file.text.splitlines() if line.strip()]
    count, one, several = (
        (len(file.pages), phrases.A_PDF, phrases.PDF_PAGES)
        if file.kind == "PDF"
        else (len(lines), phrases.A_LINE, phrases.LINES)
    )
    what = mind.say(*(one if count == 1 else several)).format(n=count)
    said = mind.say(*(phrases.BEGINS if lines else phrases.NO_TEXT)).format(name=name, what=what)
    return f"{said}\n\n{_quoted(lines)}" if lines else said


def _name(mind: Mind, file: ReadFile) -> str:
    return f"“{file.name}”" if file.name else mind.say(*phrases.NAMELESS)


def _quoted(given: Sequence[str]) -> str:
    lines = [line.strip()[:LONGEST_LINE] for line in given if line.strip()]
    more = ["> …"] if len(lines) > MOST_LINES else []
    return "\n>\n".join([*(f"> {line}" for line in lines[:MOST_LINES]), *more])
