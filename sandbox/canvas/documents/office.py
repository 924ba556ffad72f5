"""What slides and Word files have in common: packages with the same bytes each time, and core properties."""

import io
import zipfile
from datetime import UTC, datetime
from typing import Any

from sandbox.canvas.documents.source import Source

PACKED = (2025, 1, 1, 0, 0, 0)


def described(properties: Any, source: Source) -> None:
    """Write title, author and dates into a package's core properties."""
    properties.title, properties.author, properties.subject = source.title, source.author, source.subtitle
    properties.language = source.head.get("language", "en")
    properties.created = properties.modified = datetime(*PACKED, tzinfo=UTC)
    properties.last_modified_by, properties.revision = source.author, 3


def repacked(package: bytes) -> bytes:
    """The same package with fixed dates, so that its bytes do not depend on the hour."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name, PACKED), old.read(name), zipfile.ZIP_DEFLATED)
    return file.getvalue()
