"""What readers of a PDF's page wrote on it: values of its form's fields, and comments of reviewers."""

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

from services.safety.text import plain

_MOST = 500
_LONGEST = 2_000
_LONGEST_QUOTE, _LONGEST_NAME = 200, 100
_PASSWORD = 1 << 13
_UNSEEN = (1 << 1) | (1 << 5)
"""Flags of what is neither drawn nor told by any program: hidden, and not to be viewed."""


class PageAnnotations:
    """Annotations of a page. form: the document's form as PDFium opened it, None for none."""

    def __init__(self, page: Any, textpage: Any, form: Any) -> None:
        from pypdfium2 import raw

        self._raw, self._page, self._textpage, self._form = raw, page, textpage, form
        self._marks = {
            raw.FPDF_ANNOT_HIGHLIGHT: "",
            raw.FPDF_ANNOT_UNDERLINE: "",
            raw.FPDF_ANNOT_SQUIGGLY: "",
            raw.FPDF_ANNOT_STRIKEOUT: "that are struck out: ",
        }
        notes = ("TEXT", "FREETEXT", "CARET", "INK", "STAMP", "LINE", "SQUARE", "CIRCLE", "POLYGON", "POLYLINE")
        self._notes = [getattr(raw, f"FPDF_ANNOT_{name}") for name in notes]

    def text(self) -> str:
        """A line for each, in the file's order: "[Form field, Name: Jordan]", "[Comment by Ana: Why?]"."""
        return plain("\n".join(self._lines()))

    def _lines(self) -> Iterator[str]:
        raw = self._raw
        for at in range(min(raw.FPDFPage_GetAnnotCount(self._page), _MOST)):
            annotation = raw.FPDFPage_GetAnnot(self._page, at)
            if not annotation:
                continue
            try:
                if not raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN and (line := self._line(annotation)):
                    yield line
            finally:
                raw.FPDFPage_CloseAnnot(annotation)

    def _line(self, annotation: Any) -> str:
        kind = self._raw.FPDFAnnot_GetSubtype(annotation)
        if kind == self._raw.FPDF_ANNOT_WIDGET:
            return self._field(annotation) if self._form is not None else ""
        if kind not in self._marks and kind not in self._notes:
            return ""
        quote = self._quote(annotation) if kind in self._marks else ""
        quote = f"{self._marks.get(kind, '')}“{quote}”" if quote else ""
        words, author = self._string(annotation, b"Contents"), self._string(annotation, b"T")
        if not words and not (quote and self._marks[kind]):
            return ""
        head = f"Comment{f' by {author[:80]}' if author else ''}{f' on words {quote}' if quote else ''}"
        return f"[{head}{f': {words}' if words else ''}]"

    def _field(self, annotation: Any) -> str:
        raw, form = self._raw, self._form
        kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
        has_box = kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
        name = self._name(annotation, is_before=not has_box)
        if has_box:
            is_ticked = bool(raw.FPDFAnnot_IsChecked(form, annotation))
            choice = self._of_field(raw.FPDFAnnot_GetFormFieldExportValue, annotation)
            if kind == raw.FPDF_FORMFIELD_RADIOBUTTON:
                return f"[Form field, {name}: {choice or 'chosen'}]" if is_ticked else ""
            return f"[Form field, {name}: {'ticked' if is_ticked else 'not ticked'}]"
        if kind not in (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
            return ""
        if kind == raw.FPDF_FORMFIELD_TEXTFIELD and raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD:
            return ""
        value = self._of_field(raw.FPDFAnnot_GetFormFieldValue, annotation)
        return f"[Form field, {name}: {value}]" if value else ""

    def _name(self, annotation: Any, *, is_before: bool) -> str:
        """What a field is called: its own label, else the words beside it on the page, else its name in the file."""
        raw, rect = self._raw, self._raw.FS_RECTF()
        label = self._of_field(raw.FPDFAnnot_GetFormFieldAlternateName, annotation)
        if not label and raw.FPDFAnnot_GetRect(annotation, rect):
            edges = (0.0, rect.bottom, rect.left, rect.top) if is_before else (rect.right, rect.bottom, 1e4, rect.top)
            words = " ".join(self._textpage.get_text_bounded(*edges).split()).rstrip(": ")
            label = words[-_LONGEST_NAME:] if is_before else words[:_LONGEST_NAME]
        return label or self._of_field(raw.FPDFAnnot_GetFormFieldName, annotation)

    def _of_field(self, ask: Callable[..., int], annotation: Any) -> str:
        return _text(lambda *buffer: ask(self._form, annotation, *buffer))

    def _string(self, annotation: Any, key: bytes) -> str:
        return _text(lambda *buffer: self._raw.FPDFAnnot_GetStringValue(annotation, key, *buffer))

    def _quote(self, annotation: Any) -> str:
        """Words that a mark lies on."""
        raw, pieces = self._raw, []
        points = raw.FS_QUADPOINTSF()
        for at in range(min(raw.FPDFAnnot_CountAttachmentPoints(annotation), 20)):
            if raw.FPDFAnnot_GetAttachmentPoints(annotation, at, points):
                across = (points.x1, points.x2, points.x3, points.x4)
                up = (points.y1, points.y2, points.y3, points.y4)
                pieces.append(self._textpage.get_text_bounded(min(across), min(up), max(across), max(up)))
        return " ".join(" ".join(pieces).split())[:_LONGEST_QUOTE]


def _text(ask: Callable[..., int]) -> str:
    """What PDFium answers in its own encoding, on one line."""
    from pypdfium2 import raw

    size = min(ask(None, 0), 2 * _LONGEST + 2)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    if ask(ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size) > size:
        return ""
    return " ".join(buffer.raw[: size - 2].decode("utf-16-le", errors="replace").split())
