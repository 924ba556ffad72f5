"""PDFs as other programs write them: fonts without tables, glyphs drawn dot by dot, forms, comments, locks."""

import io

from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from tests.document_samples import words_at
from tests.file_samples import assembled_pdf

SIZE = 12


def lines(*texts: str, left: float = 72, top: float = 700, leading: float = 14) -> str:
    """Drawing commands for lines; one that begins with spaces stands further in."""
    return "".join(
        words_at(left + 6 * (len(text) - len(text.lstrip())), top - leading * at, text.strip(), SIZE)
        for at, text in enumerate(texts)
    )


def pdf(*pages: str, annotations: str = "", fields: str = "", font: str = "") -> bytes:
    """PDF of these drawings. annotations, fields: dictionaries on the first page; font: entries of /F2."""
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(len(pages)))
    form = f"/AcroForm << /Fields [{fields}] >>" if fields else ""
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {form} >>".encode(),
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Type /Font {font or '/Subtype /Type1 /BaseFont /Times-Roman'} >>".encode(),
    ]
    for number, page in enumerate(pages):
        annots = f"/Annots [{annotations}{fields}]" if number == 0 else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {6 + 2 * number} 0 R {annots}"
            " /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>".encode()
        )
        content = page.encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return assembled_pdf(objects)


def raised(*pieces: tuple[str, float, float]) -> str:
    """A line of pieces (words, size, height above the line) that follow each other without a space."""
    escaped = str.maketrans({"(": r"\(", ")": r"\)"})
    shown = "".join(f"/F1 {size} Tf {rise} Ts ({words.translate(escaped)}) Tj " for words, size, rise in pieces)
    return f"BT 1 0 0 1 72 600 Tm {shown}ET\n"


def type3(words: str) -> bytes:
    """Words in a font whose letters are drawings of several heights, as old TeX's are: "b" and "l" are tall."""
    glyphs = sorted(set(words.replace(" ", "")))
    heights = {"b": 700, "l": 700, "p": 430, "g": 430}
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    ]
    first, last = ord(glyphs[0]), ord(glyphs[-1])
    names = " ".join(f"/c{code}" for code in range(first, last + 1))
    widths = " ".join("500" for _ in range(first, last + 1))
    numbers = {glyph: 6 + at for at, glyph in enumerate(glyphs)}
    char_procs = " ".join(f"/c{ord(glyph)} {number} 0 R" for glyph, number in numbers.items())
    mapped = "".join(f"<{ord(glyph):02X}> <{ord(glyph):04X}>\n" for glyph in glyphs)
    cmap = (
        "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
        f"{len(glyphs)} beginbfchar\n{mapped}endbfchar endcmap end"
    ).encode()
    objects.append(
        f"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar {first}"
        f" /LastChar {last} /Widths [{widths}] /Encoding << /Differences [{first} {names}] >>"
        f" /CharProcs << {char_procs} >> /ToUnicode {6 + len(glyphs)} 0 R /Resources << >> >>".encode()
    )
    objects.append(
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
    )
    content = f"BT /F1 12 Tf 1 0 0 1 72 700 Tm ({words}) Tj ET".encode()
    objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    for glyph in glyphs:
        low, high = (-200, 430) if glyph in "pg" else (0, heights.get(glyph, 430))
        drawn = f"500 0 0 {low} 450 {high} d1 0 {low} 400 {high - low} re f".encode()
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(cmap), cmap))
    return assembled_pdf(objects)


def chinese(*texts: str) -> bytes:
    """Lines of Chinese in one paragraph."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    whole = io.BytesIO()
    canvas = Canvas(whole)
    canvas.setFont("STSong-Light", SIZE)
    for at, text in enumerate(texts):
        canvas.drawString(72, 700 - 15 * at, text)
    canvas.save()
    return whole.getvalue()


def locked(*, user: str, owner: str) -> bytes:
    """A PDF with passwords; the user's may be empty."""
    whole = io.BytesIO()
    canvas = Canvas(whole, encrypt=StandardEncryption(user, owner, strength=128))
    canvas.drawString(72, 700, "Water moves through membranes.")
    canvas.save()
    return whole.getvalue()
