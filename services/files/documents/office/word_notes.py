"""Footnotes, endnotes and comments of a Word file; notes have the numbers with which they are printed."""

from dataclasses import dataclass
from typing import Any

from services.files.documents.office.word_styles import value_of
from services.safety.rich_text.list_marks import WORD_STYLES

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SEPARATORS = ("separator", "continuationSeparator", "continuationNotice")
_FORMS = {"footnote": "decimal", "endnote": "lowerRoman"}


@dataclass(frozen=True)
class Note:
    """Footnote or endnote. mark: its number as printed, or the author's own sign."""

    mark: str
    element: Any


class WordNotes:
    def __init__(self, footnotes: Any, endnotes: Any, comments: Any, settings: Any) -> None:
        self._notes = {"footnote": _by_id(footnotes, "footnote"), "endnote": _by_id(endnotes, "endnote")}
        self._comments = {id: _comment_text(comment) for id, comment in _by_id(comments, "comment").items()}
        self._forms, self._next = dict(_FORMS), dict.fromkeys(_FORMS, 1)
        self._marks: dict[tuple[str, str], str] = {}
        for kind in _FORMS:
            properties = None if settings is None else settings.find(f"{W}{kind}Pr")
            if properties is not None:
                self._forms[kind] = value_of(properties, "numFmt") or _FORMS[kind]
                start = value_of(properties, "numStart")
                self._next[kind] = int(start) if start.isascii() and start.isdecimal() and len(start) < 6 else 1

    def referred(self, reference: Any) -> Note | None:
        """The note of a mark in the text; None for one that is not there."""
        kind, id = reference.tag.rpartition("}")[2].removesuffix("Reference"), reference.get(f"{W}id", "")
        note = self._notes[kind].get(id)
        if note is None:
            return None
        if (kind, id) not in self._marks:
            self._marks[kind, id] = self._mark(kind, reference)
        return Note(self._marks[kind, id], note)

    def _mark(self, kind: str, reference: Any) -> str:
        if reference.get(f"{W}customMarkFollows") in ("1", "true", "on"):
            following = (text.text or "" for text in reference.itersiblings(f"{W}t"))
            if own := "".join(following).strip():
                return own
        number, self._next[kind] = self._next[kind], self._next[kind] + 1
        return WORD_STYLES.get(self._forms[kind], str)(number)

    def comment(self, reference: Any) -> str:
        """A comment with its author; "" for one that is not there."""
        return self._comments.get(reference.get(f"{W}id", ""), "")


def _by_id(root: Any, name: str) -> dict[str, Any]:
    notes = () if root is None else root.iterchildren(W + name)
    return {note.get(f"{W}id", ""): note for note in notes if note.get(f"{W}type") not in _SEPARATORS}


def _comment_text(comment: Any) -> str:
    lines = (" ".join("".join(text.text or "" for text in p.iter(f"{W}t")).split()) for p in comment.iter(f"{W}p"))
    author, text = comment.get(f"{W}author", ""), " ".join(line for line in lines if line)
    return f"{author}: {text}" if author else text
