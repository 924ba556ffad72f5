"""Which reader a file gets, and the limits that hold for all."""

from collections.abc import Callable, Mapping, Sequence

from services.files import image, pdf, text, word
from services.files.limits import (
    EXTENSIONS,
    IMAGES,
    KINDS_IN_WORDS,
    LARGEST_FILE,
    LARGEST_MB,
    LARGEST_MESSAGE,
    MEGABYTE,
    MOST_FILES,
    MOST_TOKENS,
    in_words,
)
from services.files.names import extension
from services.files.upload import FileRefused, FilesRefused, Readable, Upload
from services.language import say, say_count, to_say

_READERS: Mapping[str, Callable[[bytes], Readable]] = {
    "pdf": pdf.read,
    "docx": word.read,
    **dict.fromkeys(IMAGES, image.read),
}
_OLDER = {
    "doc": to_say("Save it as .docx or PDF, and attach that."),
    "docm": to_say("Save it as a plain .docx, and attach that."),
    "xlsx": to_say("Save the sheet as CSV, and attach that."),
    "xls": to_say("Save the sheet as CSV, and attach that."),
    "pptx": to_say("Save the slides as PDF, and attach that."),
    "ppt": to_say("Save the slides as PDF, and attach that."),
    "key": to_say("Save the slides as PDF, and attach that."),
    "pages": to_say("Save it as .docx or PDF, and attach that."),
    "odt": to_say("Save it as .docx or PDF, and attach that."),
    "rtf": to_say("Save it as .docx or PDF, and attach that."),
    "heic": to_say("Save it as JPEG, and attach that."),
}
_OF_THIS_KIND = to_say("Files of this kind cannot be read here.")


def read_all(uploads: Sequence[Upload]) -> list[Readable]:
    """Each file of a message, in order; raises `FilesRefused` that says of every bad one what is wrong with it."""
    if len(uploads) > MOST_FILES:
        raise FilesRefused(
            say("{count} files are too many for one message.", count=len(uploads)),
            next_step=say("Attach {most} at most, and the others with your next message.", most=MOST_FILES),
        )
    found: list[Readable] = []
    refused: dict[int, FileRefused] = {}
    for at, upload in enumerate(uploads):
        try:
            found.append(read(upload))
        except FileRefused as error:
            refused[at] = error
    if refused:
        which = say_count("A file cannot be attached.", "{n} files cannot be attached.", len(refused))
        raise FilesRefused(which, next_step=say("Your text is kept."), refused=refused)
    _fit_together(uploads, found)
    return found


def read(upload: Upload) -> Readable:
    """What the model reads of one file; raises `FileRefused`. Its name only says which kind it should be."""
    ending = extension(upload.name)
    if ending not in EXTENSIONS:
        is_plain = ending.isascii() and ending.isalnum() and len(ending) <= 8
        refused = say(".{ending} files cannot be read here.", ending=ending) if is_plain else say(_OF_THIS_KIND)
        others = say("These can: {kinds}.", kinds=say(KINDS_IN_WORDS))
        raise FileRefused(refused, next_step=say(_OLDER[ending]) if ending in _OLDER else others)
    if not upload.content:
        raise FileRefused(say("This file is empty."), next_step=say("Attach one that has something in it."))
    if len(upload.content) > LARGEST_FILE:
        raise FileRefused(
            say("This file has {size}; {most} MB are the most.", size=in_words(len(upload.content)), most=LARGEST_MB),
            next_step=say("Attach a smaller one, or the part you need."),
        )
    return _READERS.get(ending, text.read)(upload.content)


def _fit_together(uploads: Sequence[Upload], found: Sequence[Readable]) -> None:
    weight = max(sum(len(one.content) for one in uploads), sum(len(one.content) for one in found))
    if weight > LARGEST_MESSAGE:
        raise FilesRefused(
            say(
                "Together these files have {weight}; {most} MB fit into one message.",
                weight=in_words(weight),
                most=LARGEST_MESSAGE // MEGABYTE,
            ),
            next_step=say("Attach fewer, and the others with your next message."),
        )
    if sum(one.tokens for one in found) > MOST_TOKENS:
        raise FilesRefused(
            say("Together these files are longer than what can be read at once."),
            next_step=say("Attach fewer, or only the pages you need."),
        )
