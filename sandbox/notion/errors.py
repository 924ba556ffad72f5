"""Notion's way of saying no (https://developers.notion.com/reference/status-codes)."""

import uuid

from starlette.responses import JSONResponse

from sandbox.refusals import Refused


def refused(status: int, code: str, message: str) -> Refused:
    """The refusal to raise."""
    body = {"object": "error", "status": status, "code": code, "message": message, "request_id": str(uuid.uuid4())}
    return Refused(JSONResponse(body, status))


def invalid(message: str) -> Refused:
    """400 validation_error."""
    return refused(400, "validation_error", message)


def not_found(what: str, object_id: str) -> Refused:
    """404: there is none, or the student has not shared it; Notion tells neither apart. `what` is "page", "block", …"""
    return refused(
        404,
        "object_not_found",
        f"Could not find {what} with ID: {object_id}. Make sure the relevant pages and databases are shared with your "
        'integration "Homeroom".',
    )
