"""Course documents made for tests: PDFs from drawing commands, slides and Word files from their XML, hostile ones."""

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from tests.file_samples import assembled_pdf

P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_CONTENT = "application/vnd.openxmlformats-officedocument"
_CONTENT_TYPES = {
    "ppt/presentation.xml": "presentationml.presentation.main",
    "ppt/slides/": "presentationml.slide",
    "ppt/notesSlides/": "presentationml.notesSlide",
    "word/document.xml": "wordprocessingml.document.main",
    "word/": "wordprocessingml.styles",
}
BLACK_PIXEL = "q {w} 0 0 {h} 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q"


def words_at(x: float, y: float, words: str, size: float = 12, extra: str = "") -> str:
    """Drawing commands for words, from the page's lower left corner."""
    return f"BT {extra} /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({words}) Tj ET\n"


def drawn_pdf(*pages: str, size: tuple[int, int] = (612, 792), catalog: str = "", page_entries: str = "") -> bytes:
    """PDF whose pages are drawn by these commands, with Helvetica as /F1."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>".encode(),
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, commands in enumerate(pages):
        drawn = commands.encode("latin-1")
        box = f"/MediaBox [0 0 {size[0]} {size[1]}] /Contents {5 + 2 * number} 0 R {page_entries}"
        objects.append(f"<< /Type /Page /Parent 2 0 R {box} /Resources << /Font << /F1 3 0 R >> >> >>".encode())
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    return assembled_pdf(objects)


def pdf_with_slow_page(at: int, pages: int) -> bytes:
    """PDF of one line a page, one page of which takes minutes to draw: a pattern of very many lines, unpacked."""
    stream = zlib.compress(b"0 0 m 600 700 l 3 9 400 2 9 8 c S\n" * 1_000_000, 6)
    kids = " ".join(f"{5 + number} 0 R" for number in range(pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    for number in range(1, pages + 1):
        own = f"{5 + pages + number - 1} 0 R"
        contents = f"[{own} 4 0 R]" if number == at else own
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {contents}"
        objects.append(f"{page} /Resources << /Font << /F1 3 0 R >> >> >>".encode())
    for number in range(1, pages + 1):
        drawn = words_at(72, 600, f"Text of page {number} about the cells of plants").encode()
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    return assembled_pdf(objects)


def shape(text: str, *, kind: str = "body", more: str = "", run: str = "") -> str:
    """Shape of a slide with a paragraph for each line. kind: of its placeholder; more: its properties; run: of runs."""
    lines = "".join(f"<a:p><a:r><a:rPr {run}</a:rPr><a:t>{escape(line)}</a:t></a:r></a:p>" for line in text.split("\n"))
    lines = lines.replace("<a:rPr </a:rPr>", "")
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>'
        f"<p:spPr>{more}</p:spPr><p:txBody><a:bodyPr/>{lines}</p:txBody></p:sp>"
    )


def place(x: int, y: int) -> str:
    """Place of a shape in inches, from the slide's upper left corner."""
    return f'<a:xfrm><a:off x="{x * 914_400}" y="{y * 914_400}"/><a:ext cx="914400" cy="914400"/></a:xfrm>'


def slides(
    *trees: str,
    notes: Mapping[int, str] | None = None,
    hidden: Sequence[int] = (),
    parts: Mapping[str, bytes] | None = None,
) -> bytes:
    """A .pptx of slides with these shapes. notes: speaker's notes by number; hidden: slides that are not shown."""
    notes = notes or {}
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="rId{n}"/>' for n in range(1, len(trees) + 1))
    made = {
        "ppt/presentation.xml": f"<p:presentation {P} {R}><p:sldIdLst>{ids}</p:sldIdLst>"
        '<p:sldSz cx="9144000" cy="6858000"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(
            {f"rId{n}": ("slide", f"slides/slide{n}.xml") for n in range(1, len(trees) + 1)}
        ),
    }
    for number, tree in enumerate(trees, 1):
        show = 'show="0"' if number in hidden else ""
        made[f"ppt/slides/slide{number}.xml"] = (
            f"<p:sld {P} {A} {R} {M} {MC} {show}><p:cSld><p:spTree>{tree}</p:spTree></p:cSld></p:sld>"
        )
        if number in notes:
            made[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(
                {"rId1": ("notesSlide", f"../notesSlides/notesSlide{number}.xml")}
            )
            made[f"ppt/notesSlides/notesSlide{number}.xml"] = (
                f"<p:notes {P} {A}><p:cSld><p:spTree>{shape(notes[number])}{shape('7', kind='sldNum')}"
                "</p:spTree></p:cSld></p:notes>"
            )
    return office_file("ppt/presentation.xml", {name: text.encode() for name, text in made.items()} | dict(parts or {}))


def word_file(body: str, *, styles: str = "", parts: Mapping[str, str] | None = None) -> bytes:
    """A .docx of this body. parts: such as "comments", each the content of the part of that kind."""
    own = {"styles": styles, **(parts or {})}
    made = {"word/document.xml": f"<w:document {W} {M} {MC} {A}><w:body>{body}</w:body></w:document>"}
    made["word/_rels/document.xml.rels"] = relations({kind: (kind, f"{kind}.xml") for kind in own})
    made |= {f"word/{kind}.xml": f"<w:{kind} {W}>{content}</w:{kind}>" for kind, content in own.items()}
    return office_file("word/document.xml", {name: text.encode() for name, text in made.items()})


def paragraph(text: str, style: str = "", run: str = "") -> str:
    """Paragraph of a Word file. run: properties of its words."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:rPr>{run}</w:rPr><w:t>{escape(text)}</w:t></w:r></w:p>"


def heading_styles() -> str:
    named = (
        f'<w:style w:type="paragraph" w:styleId="T{n}"><w:name w:val="heading {n}"/></w:style>' for n in range(1, 5)
    )
    return "".join(named)


def relations(of: Mapping[str, tuple[str, str]]) -> str:
    rows = (f'<Relationship Id="{id}" Type="{_OFFICE}/{kind}" Target="{target}"/>' for id, (kind, target) in of.items())
    return f'<Relationships xmlns="{_RELATIONS}">{"".join(rows)}</Relationships>'


def office_file(main: str, parts: Mapping[str, bytes]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _content_types(parts))
        archive.writestr("_rels/.rels", relations({"rId1": ("officeDocument", main)}))
        for name, content in parts.items():
            archive.writestr(name, content)
    return whole.getvalue()


def _content_types(parts: Mapping[str, bytes]) -> str:
    types = {name: next((t for p, t in _CONTENT_TYPES.items() if name.startswith(p)), "") for name in parts}
    rows = "".join(
        f'<Override PartName="/{name}" ContentType="{_CONTENT}.{type}+xml"/>'
        for name, type in types.items()
        if type and name.endswith(".xml")
    )
    usual = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    return f'<Types xmlns="{_TYPES}">{usual}<Default Extension="png" ContentType="image/png"/>{rows}</Types>'
