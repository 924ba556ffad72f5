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

_READERS: Mapping[str, Callable[[bytes], Readable]] = {
    "pdf": pdf.read,
    "docx": word.read,
    **dict.fromkeys(IMAGES, image.read),
}
_OLDER = {
    "doc": "Save it as .docx or PDF, and attach that.",
    "docm": "Save it as a plain .docx, and attach that.",
    "xlsx": "Save the sheet as CSV, and attach that.",
    "xls": "Save the sheet as CSV, and attach that.",
    "pptx": "Save the slides as PDF, and attach that.",
    "ppt": "Save the slides as PDF, and attach that.",
    "key": "Save the slides as PDF, and attach that.",
    "pages": "Save it as .docx or PDF, and attach that.",
    "odt": "Save it as .docx or PDF, and attach that.",
    "rtf": "Save it as .docx or PDF, and attach that.",
    "heic": "Save it as JPEG, and attach that.",
}


def read_all(uploads: Sequence[Upload]) -> list[Readable]:
    """Each file of a message, in order; raises `FilesRefused` that says of every bad one what is wrong with it."""
    if len(uploads) > MOST_FILES:
        raise FilesRefused(
            f"{len(uploads)} files are too many for one message.",
            next_step=f"Attach {MOST_FILES} at most, and the others with your next message.",
        )
    found: list[Readable] = []
    refused: dict[int, FileRefused] = {}
    for at, upload in enumerate(uploads):
        try:
            found.append(read(upload))
        except FileRefused as error:
            refused[at] = error
    if refused:
        which = "A file cannot be attached." if len(refused) == 1 else f"{len(refused)} files cannot be attached."
        raise FilesRefused(which, next_step="Your text is kept.", refused=refused)
    _fit_together(uploads, found)
    return found


def read(upload: Upload) -> Readable:
    """What the model reads of one file; raises `FileRefused`. Its name only says which kind it should be."""
    ending = extension(upload.name)
    if ending not in EXTENSIONS:
        kind = (
            f".{ending} files" if ending.isascii() and ending.isalnum() and len(ending) <= 8 else "Files of this kind"
        )
        step = _OLDER.get(ending, f"These can: {KINDS_IN_WORDS}.")
        raise FileRefused(f"{kind} cannot be read here.", next_step=step)
    if not upload.content:
        raise FileRefused("This file is empty.", next_step="Attach one that has something in it.")
    if len(upload.content) > LARGEST_FILE:
        raise FileRefused(
            f"This file has {in_words(len(upload.content))}; {LARGEST_MB} MB are the most.",
            next_step="Attach a smaller one, or the part you need.",
        )
    return _READERS.get(ending, text.read)(upload.content)


def _fit_together(uploads: Sequence[Upload], found: Sequence[Readable]) -> None:
    weight = max(sum(len(one.content) for one in uploads), sum(len(one.content) for one in found))
    if weight > LARGEST_MESSAGE:
        raise FilesRefused(
            f"Together these files have {in_words(weight)}; {LARGEST_MESSAGE // MEGABYTE} MB fit into one message.",
            next_step="Attach fewer, and the others with your next message.",
        )
    if sum(one.tokens for one in found) > MOST_TOKENS:
        raise FilesRefused(
            "Together these files are longer than what can be read at once.",
            next_step="Attach fewer, or only the pages you need.",
        )
