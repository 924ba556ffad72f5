"""Answers about files that came with a message: what each is, how it begins, and where it speaks of something."""

import re
from collections.abc import Iterator, Sequence

from sandbox.model.brain import phrases
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.plan import plan
from sandbox.model.brain.text import fold
from sandbox.model.files import ReadFile

MOST_LINES = 8
MOST_FOUND = 5
LONGEST_LINE = 240
NAMES_FILES = re.compile(
    r"\b(?:files?|pdfs?|documents?|docx?|attach\w*|images?|pictures?|photos?|screenshots?|slides|handout|syllabus|"
    r"archivos?|documentos?|adjunt\w*|imagen(?:es)?|fotos?|diapositivas)\b"
)
POINTS_AT_IT = re.compile(
    r"\b(?:this|these|it|here|summar\w*|read|say|says|explain|about|pages?|"
    r"esto|este|esta|resum\w*|lee|leer|dice|explica|paginas?)\b"
)
PAGE = re.compile(r"\b(?:page|pagina)\s+(\d{1,3})\b")
ASKS_FOR_ALL = re.compile(
    r"\b(?:summar\w*|what is (?:in|this|it)|what's (?:in|this)|resum\w*|que (?:es|hay)|begin\w*|read)\b"
)
COMMON = frozenset(
    {"what", "when", "where", "which", "does", "says", "tell", "about", "this", "that", "these", "those", "have"}
    | {"from", "with", "your", "please", "there", "page", "pages", "file", "files", "document", "attached", "image"}
    | {"text", "according", "cual", "donde", "dice", "archivo", "documento", "pagina", "sobre", "este", "esta"}
)


def about_files(mind: Mind) -> str | None:
    """The answer to a question about a file of this message, or about an earlier one that is named; else None."""
    turn = mind.conversation.now
    if turn.steps or turn.searches or turn.said.lstrip().startswith("/"):
        return None
    said = fold(turn.said)
    names_one = NAMES_FILES.search(said) is not None
    if turn.files:
        is_about = names_one or (POINTS_AT_IT.search(said) is not None and not plan(mind))
        return _answer(mind, turn.files, said) if is_about else None
    earlier = [file for one in mind.conversation.before for file in one.files]
    return _answer(mind, earlier, said) if earlier and (names_one or PAGE.search(said)) else None


def _answer(mind: Mind, files: Sequence[ReadFile], said: str) -> str:
    found = [] if ASKS_FOR_ALL.search(said) and not PAGE.search(said) else list(_found(mind, files, said))
    return "\n\n".join(found or [_described(mind, file) for file in files])


def _found(mind: Mind, files: Sequence[ReadFile], said: str) -> Iterator[str]:
    if page := PAGE.search(said):
        for file in files:
            if file.kind == "PDF" and 0 < (number := int(page[1])) <= len(file.pages):
                where = f"{_name(mind, file)}, {mind.say(*phrases.PAGE)} {number}"
                yield f"{where}:\n\n{_quoted(file.pages[number - 1])}"
        return
    wanted = {word for word in re.findall(r"\w{4,}", said) if word not in COMMON}
    for file in files:
        hits = [line for line in file.text.splitlines() if wanted & set(re.findall(r"\w{4,}", fold(line)))]
        if hits:
            yield f"{_name(mind, file)}:\n\n{_quoted(chr(10).join(hits[:MOST_FOUND]))}"


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
    return f"{said}\n\n{_quoted(chr(10).join(lines))}" if lines else said


def _name(mind: Mind, file: ReadFile) -> str:
    return f"“{file.name}”" if file.name else mind.say(*phrases.NAMELESS)


def _quoted(text: str) -> str:
    lines = [line.strip()[:LONGEST_LINE] for line in text.splitlines() if line.strip()]
    more = ["> …"] if len(lines) > MOST_LINES else []
    return "\n>\n".join([*(f"> {line}" for line in lines[:MOST_LINES]), *more])
