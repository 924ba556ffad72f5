"""Answers about files that came with a message, from their own words: lines, main points, questions, points."""

from collections.abc import Sequence

from sandbox.model.files import ReadFile
from sandbox.model.reply import Reply, words
from sandbox.model.rules.attachments import file_text
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.planning.planner import plan
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.answers import opening
from sandbox.model.rules.understanding.intent import OF_TIME

MOST_LINES, LONGEST_LINE = 8, 240
USUAL_QUESTIONS, MOST_QUESTIONS = 5, 10
NAMES_FILES = pattern(
    "files?|pdfs?|documents?|docx?|attach~|images?|pictures?|photos?|screenshots?|slides|handout|syllabus|archivos?"
    "|documentos?|adjunt~|imagen(es)?|fotos?|diapositivas"
)
POINTS_AT_IT = pattern(
    rf"""
    (this|these|it|here|esto|est[ea])\b(?!{OF_TIME}) | (summar|mention|resum)~
    read|say|says|explain|about|pages?|according|lee|leer|dice|explica|aqui|paginas?|segun|menciona
    """
)
PAGE = pattern(r"(page|pagina) (?P<n>\d{1,3})")
SUMS_UP = pattern(
    "summar~ | sum (it|this|up) | (main|key) (points?|ideas?) | tl;?dr | gist | outline | resum~ | ideas? principales"
    " | puntos clave"
)
ASKS_WHAT = pattern("what is (in|this|it) | what'?s (in|this) | que (es|hay) | begin~ | read")
PRACTICE = pattern(
    r"practice | quiz (me|questions?) | (make|give|write|create|ask) .. questions? | test me | flash\s?cards?"
    " | study questions? | preguntas | tarjetas | cuestionario | ponme a prueba"
)
HOW_MANY = pattern(r"(?P<n>\d{1,2})")
POINTS = pattern("average|mean|total|grade|promedio|media|porcentaje|nota|suma | percent~ | how (did|am) i")


def about_files(state: RequestState) -> Reply | None:
    """The reply to a question about a file of this message, or about an earlier one that is meant; else None."""
    turn, said = state.conversation.now, fold(state.conversation.now.said)
    is_only_searched = bool(turn.searches) and not turn.steps
    if said.lstrip().startswith("/") and not is_only_searched:
        return None
    if turn.steps or is_only_searched:
        return None
    if turn.files:
        return _told(state, turn.files, said) if _is_about_one(state, turn.files, said) else None
    earlier = [file for before in state.conversation.before for file in before.files]
    is_meant = NAMES_FILES.search(said) or PAGE.search(said) or _goes_on(state, said)
    return _told(state, earlier, said) if earlier and is_meant else None


def _is_about_one(state: RequestState, files: Sequence[ReadFile], said: str) -> bool:
    if NAMES_FILES.search(said) or POINTS_AT_IT.search(said) or PRACTICE.search(said):
        return True
    # "Where does glycolysis happen?" with a chapter about it, whatever the notes may say.
    intent = state.read(state.conversation.now.said)
    is_own = intent.has_own or intent.services or intent.when.is_said or not intent.is_question
    stands_there = not is_own and any(file_text.lines_about(file.text, intent.text, state.now) for file in files)
    return stands_there or _is_about_nothing_else(state)


def _is_about_nothing_else(state: RequestState) -> bool:
    # "Hello!" with a file stays a greeting; a question that no tool knows is about the file.
    return not plan(state) and state.read(state.conversation.now.said).is_question


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
        return _page(state, file, int(page["n"])) or _described(state, file)
    if PRACTICE.search(said) and (asked := _questions(state, file, said)):
        return asked
    if SUMS_UP.search(said) or (ASKS_WHAT.search(said) and file_text.has_headings(file.text)):
        return _points(state, file)
    if (rows := file_text.scored_rows(file.text)) and (scores := _scores(state, file, said, rows)):
        return scores
    lines = [] if ASKS_WHAT.search(said) else file_text.lines_about(file.text, said, state.now)
    return f"{_name(state, file)}:\n\n{_quoted(lines)}" if lines else _described(state, file)


def _scores(state: RequestState, file: ReadFile, said: str, rows: Sequence[tuple[str, float, float]]) -> str:
    got, whole = sum(points for _, points, _ in rows), sum(most for _, _, most in rows)
    share = {"got": f"{got:g}", "whole": f"{whole:g}", "percent": f"{100 * got / whole:.1f}"}
    return state.say("file.share").format(name=_name(state, file), **share) if POINTS.search(said) else ""


def _page(state: RequestState, file: ReadFile, number: int) -> str:
    if file.kind != "PDF" or not 0 < number <= len(file.pages):
        return ""
    shown = _quoted(file.pages[number - 1].splitlines())
    return f"{_name(state, file)}, {state.say('page')} {number}:\n\n{shown}"


def _questions(state: RequestState, file: ReadFile, said: str) -> str:
    asked = HOW_MANY.search(said)
    made = file_text.gaps(file.text, min(MOST_QUESTIONS, max(1, int(asked["n"]))) if asked else USUAL_QUESTIONS)
    listed = "\n".join(f"{at}. {gap}" for at, (gap, _) in enumerate(made, 1))
    solved = ", ".join(f"{at} {word}" for at, (_, word) in enumerate(made, 1))
    return state.say("file.questions").format(name=_name(state, file), listed=listed, solved=solved) if made else ""


def _points(state: RequestState, file: ReadFile) -> str:
    listed = "\n".join(f"- {point[:LONGEST_LINE]}" for point in file_text.main_points(file.text))
    return (
        state.say("file.points").format(name=_name(state, file), listed=listed) if listed else _described(state, file)
    )


def _described(state: RequestState, file: ReadFile) -> str:
    name = _name(state, file)
    if file.kind == "image":
        return state.say("image").format(name=name, width=file.size[0], height=file.size[1])
    lines = [line for line in file.text.splitlines() if line.strip()]
    count, kinds = (
        (len(file.pages), ("a_pdf", "pdf_pages")) if file.kind == "PDF" else (len(lines), ("a_line", "lines"))
    )
    what = state.say(kinds[count != 1]).format(n=count)
    said = state.say("begins" if lines else "no_text").format(name=name, what=what)
    return f"{said}\n\n{_quoted(lines)}" if lines else said


def _name(state: RequestState, file: ReadFile) -> str:
    return f"“{file.name}”" if file.name else state.say("nameless")


def _quoted(given: Sequence[str]) -> str:
    lines = [line.strip()[:LONGEST_LINE] for line in given if line.strip()]
    more = ["> …"] if len(lines) > MOST_LINES else []
    return "\n>\n".join([*(f"> {line}" for line in lines[:MOST_LINES]), *more])
