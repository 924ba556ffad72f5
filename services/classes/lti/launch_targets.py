"""Targets: the pages of ours that a launch may open, and the addresses that deep links get."""

from urllib.parse import parse_qsl, urlencode, urlsplit

from services.navigation import CHAT_PAGE, CLASSROOM_PAGE, MATERIALS_PAGE, PAGE_PATHS, STUDY_PAGE
from services.settings import web_address

LAUNCH = "/lti/launch"
_PARAMETERS = {
    CHAT_PAGE.path: frozenset({"assistant", "guide"}),
    MATERIALS_PAGE.path: frozenset({"open", "page"}),
    STUDY_PAGE.path: frozenset({"quiz", "practise"}),
    CLASSROOM_PAGE.path: frozenset({"class", "view"}),
}
"""Parameters that a launch may bring to a page. Those of an OAuth return never: they would act for whoever launches."""
_DEFAULT_PORTS = {"http": 80, "https": 443}


def is_ours(address: str, public_url: str) -> bool:
    """Whether an address has the scheme, host and port of the public one; odd letters and users make it foreign."""
    given, own = web_address(address), web_address(public_url)
    if given is None or own is None:
        return False
    return (given.scheme, given.hostname, given.port or _DEFAULT_PORTS[given.scheme]) == (
        own.scheme,
        own.hostname,
        own.port or _DEFAULT_PORTS[own.scheme],
    )


def page_of(target: str) -> str:
    """Path and known parameters of the page that a target names; "" for the class's own beginning.

    target: an address of ours. What is no page of ours opens the class, too.
    """
    parts = urlsplit(target)
    path = parts.path.rstrip("/") or "/"
    known = _PARAMETERS.get(path, frozenset())
    kept = urlencode([(name, value) for name, value in parse_qsl(parts.query) if name in known])
    if path not in PAGE_PATHS or (path in (CHAT_PAGE.path, CLASSROOM_PAGE.path) and not kept):
        return ""
    return f"{path}?{kept}" if kept else path


def class_page(class_id: str) -> str:
    """Address of a class on the page Classroom."""
    return f"{CLASSROOM_PAGE.path}?{urlencode({'class': class_id})}"


def assistant_page(assistant_id: str) -> str:
    """Address of a new chat with an assistant."""
    return f"{CHAT_PAGE.path}?{urlencode({'assistant': assistant_id})}"


def reading_page(material_id: str) -> str:
    """Address of a material's first page in the reader."""
    return f"{MATERIALS_PAGE.path}?{urlencode({'open': material_id, 'page': 1})}"
