"""Answers about files that came with a message, from their own words: lines, main points, questions, days, points."""

import re
from collections.abc import Sequence

from sandbox.model.files import ReadFile
from sandbox.model.reply import Call, Reply, calls, words
from sandbox.model.rules.attachments import file_text as reading
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.planning.planner import plan
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.answers import answer, opening
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Role
from sandbox.model.rules.understanding.conversation import Turn
from sandbox.model.rules.understanding.intent import OF_TIME

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
POINTS = pattern("(average|mean|total|percent~|grade|how (did|am) i|promedio|media|porcentaje|nota|suma)")
SAVES = re.compile(
    r"\b(?:save|put|add|write|create|make|turn|copy|export|guarda\w*|pon\w*|crea\w*|copia\w*|pasa\w*|haz\w*)\b.*"
    r"\b(?:notion|(?:a|new|my|una?|mis?)\s+(?:\w+\s+)?(?:notes?|page|nota|apuntes|pagina))\b"
)
EVERY_DAY = re.compile(r"\b(?:all|every\w*|dates|deadlines|tod[oa]s|fechas|entregas)\b")
TO_CALENDAR = re.compile(
    r"\b(?:add|put|save|import|schedule|create|make|enter|pon\w*|anade\w*|agrega\w*|mete\w*|pasa\w*|crea\w*)\b.*"
    r"\b(?:calendar|calendario|agenda|events|eventos|schedule)\b"
)


def about_files(state: RequestState) -> Reply | None:
    """The reply to a question about a file of this message, or about an earlier one that is meant; else None."""
    turn = state.conversation.now
    if (turn.searches and not turn.steps) or turn.said.lstrip().startswith("/"):
        return _into_tools(state, turn) if turn.files and turn.searches else None
    if turn.files and (reply := _into_tools(state, turn)) is not None:
        return reply
    if turn.steps:
        return None
    said = fold(turn.said)
    if turn.files:
        is_about = NAMES_FILES.search(said) or POINTS_AT_IT.search(said) or PRACTICE.search(said)
        is_about = is_about or (EXTREME.search(said) and any(reading.scored_rows(file.text) for file in turn.files))
        is_about = is_about or _is_about_nothing_else(state) or _stands_in_one(state, turn.files)
        return _told(state, turn.files, said) if is_about else None
    earlier = [file for earlier in state.conversation.before for file in earlier.files]
    is_meant = NAMES_FILES.search(said) or PAGE.search(said) or _goes_on(state, said)
    return _told(state, earlier, said) if earlier and is_meant else None


def _is_about_nothing_else(state: RequestState) -> bool:
    # "Hello!" with a file stays a greeting; a question that no tool knows is about the file.
    return not plan(state) and state.read(state.conversation.now.said).is_question


def _stands_in_one(state: RequestState, files: Sequence[ReadFile]) -> bool:
    # "Where does glycolysis happen?" with a chapter about it, whatever the notes may say.
    intent = state.read(state.conversation.now.said)
    is_own = intent.has_own or intent.services or intent.when.is_said or not intent.is_question
    return not is_own and any(reading.lines_about(file.text, intent.text, state.now) for file in files)


def _goes_on(state: RequestState, said: str) -> bool:
    before = state.conversation.before
    follows = bool(before and before[-1].files and not before[-1].steps)
    return follows and bool(PRACTICE.search(said) or SUMS_UP.search(said) or _is_about_nothing_else(state))


def _told(state: RequestState, files: Sequence[ReadFile], said: str) -> Reply:
    return words(opening(state) + "\n\n".join(_about(state, file, said) for file in files))


def _about(state: RequestState, file: ReadFile, said: str) -> str:
    if file.kind == "image" or not file.text.strip():
        return _described(state, file)
    if page := PAGE.search(said):
        return _page(state, file, int(page[1])) or _described(state, file)
    if PRACTICE.search(said) and (asked := _questions(state, file, said)):
        return asked
    if SUMS_UP.search(said):
        return _points(state, file)
    if (extreme := EXTREME.search(said)) and (rows := reading.scored_rows(file.text)):
        pick = min if extreme["low"] else max
        row, got, whole = pick(rows, key=lambda row: row[1] / row[2])
        return state.say("file.one_row").format(name=_name(state, file), row=row, got=f"{got:g}", whole=f"{whole:g}")
    if POINTS.search(said) and (share := reading.share_of_points(file.text)):
        return state.say("file.share").format(
            name=_name(state, file),
            got=f"{share[0]:g}",
            whole=f"{share[1]:g}",
            percent=f"{100 * share[0] / share[1]:.1f}",
        )
    if ASKS_WHAT.search(said):
        return _points(state, file) if reading.has_headings(file.text) else _described(state, file)
    if lines := reading.lines_about(file.text, said, state.now):
        return f"{_name(state, file)}:\n\n{_quoted(lines)}"
    return _described(state, file)


