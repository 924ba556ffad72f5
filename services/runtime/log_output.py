"""Output of a serving process as JSON lines: what libraries log and print, and errors that nobody caught."""

import json
import logging
import sys
import threading
from datetime import UTC, datetime
from typing import Any, TextIO

from services.runtime.logs import JsonLines, Redaction, error_location, secrets_of
from services.settings import Settings

log = logging.getLogger(__name__)

_TRACEBACK = "Traceback (most recent call last):"
_BETWEEN = ("The above exception was", "During handling of")


class JsonOutput:
    """Stream that passes JSON lines on, and writes every other line as one.

    A traceback becomes a line with the type of its error and the last place, without the error's words. A traceback is
    printed in several writes, each of which holds a line or the whole text of the error, whatever lines that has.
    process: whose output it is, named in each line; "" for this one's own.
    """

    def __init__(self, raw: TextIO, redaction: Redaction, *, process: str = "") -> None:
        self.raw, self._redaction = raw, redaction
        self._named = {"process": process} if process else {}
        self._lock = threading.RLock()
        self._begun, self._place = "", ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)

    def write(self, text: str) -> int:
        with self._lock:
            before, mark, trace = text.partition(_TRACEBACK)
            if mark or self._place:
                self._write_lines(before if mark else "")
                self._read_trace(trace if mark else text)
            else:
                self._write_lines(text)
        return len(text)

    def flush(self) -> None:
        self.raw.flush()

    def _read_trace(self, text: str) -> None:
        """Follow a traceback to the line that names its error; what comes after it in this write are its words."""
        self._place = self._place or "?"
        for line in text.splitlines():
            if line.startswith('  File "'):
                self._place = line.strip().removeprefix("File ")
            elif line and not line.startswith((" ", _TRACEBACK, *_BETWEEN)):
                name = line.partition(":")[0].rpartition(".")[2]
                self._emit("error", {"event": "uncaught_error", "at": f"{name}@{self._place}"})
                self._place = ""
                return

    def _write_lines(self, text: str) -> None:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            if (written := _json_object(line)) is not None:
                self.raw.write(_line({**written, **self._named}) if self._named else f"{line}\n")
            elif line.strip():
                self._emit("info", {"message": self._redaction.redacted(line.rstrip())})

    def _emit(self, level: str, told: dict[str, str]) -> None:
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.raw.write(_line({**told, "time": time, "level": level, "logger": "output", **self._named}))
        self.raw.flush()


def _line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _json_object(line: str) -> dict[str, Any] | None:
    """A line that is a JSON object, as our own log writes them."""
    if not line.startswith("{"):
        return None
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def take_over(settings: Settings) -> None:
    """Let this process print JSON lines only, where the settings ask for them; for one that serves. Safe to repeat."""
    if settings.operations.log_format != "json" or isinstance(sys.stderr, JsonOutput):
        return
    redaction = Redaction(secrets_of(settings))
    logger_names = [None, *logging.root.manager.loggerDict]
    for handler in (handler for name in logger_names for handler in logging.getLogger(name).handlers):
        if isinstance(handler, logging.StreamHandler) and not isinstance(handler.formatter, JsonLines):
            _write_json(handler, redaction)
    # What has no handler of its own, such as asyncio, would be printed by the last resort of `logging`.
    last = logging.StreamHandler(sys.stderr)
    _write_json(last, redaction)
    logging.root.addHandler(last)
    sys.excepthook = lambda kind, error, trace: _note_uncaught(error)
    threading.excepthook = lambda args: _note_uncaught(args.exc_value)
    sys.unraisablehook = lambda args: _note_uncaught(args.exc_value)
    sys.stderr, sys.stdout = JsonOutput(sys.stderr, redaction), JsonOutput(sys.stdout, redaction)


def _write_json(handler: logging.Handler, redaction: Redaction) -> None:
    handler.setFormatter(JsonLines())
    handler.addFilter(redaction)


def _note_uncaught(error: BaseException | None) -> None:
    if isinstance(error, Exception):
        log.error("uncaught_error at=%s", error_location(error))
