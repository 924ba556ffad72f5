"""Fonts that documents embed (`fonts/`, see its README), and runs of text as ReportLab's paragraph markup."""

from functools import cache
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from sandbox.canvas.documents.blocks import Run, Runs

FONTS = Path(__file__).parent / "fonts"
LOOKS = ("", "-bold", "-italic", "-bold-italic")
FACES = ("serif", "sans")
SYMBOLS = "symbols"
MONO = "mono"
LINK_COLOR = "#1d4ed8"


@cache
def register() -> None:
    """Tell ReportLab about the fonts; once for each process, when the first document is laid out."""
    from reportlab.lib.fonts import addMapping
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    for name in (*(f"{face}{look}" for face in FACES for look in LOOKS), SYMBOLS, MONO):
        registerFont(TTFont(name, FONTS / f"{name}.ttf"))
    for face in FACES:
        for at, look in enumerate(LOOKS):
            addMapping(face, at % 2, at // 2, f"{face}{look}")
    for face in (SYMBOLS, MONO):
        for at in range(4):
            addMapping(face, at % 2, at // 2, face)


@cache
def _letters(name: str) -> frozenset[int]:
    from reportlab.pdfbase.pdfmetrics import getFont

    register()
    return frozenset(getFont(name).face.charToGlyph)


def has_all(text: str, name: str) -> bool:
    """Whether a font has every letter of a text."""
    return all(ord(letter) in _letters(name) for letter in text)


def markup(runs: Runs, face: str) -> str:
    """Paragraph markup of runs; letters that the face lacks come from the font of symbols."""
    return "".join(_marked(run, face) for run in runs)


def marked_text(text: str, face: str) -> str:
    """Paragraph markup of plain text."""
    groups = groupby(text, key=lambda letter: letter in "\n" or ord(letter) in _letters(face))
    parts = ((has, escape("".join(letters)).replace("\n", "<br/>")) for has, letters in groups)
    return "".join(part if has else f'<font name="{SYMBOLS}">{part}</font>' for has, part in parts)


def _marked(run: Run, face: str) -> str:
    own = MONO if run.is_code else face
    text = marked_text(run.text, own)
    if run.is_code:
        text = f'<font name="{MONO}" size="-1">{text}</font>'
    if run.shift:
        tag = "super" if run.shift > 0 else "sub"
        text = f'<{tag} size="-2.6" rise="{3.2 if run.shift > 0 else 1.8}">{text}</{tag}>'
    if run.is_italic:
        text = f"<i>{text}</i>"
    if run.is_bold:
        text = f"<b>{text}</b>"
    if run.link.startswith("http"):
        text = f"<a href={quoteattr(run.link)} color={quoteattr(LINK_COLOR)}>{text}</a>"
    return text
