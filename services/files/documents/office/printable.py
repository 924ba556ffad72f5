"""Printable copy of an Office file: without what reaches outside or runs, for the program that draws its pages."""

import io
import re
import zipfile

from services.files.documents.office.package import OfficePackage, damaged
from services.files.upload import FileRefused

_LARGEST = 200_000_000
"""Bytes of all parts of the copy, unpacked."""
_LEFT_OUT = re.compile(
    r"(^|/)(embeddings|activeX|ctrlProps|customUI|externalLinks)/|\.(bin|exe|dll|vbs|js|html?)$", re.I
)
_OUTSIDE = re.compile(
    rb"<Relationship\b[^>]*\bTargetMode\s*=\s*[\"']External[\"'][^>]*?(?:/>|>\s*</Relationship>)", re.I
)


def printable_copy(package: OfficePackage) -> bytes:
    """The file's parts packed anew: pictures, fonts and pages that it names elsewhere are not fetched by anybody."""
    whole, size = io.BytesIO(), 0
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as copy:
        for name in package.names:
            if _LEFT_OUT.search(name):
                continue
            try:
                content = package.bytes(name, largest=_LARGEST)
            except FileRefused:
                # A part that is torn may be one that nobody needs, as a thumbnail.
                continue
            size += len(content)
            if size > _LARGEST:
                raise damaged()
            copy.writestr(name, _OUTSIDE.sub(b"", content) if name.endswith(".rels") else content)
    return whole.getvalue()
