"""Secret files: secrets that a demo makes for itself and keeps in its data directory."""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from services.errors import SettingsError


def secret_file(path: Path, make: Callable[[], str], *, is_sound: Callable[[str], bool] = bool) -> str:
    """The text of a secret file with mode 0600, made once; two processes that start together agree on one.

    Raises `SettingsError` when it can neither be read nor made, or is not sound; what is there is never replaced.
    """
    try:
        if not path.exists():
            _write(path, make())
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        remedy = f"Look at {path}: let the user that runs Homeroom read and write it, or bring back a copy."
        raise _unusable(path, reason or type(error).__name__, remedy) from None
    if not is_sound(text):
        remedy = f"Bring back a copy of {path}. Without one, move it away: a new one is made, which opens nothing old."
        raise _unusable(path, "what is in it is none", remedy)
    return text


def _unusable(path: Path, reason: str, remedy: str) -> SettingsError:
    return SettingsError("HOMEROOM_DATA_DIR", f"has a {path.name} that cannot be used ({reason}).", next_step=remedy)


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
