"""Content of what a course links to outside of Canvas: web pages, files, and public documents of Google."""

from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from services.errors import ItemNotFound, PermissionMissing, RequestRefused, ServiceError, ServiceUnavailable
from services.i18n import gettext, gettext_noop
from services.integrations.canvas.materials.addresses import export_address, is_google_host
from services.integrations.canvas.materials.download import FILE_LIMIT_BYTES, is_html, is_sign_in_address
from services.materials.source import MaterialContent
from services.safety.fetch import FetchedPage, SafeFetch

_TIMEOUT_S = 30.0
_OPEN_THERE = gettext_noop("Open the link in a browser instead.")
_OFFICE = "application/vnd.openxmlformats-officedocument"
_EXTENSIONS = {
    "application/pdf": ".pdf",
    f"{_OFFICE}.presentationml.presentation": ".pptx",
    f"{_OFFICE}.wordprocessingml.document": ".docx",
    f"{_OFFICE}.spreadsheetml.sheet": ".xlsx",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    "application/epub+zip": ".epub",
    "application/rtf": ".rtf",
    "text/rtf": ".rtf",
    "application/xhtml+xml": ".html",
    "text/html": ".html",
    "text/markdown": ".md",
    "text/plain": ".txt",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "image/gif": ".gif",
}


def fetch_link(address: str, fetch: SafeFetch) -> MaterialContent:
    """Fetch what a link leads to, through the guard and without any sign-in; documents of Google as their export.

    Raises `PermissionMissing` for what is not public, `ItemNotFound`, `TooLarge`, and `RequestRefused`, also for a host
    that does not answer: it is no sign that Canvas is away.
    """
    is_documents = is_google_host(address) or fetch.is_operator_origin(address)
    export = export_address(address) if is_documents else None
    try:
        page = fetch.get(export or address, limit_bytes=FILE_LIMIT_BYTES, timeout_s=_TIMEOUT_S)
    except ServiceUnavailable as away:
        raise RequestRefused(away.service, str(away), next_step=gettext(_OPEN_THERE)) from None
    if problem := _problem(page, is_export=export is not None):
        raise problem
    extension = _extension(page)
    # A page of another encoding says so in its own head, which is not true of its text any more: a mark goes before.
    content = b"\xef\xbb\xbf" + page.text.encode(errors="replace") if extension == ".html" else page.body
    return MaterialContent(name=f"link{extension}", content=content)


def _problem(page: FetchedPage, *, is_export: bool) -> ServiceError | None:
    host = urlsplit(page.url).hostname or ""
    came_to_sign_in = page.url != page.asked and is_html(page.body) and is_sign_in_address(page.url)
    if page.status in (401, 403) or came_to_sign_in:
        return PermissionMissing(host, _closed(is_export), next_step=gettext(_OPEN_THERE))
    if page.status in (404, 410):
        return ItemNotFound(
            host,
            gettext("Nothing is at this link any more."),
            next_step=gettext("Whoever teaches the course can mend it."),
        )
    if not page.is_good or (is_export and is_html(page.body)):
        return RequestRefused(
            host,
            gettext("{host} did not give out this document.", host=host),
            next_step=gettext(_OPEN_THERE),
        )
    return None


def _closed(is_export: bool) -> str:
    if is_export:
        return gettext("This document is not public: only people who are invited to it can open it.")
    return gettext("This link opens only for people who are signed in there.")


def _extension(page: FetchedPage) -> str:
    if page.body.startswith(b"%PDF-"):
        return ".pdf"
    known = _EXTENSIONS.get(page.media_type)
    if known and not (known == ".txt" and _suffix(page) in (".md", ".markdown")):
        return known
    return _suffix(page) or (".html" if is_html(page.body) else ".bin")


def _suffix(page: FetchedPage) -> str:
    suffix = PurePosixPath(unquote(urlsplit(page.url).path)).suffix.lower()
    return suffix if suffix.isascii() and suffix[1:].isalnum() and len(suffix) <= 6 else ""
