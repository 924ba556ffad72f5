"""Errors of Notion's API, and of requests without an answer, as typed errors of `services.errors`."""

import json
from typing import Any

import httpx
from notion_client.errors import HTTPResponseError, NotionClientErrorBase

from services.connections.backoff import throttled
from services.errors import (
    ChangedElsewhere,
    ItemNotFound,
    OutcomeUnknown,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    Throttled,
)
from services.i18n import gettext, gettext_noop
from services.runtime.clock import utc_now
from services.runtime.retry_after import retry_after_s

LABEL = "Notion"

SHARE = gettext_noop(
    "In Notion, open the page, choose ••• and then Connections, and add Homeroom; or reconnect Notion on the "
    "Connections page and choose the pages to share."
)


class NotionUnanswered(ServiceUnavailable):
    """No usable answer came to a request that went out: it may or may not have taken effect."""


class NotionConflict(ServiceUnavailable):
    """Notion refused a write because of another one at the same time: nothing was written."""


class NotionGone(ItemNotFound):
    """It lies in Notion's trash, or is not shared any more."""


def response_error(error: HTTPResponseError) -> ServiceError:
    """Error for an answer with an error status (https://developers.notion.com/reference/status-codes)."""
    match error.status:
        case 401:
            return reconnect_error()
        case 403:
            return PermissionMissing(
                LABEL,
                gettext("Homeroom may not do this in Notion."),
                next_step=gettext("Reconnect Notion on the Connections page and allow reading and adding content."),
            )
        case 404:
            return not_shared_error()
        case 409:
            return busy_error()
        case 429:
            return _throttled(error.headers.get("retry-after", ""))
    if error.status == 400 and "archived" in str(error.body):
        return gone_error()
    if error.status >= 500:
        return NotionUnanswered(LABEL, gettext("Notion is having trouble right now."))
    if error.status < 400:
        return NotionUnanswered(LABEL, gettext("Notion sent us to another address instead of answering."))
    return RequestRefused(
        LABEL, gettext("Notion did not accept this ({reason}).", reason=error_code(error) or gettext("no reason given"))
    )


def no_response_error(error: Exception) -> ServiceUnavailable:
    """Error for a request without a usable answer."""
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return ServiceUnavailable(LABEL, gettext("Notion cannot be reached."))
    if isinstance(error, NotionClientErrorBase):
        return NotionUnanswered(LABEL, gettext("Notion did not answer in time."))
    if isinstance(error, httpx.HTTPError):
        return NotionUnanswered(LABEL, gettext("Notion's answer broke off."))
    return NotionUnanswered(LABEL, gettext("Notion is in maintenance: it sent a web page instead of data."))


def unreadable_error() -> NotionUnanswered:
    return NotionUnanswered(LABEL, gettext("Notion sent an answer that cannot be read."))


def deadline_error() -> ServiceUnavailable:
    """Error for a request that was not sent, because the deadline of its call had passed."""
    return ServiceUnavailable(LABEL, gettext("Notion did not answer in time."))


def reconnect_error() -> ReconnectRequired:
    return ReconnectRequired(
        LABEL,
        gettext("Notion no longer accepts this connection."),
        next_step=gettext(
            "Open Connections and reconnect Notion. It happens when Homeroom was removed from the workspace."
        ),
    )


def not_shared_error() -> ItemNotFound:
    return ItemNotFound(
        LABEL, gettext("Notion has no such page, or it is not shared with Homeroom."), next_step=gettext(SHARE)
    )


def gone_error() -> ItemNotFound:
    """Error for what a write was to go to, which was there when its card was made."""
    return NotionGone(
        LABEL,
        gettext("This is in Notion's trash by now, or not shared with Homeroom any more, so nothing was written."),
        next_step=gettext("Ask for it again and name another place, or put this back in Notion first."),
    )


def busy_error() -> NotionConflict:
    return NotionConflict(LABEL, gettext("Notion is busy with another change to the same page; nothing was written."))


def changed_error(what: str) -> ChangedElsewhere:
    return ChangedElsewhere(
        LABEL, gettext("{what} in Notion after the card was made, so nothing was written.", what=gettext(what))
    )


def undo_refused_error() -> ChangedElsewhere:
    return ChangedElsewhere(LABEL, gettext("This was changed in Notion since, so it stays as it is."))


def unknown_outcome_error(done: str) -> OutcomeUnknown:
    return OutcomeUnknown(
        LABEL,
        gettext("Notion did not confirm that {done}, and looking there did not settle it.", done=gettext(done)),
        next_step=gettext("Please look in Notion before trying again."),
    )


def error_code(error: HTTPResponseError) -> str:
    """Machine-readable code of an error answer: `code` of the API, or `error` of the OAuth endpoints."""
    try:
        body: Any = json.loads(error.body)
    except (ValueError, RecursionError):
        return ""
    found = (body.get("error") or body.get("code")) if isinstance(body, dict) else ""
    return found[:60] if isinstance(found, str) else ""


def _throttled(retry_after: str) -> Throttled:
    return throttled(LABEL, retry_after_s(retry_after, utc_now()))
