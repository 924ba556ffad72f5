"""`PdfConverter`: turns slides and Word files into PDFs with LibreOffice where that is installed.

It runs for one file at a time, in a folder and a profile of its own that are deleted afterwards, without macros, links
that update, the network (where the system can take it away) and the app's settings; within limits of time, memory and
disk, after which it is ended with all that it started.
"""

import contextlib
import hashlib
import io
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import zipfile
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from services.errors import ServiceUnavailable
from services.files.documents.office.package import OfficePackage, damaged, is_inside
from services.files.upload import FileRefused
from services.i18n import gettext

LIMIT_S = 45.0
WAIT_S = 60.0
_MEMORY_KB = 3_000_000
"""Of address space, of which LibreOffice takes about a third before it opens anything."""
_DISK_BLOCKS = 400_000
"""Of 512 bytes, for one file that it writes."""
_MOST_KEPT = 64_000_000
"""Bytes of the PDFs that are kept for the next page of the same file."""
_FOLDERS = "homeroom-pages-"
_LEFT_OVER_S = 600.0
_LARGEST_COPY = 200_000_000
"""Bytes of all parts of a file's copy, unpacked."""
_LEFT_OUT = re.compile(
    r"(^|/)(embeddings|activeX|ctrlProps|customUI|externalLinks)/|\.(bin|exe|dll|vbs|js|html?)$", re.IGNORECASE
)
_ELSEWHERE = ("/Applications/LibreOffice.app/Contents/MacOS/soffice",)
_PATH = "/usr/local/bin:/usr/bin:/bin"
_EXPORTS = {
    "pptx": 'pdf:impress_pdf_Export:{"ExportHiddenSlides":{"type":"boolean","value":"true"}}',
    "docx": "pdf:writer_pdf_Export",
}
_OPTIONS = (
    ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Common/Load", "UpdateDocMode", "0"),
    ("Writer/Content/Update", "Link", "2"),
)
"""Source: https://opengrok.libreoffice.org/xref/core/officecfg/registry/schema/org/openoffice/Office/Common.xcs."""


class PdfConverter:
    """Converter with the PDFs that it made last. Thread-safe; one file at a time."""

    def __init__(self, program: str, *, limit_s: float = LIMIT_S) -> None:
        """program: path of `soffice`."""
        self._program, self._limit_s = program, limit_s
        self._turn = threading.Semaphore(1)
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def kept(self, digest: str) -> bytes | None:
        """The PDF that was made of a file, if it is still kept; digest: of the file (see `digest_of`)."""
        with self._lock:
            if digest in self._kept:
                self._kept.move_to_end(digest)
            return self._kept.get(digest)

    def convert(self, digest: str, content: bytes, ending: str) -> bytes:
        """The PDF of a printable copy. ending: "pptx" or "docx".

        Raises `FileRefused` where it cannot be made within the limits, `ServiceUnavailable` where others come first.
        """
        if not self._turn.acquire(timeout=WAIT_S):
            raise ServiceUnavailable("Homeroom", gettext("Many files are being read at the moment."))
        try:
            if (found := self.kept(digest)) is not None:
                return found
            made = self._convert(content, ending)
        finally:
            self._turn.release()
        with self._lock:
            self._kept[digest] = made
            while sum(map(len, self._kept.values())) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return made

    def _convert(self, content: bytes, ending: str) -> bytes:
        with tempfile.TemporaryDirectory(prefix=_FOLDERS, ignore_cleanup_errors=True) as name:
            folder = Path(name)
            (folder / "profile" / "user").mkdir(parents=True)
            (folder / "profile" / "user" / "registrymodifications.xcu").write_text(_profile(), encoding="utf-8")
            (folder / f"document.{ending}").write_bytes(content)
            self._run(folder, ending)
            made = folder / "document.pdf"
            if not made.is_file():
                raise _too_much()
            return made.read_bytes()

    def _run(self, folder: Path, ending: str) -> None:
        profile = (folder / "profile").as_uri()
        command = (
            *_without_network(),
            *("/bin/sh", "-c", _limits(self._limit_s), "sh", self._program, f"-env:UserInstallation={profile}"),
            *(
                "--headless",
                "--norestore",
                "--nologo",
                "--nodefault",
                "--nolockcheck",
                "--convert-to",
                _EXPORTS[ending],
            ),
            *("--outdir", str(folder), str(folder / f"document.{ending}")),
        )
        process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )
        try:
            process.wait(self._limit_s)
        except subprocess.TimeoutExpired:
            raise _too_much() from None
        finally:
            # Its helpers too, which stay in its session.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@cache
def pdf_converter() -> PdfConverter | None:
    """The converter of this app process; None where LibreOffice is not installed."""
    _delete_left_over()
    found = shutil.which("soffice") or next((path for path in _ELSEWHERE if Path(path).is_file()), None)
    return PdfConverter(found) if found else None


def printable_copy(package: OfficePackage) -> bytes:
    """The file's parts packed anew: pictures, fonts and pages that it names elsewhere are not fetched by anybody."""
    whole, size = io.BytesIO(), 0
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as copy:
        for name in package.names:
            if _LEFT_OUT.search(name):
                continue
            try:
                is_list = name.endswith(".rels")
                content = _without_outside(package, name) if is_list else package.bytes(name, largest=_LARGEST_COPY)
            except FileRefused:
                # A part that is torn may be one that nobody needs, such as a thumbnail.
                continue
            size += len(content)
            if size > _LARGEST_COPY:
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


def _delete_left_over() -> None:
    """Delete folders of app processes that were killed while they converted; those in use are younger."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDERS}*"):
        with contextlib.suppress(OSError):
            found = folder.stat()
            if time.time() - found.st_mtime > _LEFT_OVER_S and found.st_uid == os.getuid():
                shutil.rmtree(folder, ignore_errors=True)


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@cache
def _without_network() -> Sequence[str]:
    """Command before another one that takes the network away from it; nothing where the system does not allow it."""
    command = ("unshare", "--map-root-user", "--net")
    if not shutil.which(command[0]):
        return ()
    try:
        subprocess.run([*command, "true"], capture_output=True, check=True, timeout=10)  # noqa: S603 - our own
    except (OSError, subprocess.SubprocessError):
        return ()
    return command


def _limits(limit_s: float) -> str:
    """Shell commands; a system without one of the limits goes on without it."""
    limits = (("v", _MEMORY_KB), ("f", _DISK_BLOCKS), ("t", int(2 * limit_s)), ("c", 0))
    return " ".join(f"ulimit -{name} {value} 2>/dev/null;" for name, value in limits) + ' exec "$@"'


def _environment(folder: Path) -> dict[str, str]:
    nowhere = "http://127.0.0.1:9"
    return {
        "PATH": _PATH,
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "SAL_USE_VCLPLUGIN": "svp",
        "http_proxy": nowhere,
        "https_proxy": nowhere,
    }


def _profile() -> str:
    items = "".join(
        f'<item oor:path="/org.openoffice.Office.{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value>'
        "</prop></item>"
        for path, name, value in _OPTIONS
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry"'
        ' xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"{items}</oor:items>"
    )


def _too_much() -> FileRefused:
    return FileRefused(
        gettext("Turning this document into pictures takes too long."),
        next_step=gettext("Read its text, or open the original."),
    )
