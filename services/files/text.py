"""Text reader: text and code, decoded, without invisible characters."""

import codecs
import contextlib
import re

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
_DECLARED = re.compile(
    rb"<(?:meta|\?xml)\b[^>]{0,400}?(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9._:-]{2,40})", re.I
)
_LOOKED_AT = 4_096
"""Bytes within which a page says how it is encoded."""
_SAMPLE = 60_000
_WESTERN = "cp1252"
_ENCODINGS = (
    "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1251", "koi8_r", _WESTERN, "cp1250", "iso8859_2", "cp1253",
    "cp1254", "cp1255", "cp1256",
)  # fmt: skip
"""Encodings that texts of courses have, by what files of students in different countries are saved as."""
_WIDE = ("utf_16_le", "utf_16_be")
_NOT_TEXT = gettext_noop("This is not text, whatever its name says.")


def read_text(content: bytes) -> Readable:
    """Decode text; raises `FileRefused` for what is no text, for too much of it, and for none."""
    return readable("text", decoded(content))


def read_page(content: bytes) -> Readable:
    """Decode HTML or XML by its own declaration, as it is written; raises `FileRefused` as `read_text` does."""
    return readable("text", decoded_page(content))


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
    """The text of the bytes, whatever usual encoding it has; raises `FileRefused` for what is no text for certain."""
    encoding = next((name for mark, name in _MARKED if content.startswith(mark)), None)
    try:
        text = content.decode(encoding or "utf-8")
    except UnicodeDecodeError:
        if encoding is not None:
            raise _not_text() from None
        text = _nearly_utf8(content) or content.decode(_detected(content), errors="replace")
    return _checked(text)


def decoded_page(content: bytes) -> str:
    """The text of an HTML file: as its own declaration says, else as `decoded` finds it."""
    declared = _DECLARED.search(content[:_LOOKED_AT])
    if declared and not content.startswith(tuple(mark for mark, _ in _MARKED)):
        with contextlib.suppress(LookupError, ValueError):
            name = codecs.lookup(declared[1].decode("ascii")).name
            # As browsers have it, and for what does not decode text.
            name = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}.get(name, name)
            if name not in ("utf-8", "utf-16", "utf-32", "utf-7") and not name.startswith(("utf-16", "utf-32")):
                text = codecs.decode(content, name, "replace")
                if isinstance(text, str) and text.count("\ufffd") <= len(text) // 100:
                    return _checked(text)
    return decoded(content)


def _nearly_utf8(content: bytes) -> str | None:
    """UTF-8 with a letter torn here and there, as where a file was cut; None for anything else."""
    text = content.decode("utf-8", errors="replace")
    torn, whole = text.count("\ufffd"), len(content) - len(text)
    return text if torn <= len(text) // 1_000 + 1 and whole > 8 * torn else None


def _detected(content: bytes) -> str:
    """Encoding of a text that says none; raises `FileRefused` where none reads like a language."""
    # Loaded with the first text that needs it: most are UTF-8.
    from charset_normalizer import from_bytes

    sample = content[:_SAMPLE].rpartition(b"\n")[0] if len(content) > _SAMPLE else content
    encodings = [*_ENCODINGS, *(_WIDE if b"\0" in sample else ())]
    matches = list(from_bytes(sample or content[:_SAMPLE], cp_isolation=encodings))
    if not matches:
        raise _not_text()
    best = matches[0]
    # Some words in a Western language look alike in several encodings, of which this is by far the usual one.
    for match in matches:
        is_as_good = match.chaos <= best.chaos + 0.02 and match.coherence >= best.coherence - 0.05
        if _WESTERN in match.could_be_from_charset and is_as_good:
            return _WESTERN
    return str(best.encoding)


def _checked(text: str) -> str:
    strange = sum(text.count(sign) for sign in ("\0", "\ufffd")) + sum(sign < "\x09" for sign in text[:10_000])
    if "\0" in text or strange > len(text) // 100:
        raise _not_text()
    return text


def _not_text() -> FileRefused:
    return FileRefused(
        gettext(_NOT_TEXT), next_step=gettext("Save it as plain text in UTF-8 or as a PDF, and attach that.")
    )
