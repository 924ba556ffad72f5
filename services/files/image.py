"""Image reader: re-encodes images in the size that the model sees, without metadata (places, hidden parts)."""

import io
import warnings
from typing import TYPE_CHECKING

from services.files.upload import FileRefused, Readable
from services.i18n import gettext, gettext_noop

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST_EDGE = 1_568
"""Pixels; the API would make a larger one smaller itself. Source: https://docs.claude.com/en/docs/build-with-claude/vision"""
MOST_PIXELS = 24_000_000
"""Pixels as they are unpacked, up to four bytes each; of a JPEG far fewer than it has."""
MOST_PASSES = 1_600_000_000
"""Pixels times scans of a JPEG: each scan goes over the whole picture again, in a hundred bytes of the file."""
_JPEG, _SCAN = b"\xff\xd8", b"\xff\xda"
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
PIXELS_OF_TOKEN = 750
_LARGEST_PNG = 1_500_000
"""Bytes above which a photo is kept as a JPEG; below, a PNG keeps small letters sharp."""
_ANEW = gettext_noop("Open it on your device, save it as a PNG or JPEG, and attach that.")


def read_image(content: bytes) -> Readable:
    """Re-encode the first picture of the file, upright, without metadata.

    Raises `FileRefused` for one that is damaged, of another kind, or too large to be unpacked.
    """
    # Imported where it is wanted: most messages bring no image.
    from PIL import UnidentifiedImageError
    from PIL.Image import DecompressionBombError, DecompressionBombWarning

    try:
        with warnings.catch_warnings():
            # Pillow's own guard, which only warns: the size is looked at before anything is unpacked.
            warnings.simplefilter("ignore", DecompressionBombWarning)
            image = _unpacked(content)
    except UnidentifiedImageError:
        raise FileRefused(
            gettext("This is not an image that can be opened, whatever its name says."), next_step=gettext(_ANEW)
        ) from None
    except DecompressionBombError:
        raise _too_large() from None
    except (OSError, ValueError, SyntaxError, EOFError, KeyError, IndexError, TypeError, AttributeError, MemoryError):
        # A damaged file breaks the reader in many ways.
        raise FileRefused(gettext("This image is damaged and cannot be opened."), next_step=gettext(_ANEW)) from None
    written, media_type = _written(image)
    tokens = max(1, image.width * image.height // PIXELS_OF_TOKEN)
    return Readable(kind="image", content=written, media_type=media_type, tokens=tokens)


def _unpacked(content: bytes) -> "Image":
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(content), formats=_FORMATS) as opened:
        scans = content.count(_SCAN) if content.startswith(_JPEG) else 1
        if opened.width * opened.height * scans > MOST_PASSES:
            raise _too_large()
        # Only a JPEG is unpacked in a smaller size at once, and only one that is large both ways.
        opened.draft("RGB", (LONGEST_EDGE, LONGEST_EDGE))
        if opened.width * opened.height > MOST_PIXELS:
            raise _too_large()
        is_clear = "A" in opened.getbands() or "transparency" in opened.info
        image: Image.Image = opened if opened.mode in ("RGB", "RGBA") else opened.convert("RGBA" if is_clear else "RGB")
        image.thumbnail((LONGEST_EDGE, LONGEST_EDGE), Image.Resampling.LANCZOS)
        turned: Image.Image = ImageOps.exif_transpose(image)
    turned.info = {}
    return turned


def _written(image: "Image") -> tuple[bytes, str]:
    """The same picture always gives the same bytes."""
    sharp = io.BytesIO()
    image.save(sharp, "PNG")
    if sharp.tell() <= _LARGEST_PNG:
        return sharp.getvalue(), "image/png"
    small = io.BytesIO()
    _on_white(image).save(small, "JPEG", quality=88)
    return small.getvalue(), "image/jpeg"


def _on_white(image: "Image") -> "Image":
    from PIL import Image

    if image.mode != "RGBA":
        return image
    ground = Image.new("RGB", image.size, "white")
    ground.paste(image, mask=image.getchannel("A"))
    return ground


def _too_large() -> FileRefused:
    return FileRefused(
        gettext("This image is too large to be unpacked."),
        next_step=gettext("Make it smaller, or attach the part you need."),
    )
