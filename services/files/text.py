"""Text reader: text and code, decoded, without invisible characters."""

import codecs

from services.files.limits import LONGEST_TEXT
from services.files.upload import FileRefused, Kind, Readable
from services.i18n import formats, gettext, gettext_noop
from services.safety.text import plain

MEDIA_TYPE = "text/plain"
_CHARACTERS_OF_TOKEN = 3
_MARKED = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NOT_TEXT = gettext_noop("This is not text, whatever its name says.")


def read_text(content: bytes) -> Readable:
    """Decode text; raises `FileRefused` for what is no text, for too much of it, and for none."""
    return readable("text", decoded(content))


def readable(kind: Kind, text: str) -> Readable:
    """The text as the model gets it; raises `FileRefused` when it is empty or too long."""
    text = plain(text).strip("\n")
    if not text.strip():
        raise FileRefused(
            gettext("There is no text in this file."), next_step=gettext("Attach one that has something in it.")
        )
    if len(text) > LONGEST_TEXT:
        raise FileRefused(
            gettext(
                "This file has {count} characters; {most} are the most that can be read at once.",
                count=formats.number(len(text)),
                most=formats.number(LONGEST_TEXT),
            ),
            next_step=gettext("Cut out the part you need, and attach that."),
        )
    tokens = max(1, len(text) // _CHARACTERS_OF_TOKEN)
    return Readable(kind=kind, content=text.encode(), media_type=MEDIA_TYPE, tokens=tokens)


def decoded(content: bytes) -> str:
    """The text of the bytes, whatever usual encoding it has; raises `FileRefused` for what is no text."""
    encoding = next((name for mark, name in _MARKED if content.startswith(mark)), None)
    try:
        text = content.decode(encoding or "utf-8")
    except UnicodeDecodeError:
        if encoding is not None:
            raise _not_text() from None
        # What Windows programs write in the West; every byte but five has a letter there.
        text = content.decode("cp1252", errors="replace")
    strange = sum(text.count(sign) for sign in ("\0", "\ufffd")) + sum(sign < "\x09" for sign in text[:10_000])
    if "\0" in text or strange > len(text) // 100:
        raise _not_text()
    return text


def _not_text() -> FileRefused:
    return FileRefused(gettext(_NOT_TEXT), next_step=gettext("Save it as plain text or as a PDF, and attach that."))
