"""Page picture: a page drawn as an image, with a passage marked on it."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from services.files import image
from services.files.documents.content_type import content_type
from services.files.documents.office.package import OfficePackage
from services.files.documents.office.slides import slide_image
from services.files.documents.pdf.layout import Box
from services.files.documents.pdf.pages import open_pdf
from services.files.documents.pdf.passage_finder import page_with, passage_boxes
from services.files.upload import FileRefused, Readable, Upload
from services.i18n import gettext

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST_EDGE = 1_600
"""Pixels: sharp on a screen beside the chat, and about what the model sees of a picture."""
_MARK = (255, 214, 64)
_DARK = 110
"""Brightness of 255 of a line's ground, below which ink of a marker would not be seen."""
_LARGEST_PNG = 700_000


def page_picture(upload: Upload, number: int, mark: str, anchor: str = "") -> tuple[Readable, float | None]:
    """Draw a page; raises `FileRefused` for a page that is not there and for kinds without pictures.

    number: from 1. mark: the passage as `DocumentPage.text` has it, "" for none. With the picture comes where the
    passage begins, from 0 at the top to 1; None when it is not there.
    anchor: how the text begins whose page is wanted, where the number counts sections and not pages.
    """
    kind = content_type(upload.name, upload.content)
    if kind == "image":
        return image.read_image(upload.content), None
    if kind == "slides":
        return image.read_image(slide_image(OfficePackage(upload.content), number)), None
    if kind != "pdf":
        raise no_picture()
    return _pdf_picture(upload.content, number, mark, anchor)


def no_picture() -> FileRefused:
    """Refusal for pages that cannot be drawn here."""
    return FileRefused(
        gettext("There is no picture of this page."), next_step=gettext("Read its text, or open the original.")
    )


def _pdf_picture(content: bytes, number: int, mark: str, anchor: str) -> tuple[Readable, float | None]:
    from pypdfium2 import PdfiumError

    document = open_pdf(content)
    if anchor:
        number = page_with(document, mark) or page_with(document, anchor) or 1
    if not 1 <= number <= len(document):
        raise no_picture()
    try:
        page = document[number - 1]
    except PdfiumError:
        raise no_picture() from None
    height = page.get_height()
    scale = LONGEST_EDGE / max(page.get_width(), height, 1)
    drawn = page.render(scale=scale, may_draw_forms=True).to_pil().convert("RGB")
    boxes = passage_boxes(page, mark) if mark else []
    if boxes:
        _highlight(drawn, boxes, scale)
    top = min((box.top for box in boxes), default=None)
    return _written(drawn), None if top is None else min(1.0, max(0.0, top / height))


def _highlight(drawn: "Image", boxes: Sequence[Box], scale: float) -> None:
    """Lay a see-through stripe over each line of the passage, as a text marker does; on a dark page, a light one."""
    from PIL import Image, ImageChops, ImageStat

    for box in boxes:
        left, top = max(0, int(box.left * scale) - 2), max(0, int(box.top * scale) - 1)
        right, bottom = min(drawn.width, int(box.right * scale) + 3), min(drawn.height, int(box.bottom * scale) + 2)
        if left >= right or top >= bottom:
            continue
        line = drawn.crop((left, top, right, bottom))
        stripe = Image.new("RGB", line.size, _MARK)
        is_dark = ImageStat.Stat(line.convert("L")).median[0] < _DARK
        drawn.paste(Image.blend(line, stripe, 0.4) if is_dark else ImageChops.multiply(line, stripe), (left, top))


def _written(drawn: "Image") -> Readable:
    sharp = io.BytesIO()
    drawn.save(sharp, "PNG")
    media_type = "image/png"
    if sharp.tell() > _LARGEST_PNG:
        sharp = io.BytesIO()
        drawn.save(sharp, "JPEG", quality=85)
        media_type = "image/jpeg"
    tokens = max(1, drawn.width * drawn.height // image.PIXELS_OF_TOKEN)
    return Readable(kind="image", content=sharp.getvalue(), media_type=media_type, tokens=tokens)
