"""Files that sources become: laid out when first asked for, then kept."""

from collections import OrderedDict
from threading import Lock

from sandbox.canvas.documents.source import Source

MOST_KEPT = 200
_kept: OrderedDict[str, bytes] = OrderedDict()
_lock = Lock()


def rendered(source: Source) -> bytes:
    """The bytes of a source's file; the same source always gives the same bytes."""
    mark = f"{source.key}/{source.digest}"
    with _lock:
        if mark not in _kept:
            _kept[mark] = _made(source)
            while len(_kept) > MOST_KEPT:
                _kept.popitem(last=False)
        _kept.move_to_end(mark)
        return _kept[mark]


def _made(source: Source) -> bytes:
    from sandbox.canvas.documents.pdf_slides import slides_pdf
    from sandbox.canvas.documents.pdf_text import text_pdf

    return slides_pdf(source) if source.style == "slides" else text_pdf(source)
