"""Image occlusion of Anki: the masks that a note has on its picture, drawn for one of its cards.

Source: https://docs.ankiweb.net/editing.html#image-occlusion and ts/routes/image-occlusion in Anki's repository.
"""

import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_MASK = re.compile(r"\{\{c([\d,]{1,60})::image-occlusion:([^{}]{1,20000})\}\}")
_PART = re.compile(r"(?<!\\):")
_MARK = "image-occlusion:"
_OF_ADD_ON = "question mask"
_MOST_MASKS, _MOST_POINTS, _FARTHEST = 300, 500, 4.0
_ASKED, _OTHER, _LINE = (255, 142, 142), (255, 235, 162), (33, 33, 33)
"""Colours of Anki."""
_ROUND = 64
"""Corners that an ellipse is drawn with."""

Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Mask:
    """Mask on a picture. numbers: of its cards. points: fractions of the picture's width and height, turned by `angle`
    degrees around the first of them. label: what is written in its place, of a text on the picture.
    """

    numbers: frozenset[int]
    points: tuple[Point, ...]
    pivot: Point = (0.0, 0.0)
    angle: float = 0.0
    hides_others: bool = False
    label: str = field(default="", repr=False)


def has_masks(fields: Mapping[str, str]) -> bool:
    """Whether a note is an image occlusion, by Anki itself or by its add-on, whose masks are pictures of their own."""
    return any(_MARK in text for text in fields.values()) or is_of_add_on(fields)


def is_of_add_on(fields: Mapping[str, str]) -> bool:
    return any(name.casefold() == _OF_ADD_ON for name in fields)


def without_masks(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields of a note without the one that has the masks."""
    return {name: "" if _MARK in text else text for name, text in fields.items()}


def read_masks(fields: Mapping[str, str]) -> list[Mask]:
    """The masks of a note; raises `ValueError` for one of another shape."""
    written = next((text for text in fields.values() if _MARK in text), "")
    masks = [_mask(numbers, shape) for numbers, shape in _MASK.findall(written)[: _MOST_MASKS + 1]]
    if len(masks) != written.count(_MARK) or len(masks) > _MOST_MASKS:
        raise ValueError("masks that cannot be read")
    return masks


def draw_masks(content: bytes, masks: Sequence[Mask], number: int, *, shows_answer: bool) -> bytes:
    """PNG of a picture as the card of this number shows it."""
    from PIL import Image, ImageDraw

    with Image.open(io.BytesIO(content)) as opened:
        image = opened.convert("RGB")
    draw = ImageDraw.Draw(image)
    for mask in masks:
        points = _pixels(mask, image.width, image.height)
        is_asked = number in mask.numbers
        if mask.label:
            draw.text(points[0], mask.label, fill=_LINE, stroke_width=2, stroke_fill=(255, 255, 255))
        elif is_asked and shows_answer:
            draw.polygon(points, outline=_ASKED, width=2)
        elif is_asked or mask.hides_others:
            draw.polygon(points, fill=_ASKED if is_asked else _OTHER, outline=_LINE)
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def _mask(numbers: str, shape: str) -> Mask:
    kind, *parts = _PART.split(shape)
    values = dict(part.partition("=")[::2] for part in parts)
    left, top = _number(values, "left"), _number(values, "top")
    label = ""
    match kind:
        case "rect":
            right, bottom = left + _number(values, "width"), top + _number(values, "height")
            points = [(left, top), (right, top), (right, bottom), (left, bottom)]
        case "ellipse":
            points = _ellipse(left, top, _number(values, "rx"), _number(values, "ry"))
        case "polygon":
            pairs = [pair.split(",") for pair in values.get("points", "").split()][:_MOST_POINTS]
            points = [(_bounded(x), _bounded(y)) for x, y in pairs]
        case "text":
            points, label = [(left, top)], values.get("text", "").replace("\\:", ":")[:200] or " "
        case _:
            raise ValueError(kind)
    if not label and len(points) < 3:
        raise ValueError("no area")
    return Mask(
        numbers=frozenset(int(number) for number in numbers.split(",") if 0 < len(number) < 10),
        points=tuple(points),
        pivot=(left, top),
        angle=float(values.get("angle") or 0) % 360,
        hides_others=values.get("oi") == "1",
        label=label,
    )


def _ellipse(left: float, top: float, rx: float, ry: float) -> list[Point]:
    turns = [2 * math.pi * number / _ROUND for number in range(_ROUND)]
    return [(left + rx + rx * math.cos(turn), top + ry + ry * math.sin(turn)) for turn in turns]


def _number(values: Mapping[str, str], name: str) -> float:
    return _bounded(values.get(name) or "0")


def _bounded(written: str) -> float:
    """A fraction; raises `ValueError` for what lies far outside of a picture, as pixels would."""
    value = float(written)
    if not -_FARTHEST <= value <= _FARTHEST:
        raise ValueError("no fraction")
    return value


def _pixels(mask: Mask, width: int, height: int) -> list[Point]:
    x0, y0 = mask.pivot[0] * width, mask.pivot[1] * height
    turn = math.radians(mask.angle)
    sine, cosine = math.sin(turn), math.cos(turn)
    places = [(x * width - x0, y * height - y0) for x, y in mask.points]
    return [(x0 + x * cosine - y * sine, y0 + x * sine + y * cosine) for x, y in places]
