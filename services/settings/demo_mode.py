"""Settings of demo mode: addresses of the campus beside it, secrets in files of their own, and the class of a demo."""

import errno
import json
import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from services.errors import SettingsError
from services.settings import lti_platforms

CLIENT_ID, CLIENT_SECRET = "homeroom", "homeroom-demo-secret"
ACCOUNTS = ("canvas", "google_calendar", "notion")
"""Integrations whose accounts the people of the campus have there."""
_MAIL_PORTS_BESIDE = 1000
_LAST_PORT = 65535


def mail_server(port: int) -> str:
    """Address of the campus's mail server, a thousand ports beside the app's."""
    is_below = port + _MAIL_PORTS_BESIDE <= _LAST_PORT
    return f"smtp://localhost:{port + _MAIL_PORTS_BESIDE if is_below else port - _MAIL_PORTS_BESIDE}"


def addresses(campus: str) -> dict[str, str]:
    """Addresses of the campus's services, and the clients that it knows; campus: "http://localhost:8501/sandbox"."""
    return {
        "HOMEROOM_INSTRUCTORS": "anne.okafor@campus.example",
        "HOMEROOM_OPERATORS": "anne.okafor@campus.example",
        "OIDC_METADATA_URL": f"{campus}/oidc/.well-known/openid-configuration",
        "OIDC_CLIENT_ID": CLIENT_ID,
        "OIDC_CLIENT_SECRET": CLIENT_SECRET,
        "CANVAS_BASE_URL": f"{campus}/canvas",
        "CANVAS_CLIENT_ID": CLIENT_ID,
        "CANVAS_CLIENT_SECRET": CLIENT_SECRET,
        "GOOGLE_API_BASE_URL": f"{campus}/google",
        "GOOGLE_CLIENT_ID": CLIENT_ID,
        "GOOGLE_CLIENT_SECRET": CLIENT_SECRET,
        "NOTION_API_BASE_URL": f"{campus}/notion",
        "NOTION_CLIENT_ID": CLIENT_ID,
        "NOTION_CLIENT_SECRET": CLIENT_SECRET,
        "GITHUB_API_BASE_URL": f"{campus}/github",
        "GITHUB_TOKEN": "homeroom-demo-github-token",
        "BIBLIOGRAPHY_DOI_URL": f"{campus}/web/doi",
        "BIBLIOGRAPHY_ISBN_URL": f"{campus}/web/openlibrary",
        "SEARCH_PROVIDER": "searxng",
        "SEARCH_BASE_URL": f"{campus}/web",
        "FEEDS_URLS": f"{campus}/web/feeds/campus-news.xml {campus}/web/feeds/library.atom",
        "CAMPUS_LINKS": json.dumps(_links(f"{campus}/web")),
        lti_platforms.VARIABLE: json.dumps([_lti_platform(f"{_other_name(campus) or campus}/lti")]),
    }


def origins(public_url: str) -> str:
    """Origins of the campus, separated by a space: its Canvas keeps files at the machine's other name."""
    return f"{public_url} {_other_name(public_url)}".strip()


def _other_name(address: str) -> str:
    """The same address under this machine's other name, which a browser takes for another site; "" elsewhere."""
    parts = urlsplit(address)
    other = {"localhost": "127.0.0.1", "127.0.0.1": "localhost"}.get(parts.hostname or "", "")
    return parts._replace(netloc=parts.netloc.replace(parts.hostname or "", other)).geturl() if other else ""


def _lti_platform(base: str) -> dict[str, object]:
    """The campus's Canvas as it launches Homeroom; its page "Tools of this school" shows the same ids."""
    shared = f"{base}/canvas/sso"
    return {
        "name": "Halvorsen (Canvas)",
        "issuer": f"{base}/canvas",
        "client_id": "170000000000042",
        "authorization_url": f"{shared}/api/lti/authorize_redirect",
        "token_url": f"{shared}/login/oauth2/token",
        "jwks_url": f"{shared}/api/lti/security/jwks",
        "deployments": ["7:6d16f42460bae9599d61887aa8b8cf9c4570ed3e"],
        "family": "canvas",
    }


def played(campus: str | None, environment: Mapping[str, str]) -> frozenset[str]:
    """The variables that lead to the campus because nobody set them; none without a campus."""
    leading = {name: value for name, value in addresses(campus).items() if campus in value} if campus else {}
    return frozenset(name for name, value in leading.items() if environment.get(name) == value)


def _links(web: str) -> list[dict[str, object]]:
    return [
        {
            "title": "Library hours",
            "url": f"{web}/library/hours",
            "note": "Opening times and group rooms",
            "topics": ["library", "rooms", "study"],
        },
        {
            "title": "How to cite",
            "url": f"{web}/library/citing",
            "note": "APA and MLA with examples",
            "topics": ["writing", "citation", "bibliography"],
        },
        {"title": "Study tips", "url": f"{web}/blog/study-tips", "topics": ["tutoring", "exams", "learning"]},
    ]


def secret_file(path: Path, make: Callable[[], str], *, is_sound: Callable[[str], bool] = bool) -> str:
    """The text of a secret file with mode 0600, made once; two processes that start together agree on one.

    Raises `SettingsError` when it can neither be read nor made, or is not sound; what is there is never replaced.
    """
    try:
        if not path.exists():
            _write(path, make())
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and (disk := disk_error(error, path.parent)):
            raise disk from None
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        remedy = f"Look at {path}: let the user that runs Homeroom read and write it, or bring back a copy."
        raise _unusable(path, reason or type(error).__name__, remedy) from None
    if not is_sound(text):
        remedy = f"Bring back a copy of {path}. Without one, move it away: a new one is made, which opens nothing old."
        raise _unusable(path, "what is in it is none", remedy)
    return text


def disk_error(error: OSError, folder: Path) -> SettingsError | None:
    """The error of a folder whose disk is full or cannot be written to; None when its disk is not to blame."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        remedy = f"Make room on the disk that holds {folder}, then start again. Nothing was changed."
        return SettingsError("HOMEROOM_DATA_DIR", "is on a disk that is full.", next_step=remedy)
    if error.errno == errno.EROFS:
        remedy = f"Mount the disk that holds {folder} for writing, or set another folder."
        return SettingsError("HOMEROOM_DATA_DIR", "is on a disk that can only be read.", next_step=remedy)
    return None


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


DEMO_CLASS = "HOMEROOM_DEMO_CLASS"
"""Set by `manage.py demo` alone: the id of the class that it has made."""
MATERIAL_VARIABLE = "HOMEROOM_DEMO_MATERIAL"
"""Set by `manage.py demo` alone: the page that the presenter's script opens, as `written_page` writes it."""
_RESET = "reset.wanted"


def written_page(material_id: str, number: int) -> str:
    """A page of a course material as a setting."""
    return f"{material_id} {number}"


def parse_page(written: str) -> tuple[str, int] | None:
    """Material and number of a page that `written_page` wrote; None for "", and for anything else."""
    material_id, _, number = written.rpartition(" ")
    return (material_id, int(number)) if material_id and number.isdecimal() else None


def want_reset(data_dir: Path) -> None:
    """Ask the program that runs this demo to begin anew; it looks some times a second."""
    (data_dir / _RESET).touch(mode=0o600)


def is_reset_wanted(data_dir: Path) -> bool:
    """Whether the presenter has asked for it; what is set back has not been asked for any more."""
    return (data_dir / _RESET).exists()
