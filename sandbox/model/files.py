"""Documents and images in a request: refused as the API refuses them, and read as far as the demo model reads.

Sources: https://docs.claude.com/en/docs/build-with-claude/pdf-support and …/vision.
"""

import base64
import binascii
import io
import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sandbox.model.errors import refusal

Block = Mapping[str, Any]

LARGEST_IMAGE = 5 * 1024 * 1024
"""Of its base64."""
LONGEST_SIDE = 8_000
LONGEST_SIDE_OF_MANY = 2_000
MANY_IMAGES = 20
MOST_IMAGES = 100
MOST_PAGES = 100
LONGEST_TITLE = 500
IMAGE_TYPES = ("image/gif", "image/jpeg", "image/png", "image/webp")
TOKENS_OF_PAGE = 1_500
KEPT = 16
KEYS = {
    "base64": {"type", "media_type", "data"},
    "text": {"type", "media_type", "data"},
    "url": {"type", "url"},
    "file": {"type", "file_id"},
    "content": {"type", "content"},
}
TAKEN = {"image": ("base64", "file", "url"), "document": ("base64", "content", "file", "text", "url")}


@dataclass(frozen=True, kw_only=True)
class ReadFile:
    """kind: "PDF", "text" or "image". pages: the text of each page, one for a text. size: width and height."""

    kind: str
    name: str
    pages: tuple[str, ...] = ()
    size: tuple[int, int] = (0, 0)

    @property
    def text(self) -> str:
        return "\n".join(self.pages)


def check_file(path: str, block: Block) -> None:
    """Check an image's or a document's source, title and context."""
    kind, source = block["type"], block["source"]
    where = f"{path}.{kind}.source"
    tag = source.get("type")
    if tag not in TAKEN[kind]:
        expected = ", ".join(f"'{name}'" for name in TAKEN[kind])
        raise refusal(
            f"{where}: Input tag '{tag}' found using 'type' does not match any of the expected tags: {expected}"
        )
    for key in KEYS[tag]:
        if key not in source:
            raise refusal(f"{where}.{tag}.{key}: Field required")
    for key in source:
        if key not in KEYS[tag]:
            raise refusal(f"{where}.{tag}.{key}: Extra inputs are not permitted")
    if tag in ("url", "file", "content"):
        raise refusal(f"{where}.{tag}: the demo model reads base64 and text only")
    for key in ("title", "context"):
        if not isinstance(block.get(key, ""), str):
            raise refusal(f"{path}.{kind}.{key}: Input should be a valid string")
    if len(block.get("title", "")) > LONGEST_TITLE:
        raise refusal(f"{path}.document.title: String should have at most {LONGEST_TITLE} characters")
    _check_source(f"{where}.{tag}", kind, source)


def check_counts(messages: Any) -> None:
    """Check the numbers of images and pages against what one request may have."""
    images = [block for block in _blocks(messages) if block["type"] == "image"]
    if len(images) > MOST_IMAGES:
        raise refusal(f"messages: too many images and documents: {len(images)} > {MOST_IMAGES}")
    longest = LONGEST_SIDE_OF_MANY if len(images) > MANY_IMAGES else LONGEST_SIDE
    if any(max(_image_size(block["source"]["data"])) > longest for block in images):
        raise refusal(f"At least one of the image dimensions exceed max allowed size: {longest} pixels")
    pages = sum(len(_pdf_pages(b["source"]["data"])) for b in _blocks(messages) if _is_pdf(b))
    if pages > MOST_PAGES:
        raise refusal(f"A maximum of {MOST_PAGES} PDF pages may be provided.")


def look_into(body: Mapping[str, Any]) -> None:
    """Read the files of a request ahead, on a thread of its own: a long PDF would hold everybody else up."""
    messages = body.get("messages")
    for message in messages if isinstance(messages, list) else []:
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else []:
            source = block.get("source") if isinstance(block, dict) else None
            if isinstance(source, dict) and source.get("media_type") == "application/pdf":
                _pdf_pages(str(source.get("data")))


def tokens_of_file(block: Block) -> int:
    """An estimate: a picture of each page and its text, or the picture's area."""
    read = read_file(block)
    if read.kind == "image":
        shrunk = min(1.0, 1_568 / max(read.size))
        return max(1, math.ceil(read.size[0] * read.size[1] * shrunk * shrunk / 750))
    pictures = TOKENS_OF_PAGE * len(read.pages) if read.kind == "PDF" else 0
    return pictures + max(1, len(read.text) // 4)


def read_file(block: Block) -> ReadFile:
    """Content of a checked block."""
    source, name = block["source"], block.get("title", "")
    if block["type"] == "image":
        return ReadFile(kind="image", name=name, size=_image_size(source["data"]))
    if source["type"] == "text":
        return ReadFile(kind="text", name=name, pages=(source["data"],))
    return ReadFile(kind="PDF", name=name, pages=_pdf_pages(source["data"]))


def _check_source(where: str, kind: str, source: Block) -> None:
    media_type, data = source["media_type"], source["data"]
    wanted = IMAGE_TYPES if kind == "image" else ("application/pdf",) if source["type"] == "base64" else ("text/plain",)
    if media_type not in wanted:
        expected = " or ".join(f"'{kind}'" for kind in wanted)
        raise refusal(f"{where}.media_type: Input should be {expected}")
    if not isinstance(data, str):
        raise refusal(f"{where}.data: Input should be a valid string")
    if source["type"] == "text":
        if not data.strip():
            raise refusal(f"{where}.data: String should have at least 1 character")
        return
    _check_base64(where, data)
    if kind == "document" and not _pdf_pages(data):
        raise refusal(f"{where}.data: The PDF specified was not valid.")
    if kind == "image":
        _check_image(where, media_type, data)


def _check_base64(where: str, data: str) -> None:
    try:
        empty = not base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise refusal(f"{where}.data: Invalid base64 data") from None
    if empty:
        raise refusal(f"{where}.data: cannot be empty")


def _check_image(where: str, media_type: str, data: str) -> None:
    if len(data) > LARGEST_IMAGE:
        raise refusal(f"{where}: image exceeds 5 MB maximum: {len(data)} bytes > {LARGEST_IMAGE} bytes")
    found = _image(data)
    if found is None:
        raise refusal(f"{where}.data: Could not process image")
    if found[0] != media_type:
        raise refusal(
            f"{where}: The image was specified using the {media_type} media type, "
            f"but the image appears to be a {found[0]} image"
        )


def _blocks(messages: Any) -> Iterator[Block]:
    for message in messages:
        content = message["content"]
        yield from (b for b in content if not isinstance(content, str) and b["type"] in ("image", "document"))


def _is_pdf(block: Block) -> bool:
    return block["type"] == "document" and block["source"]["type"] == "base64"


def _image_size(data: str) -> tuple[int, int]:
    found = _image(data)
    return found[1] if found else (0, 0)


@lru_cache(maxsize=KEPT)
def _image(data: str) -> tuple[str, tuple[int, int]] | None:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(base64.b64decode(data))) as image:
                return f"image/{(image.format or '').lower()}", image.size
    except (OSError, ValueError, SyntaxError):
        return None


@lru_cache(maxsize=KEPT)
def _pdf_pages(data: str) -> tuple[str, ...]:
    """The text of each page; none at all for what cannot be opened."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(base64.b64decode(data)))
        return tuple(page.extract_text() for page in reader.pages)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError):
        return ()