def _page(state: RequestState, file: ReadFile, number: int) -> str:
    if file.kind != "PDF" or not 0 < number <= len(file.pages):
        return ""
    return f"{_name(state, file)}, {state.say('page')} {number}:\n\n{_quoted(file.pages[number - 1].splitlines())}"


def _questions(state: RequestState, file: ReadFile, said: str) -> str:
    asked = HOW_MANY.search(said)
    made = reading.gaps(file.text, min(MOST_QUESTIONS, max(1, int(asked[1]))) if asked else USUAL_QUESTIONS)
    if not made:
        return ""
    listed = "\n".join(f"{at}. {gap}" for at, (gap, _) in enumerate(made, 1))
    solved = ", ".join(f"{at} {word}" for at, (_, word) in enumerate(made, 1))
    return state.say("file.questions").format(name=_name(state, file), listed=listed, solved=solved)


def _points(state: RequestState, file: ReadFile) -> str:
    listed = "\n".join(f"- {point[:LONGEST_LINE]}" for point in reading.main_points(file.text))
    return (
        state.say("file.points").format(name=_name(state, file), listed=listed) if listed else _described(state, file)
    )


def _into_tools(state: RequestState, turn: Turn) -> Reply | None:
    """What carries a file's points into a note or its days into the calendar, and then the words about it."""
    said = fold(turn.said)
    readable = [file for file in turn.files if file.text.strip()]
    if not readable:
        return None
    if TO_CALENDAR.search(said) and (tool := _maker(state, "event")):
        return _days_into_calendar(state, turn, tool, readable)
    if SAVES.search(said) and (tool := _maker(state, "note")):
        if made := [step for step in turn.steps if step.name == tool.name]:
            return words(opening(state) + answer(state, [(step, None) for step in made]))
        given = {
            Role.TITLE: readable[0].name.rpartition(".")[0] or readable[0].name,
            Role.CONTENT: _note(state, readable),
        }
        return calls(Call(name=tool.name, input=_filled(tool, given)))
    return None


def _days_into_calendar(state: RequestState, turn: Turn, tool: Profile, files: Sequence[ReadFile]) -> Reply:
    dated = [line for file in files for line in reading.dated_lines(file.text, state.now)]
    named = [line for line in dated if reading.shares_words(line.title, turn.said)]
    dated = dated if EVERY_DAY.search(fold(turn.said)) else named or dated
    coming = [line for line in dated if line.start.date() >= state.now.date()]
    over = state.say("file.over").format(n=len(dated) - len(coming)) if len(dated) > len(coming) else ""
    if not coming:
        return words(opening(state) + " ".join(filter(None, [state.say("file.no_days"), over])))
    if made := [step for step in turn.steps if step.name == tool.name]:
        return words(opening(state) + "\n\n".join(filter(None, [answer(state, [(step, None) for step in made]), over])))
    whole_day = tool.param(Role.FLAG)
    return calls(
        *(
            Call(
                name=tool.name,
                input=_filled(
                    tool,
                    {
                        Role.TITLE: line.title,
                        Role.START: f"{line.start:%Y-%m-%dT%H:%M}" if line.has_time else f"{line.start:%Y-%m-%d}",
                    },
                )
                | ({whole_day.name: True} if whole_day and not line.has_time else {}),
            )
            for line in coming
        )
    )


def _maker(state: RequestState, about: str) -> Profile | None:
    tools = [tool for tool in state.tools.values() if tool.action.value == "create" and not tool.ability]
    fitting = [tool for tool in tools if tool.objects.get(about, 0) >= 0.9 and tool.param(Role.TITLE)]
    return max(fitting, key=lambda tool: tool.objects[about], default=None)


def _filled(tool: Profile, given: dict[Role, str]) -> dict[str, object]:
    return {param.name: value for role, value in given.items() if (param := tool.param(role))}


def _note(state: RequestState, files: Sequence[ReadFile]) -> str:
    return "\n\n".join(
        "\n".join(
            [state.say("file.from").format(name=file.name), "", *(f"- {p}" for p in reading.main_points(file.text))]
        )
        for file in files
    )


def _described(state: RequestState, file: ReadFile) -> str:
    name = _name(state, file)
    if file.kind == "image":
        width, height = file.size
        return state.say("image").format(name=name, width=width, height=height)
    lines = [line for line in file.text.splitlines() if line.strip()]
    count, single, several = (
        (len(file.pages), "a_pdf", "pdf_pages") if file.kind == "PDF" else (len(lines), "a_line", "lines")
    )
    what = state.say(single if count == 1 else several).format(n=count)
    said = state.say("begins" if lines else "no_text").format(name=name, what=what)
    return f"{said}\n\n{_quoted(lines)}" if lines else said


def _name(state: RequestState, file: ReadFile) -> str:
    return f"“{file.name}”" if file.name else state.say("nameless")


def _quoted(given: Sequence[str]) -> str:
    lines = [line.strip()[:LONGEST_LINE] for line in given if line.strip()]
    more = ["> …"] if len(lines) > MOST_LINES else []
    return "\n>\n".join([*(f"> {line}" for line in lines[:MOST_LINES]), *more])
