"""Packer: a material's text packed and indexed in a process of its own, because it keeps a CPU busy for long texts."""

import atexit
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from services.errors import ServiceUnavailable
from services.files.reader_process import AllBusy, ProcessEnded, ReaderProcesses, Record
from services.files.upload import OPEN_ORIGINAL, FileRefused, Upload
from services.i18n import gettext
from services.materials.material import MaterialPage, MaterialText, PageUnit
from services.materials.store.text_parts import PackedText, TextPart, pack_text

SHORT = 12_000
"""Characters of a text that is packed here: that takes some 5 ms, as long as another thread waits anyway."""
NICENESS = 5
LIMIT_S = 120.0


def pack(text: MaterialText) -> PackedText:
    """Pack a text, a long one never in this process; raises `FileRefused` for one that ends two processes, and
    `ServiceUnavailable` where the process stays busy.
    """
    if sum(len(page.text) + len(page.notes) for page in text.pages) <= SHORT:
        return pack_text(text)
    rows = [[page.number, page.label, page.text, page.notes, page.is_blank] for page in text.pages]
    packed = json.loads(_answer(Upload(name="", content=json.dumps(rows).encode())))
    parts = [TextPart(first=first, last=last, data=data) for first, last, data in packed["parts"]]
    empty = pack_text(replace(text, pages=()))
    return replace(empty, pages=len(rows), count=max(text.count, len(rows)), parts=parts, index=packed["index"])


def _answer(rows: Upload) -> bytes:
    for _ in range(2):
        try:
            return b"".join(content for _, content in _processes().records("pack", rows))
        except AllBusy:
            raise ServiceUnavailable("Homeroom", gettext("Many files are being read at the moment.")) from None
        except ProcessEnded as ended:
            # One that had packed other texts may have ended because of those.
            if ended.is_fresh:
                break
    raise FileRefused(
        gettext("This file takes too much memory or time to read."), next_step=gettext(OPEN_ORIGINAL)
    ) from None


def serve_pack(upload: Upload, _options: Mapping[str, Any]) -> Iterator[Record]:
    """Answer a request of `pack`, in its process."""
    pages = [
        MaterialPage(number=number, label=label, text=text, notes=notes, is_blank=is_blank)
        for number, label, text, notes, is_blank in json.loads(upload.content)
    ]
    packed = pack_text(MaterialText(unit=PageUnit.PAGE, pages=pages))
    parts = [[part.first, part.last, part.data] for part in packed.parts]
    yield {"end": True}, json.dumps({"parts": parts, "index": packed.index}).encode()


@cache
def _processes() -> ReaderProcesses:
    processes = ReaderProcesses(processes=1, niceness=NICENESS, limit_s=LIMIT_S, program="services.materials.ingestion")
    atexit.register(processes.close)
    return processes
