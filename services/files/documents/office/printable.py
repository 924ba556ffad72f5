"""Printable copy of an Office file: without what reaches outside or runs, for the program that draws its pages."""

import io
import re
import zipfile

from services.files.documents.office.package import OfficePackage, damaged, is_inside
from services.files.upload import FileRefused

_LARGEST = 200_000_000
"""Bytes of all parts of the copy, unpacked."""
_LEFT_OUT = re.compile(
    r"(^|/)(embeddings|activeX|ctrlProps|customUI|externalLinks)/|\.(bin|exe|dll|vbs|js|html?)$", re.IGNORECASE
)


def printable_copy(package: OfficePackage) -> bytes:
    """The file's parts packed anew: pictures, fonts and pages that it names elsewhere are not fetched by anybody."""
    whole, size = io.BytesIO(), 0
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as copy:
        for name in package.names:
            if _LEFT_OUT.search(name):
                continue
            try:
                is_list = name.endswith(".rels")
                content = _without_outside(package, name) if is_list else package.bytes(name, largest=_LARGEST)
            except FileRefused:
                # A part that is torn may be one that nobody needs, such as a thumbnail.
                continue
            size += len(content)
            if size > _LARGEST:
                raise damaged()
            copy.writestr(name, content)
    return whole.getvalue()


def _without_outside(package: OfficePackage, name: str) -> bytes:
    """A list of relations without those that lead outside."""
    from lxml import etree

    root = package.xml(name)
    if root is None:
        return b""
    for relation in list(root):
        if not is_inside(relation):
            root.remove(relation)
    return bytes(etree.tostring(root))
