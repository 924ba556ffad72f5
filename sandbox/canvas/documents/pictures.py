"""Pictures: pages of a PDF as they come from a scanner, one page as a PNG, and a figure for slides and Word files."""

import io
import random
from threading import RLock
from typing import Any

from sandbox.canvas.documents.blocks import Figure
from sandbox.canvas.documents.figures import drawing

LAYOUT = RLock()
"""Held while anything is laid out or drawn: neither PDFium nor ReportLab's fonts bear two threads at once."""
SCAN_SCALE = 1.5
PICTURE_SCALE = 2.0
FIGURE_WIDTH = 470


def scan_pdf(pdf: bytes, seed: str) -> bytes:
    """The pages of a PDF as slightly tilted grey pictures without text."""
    from PIL import Image, ImageFilter
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    luck = random.Random(seed)
    file = io.BytesIO()
    canvas = Canvas(file, invariant=1)
    for page in _pages(pdf, SCAN_SCALE):
        paper = Image.new("L", page.size, 236 + luck.randrange(8))
        grey = page.convert("L").point([int(28 + value * 0.82) for value in range(256)])
        tilted = grey.rotate(luck.uniform(-0.9, 0.9), Image.Resampling.BICUBIC, fillcolor=236)
        paper.paste(tilted, (0, 0))
        picture = io.BytesIO()
        paper.filter(ImageFilter.GaussianBlur(0.5)).save(picture, "JPEG", quality=58)
        width, height = (side / SCAN_SCALE for side in page.size)
        canvas.setPageSize((width, height))
        canvas.drawImage(ImageReader(io.BytesIO(picture.getvalue())), 0, 0, width, height)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def page_png(pdf: bytes) -> bytes:
    """The first page of a PDF as a picture."""
    return _png(_pages(pdf, PICTURE_SCALE)[0])


def figure_png(figure: Figure) -> bytes:
    """A figure without its caption, with white ground, at twice its size."""
    from reportlab.graphics.renderPDF import drawToString

    with LAYOUT:
        return _png(_pages(drawToString(drawing(figure, FIGURE_WIDTH)), PICTURE_SCALE)[0])


def _pages(pdf: bytes, scale: float) -> list[Any]:
    from pypdfium2 import PdfDocument

    document = PdfDocument(pdf)
    try:
        return [page.render(scale=scale).to_pil() for page in document]
    finally:
        document.close()


def _png(picture: Any) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
