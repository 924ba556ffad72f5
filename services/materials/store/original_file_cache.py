"""`OriginalFileCache`: files as they were fetched, for the pictures of their pages, on the disk of this process.

Its files have no names, so that they end with the process however that ends, and nothing else opens them.
"""

import tempfile
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import IO
from weakref import finalize

from services.files.limits import MEGABYTE
from services.materials.material import Material
from services.materials.source import MaterialContent
from services.runtime.clock import Clock

MOST_BYTES = 200 * MEGABYTE
MOST_FILES = 48
LIFETIME = timedelta(minutes=30)

_Key = tuple[str, str, str]


@dataclass(frozen=True, kw_only=True)
class _CachedFile:
    name: str = field(repr=False)
    size: int
    until: datetime
    file: IO[bytes] = field(repr=False)


class OriginalFileCache:
    """LRU cache by student, material and version; one student is never given what another one fetched."""

    def __init__(self, clock: Clock, *, most_bytes: int = MOST_BYTES, most_files: int = MOST_FILES) -> None:
        self._clock, self._most_bytes, self._most_files = clock, most_bytes, most_files
        self._lock = threading.Lock()
        self._files: OrderedDict[_Key, _CachedFile] = OrderedDict()
        finalize(self, _close_all, self._files)

    def get(self, student_id: str, material: Material) -> MaterialContent | None:
        with self._lock:
            self._drop_old()
            key = _key(student_id, material)
            found = self._files.get(key)
            if found is None:
                return None
            self._files.move_to_end(key)
            found.file.seek(0)
            return MaterialContent(name=found.name, content=found.file.read())

    def put(self, student_id: str, material: Material, content: MaterialContent) -> None:
        """Keep a file for a while; what does not fit, or meets a full disk, is fetched anew when it is wanted."""
        size = len(content.content)
        if size > self._most_bytes // 4:
            return
        with suppress(OSError), self._lock:
            # Without a name in any folder: it is gone when it is closed, by a crash too.
            file = tempfile.TemporaryFile(prefix="homeroom-")  # noqa: SIM115 - closed when it leaves the cache
            file.write(content.content)
            file.flush()
            key = _key(student_id, material)
            self._close(key)
            self._files[key] = _CachedFile(name=content.name, size=size, until=self._clock() + LIFETIME, file=file)
            self._drop_old()
            while len(self._files) > self._most_files or self._size() > self._most_bytes:
                self._close(next(iter(self._files)))

    def drop(self, student_id: str, material: Material | None = None) -> None:
        """Forget what a student fetched, or one material of it."""
        wanted = _key(student_id, material) if material else (student_id,)
        with self._lock:
            for key in [key for key in self._files if key[: len(wanted)] == wanted]:
                self._close(key)

    def _size(self) -> int:
        return sum(file.size for file in self._files.values())

    def _drop_old(self) -> None:
        now = self._clock()
        for key in [key for key, file in self._files.items() if file.until <= now]:
            self._close(key)

    def _close(self, key: _Key) -> None:
        if found := self._files.pop(key, None):
            found.file.close()


def _close_all(files: OrderedDict[_Key, _CachedFile]) -> None:
    for found in files.values():
        found.file.close()


def _key(student_id: str, material: Material) -> _Key:
    return student_id, material.id, material.version
