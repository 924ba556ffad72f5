"""Pieces of Word files, as WordprocessingML, and the law that both doors read them alike."""

from tests.document_samples import heading_styles, word_file
from tests.files_of_others.doors import attached, material, require

Pieces = tuple[str, ...]
NONE: Pieces = ()
SUPERSCRIPT, SUBSCRIPT = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def par(*runs: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{''.join(runs)}</w:p>"


def cell(*paragraphs: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{''.join(paragraphs)}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def math(inner: str) -> str:
    return f"<w:p><m:oMath>{inner}</m:oMath></w:p>"


def m(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def docx(body: str, *, styles: str = "", **parts: str) -> bytes:
    return word_file(body, styles=heading_styles() + styles, parts=parts)


def both(content: bytes, right: Pieces, wrong: Pieces = ()) -> None:
    """As a material and as an attachment."""
    require(material(content, "file.docx"), right, wrong)
    require(attached(content, "file.docx"), right, wrong)
