"""Lists that leave no trace: the account, its courses and the work that its calendar asks for."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.integrations.moodle import errors
from services.integrations.moodle.client import MoodleClient

_PAGE = 50
"""Moodle gives no more actions at once."""
_MOST_PAGES = 20


@dataclass(frozen=True, kw_only=True)
class MoodleAccount:
    """Account behind a token. functions: what this site's mobile service lets the token call."""

    id: int
    name: str
    functions: frozenset[str]


def read_account(client: MoodleClient) -> MoodleAccount:
    """Read whose token it is; raises the typed errors of `services.errors`."""
    body = client.read("core_webservice_get_site_info")
    id = body.get("userid") if isinstance(body, dict) else None
    if not isinstance(id, int) or id <= 0:
        raise errors.unreadable_answer()
    listed = body.get("functions")
    rows = listed if isinstance(listed, list) else []
    names = (row.get("name") for row in rows if isinstance(row, dict))
    return MoodleAccount(
        id=id,
        name=str(body.get("fullname") or ""),
        functions=frozenset(name for name in names if isinstance(name, str)),
    )


def read_course_rows(client: MoodleClient, account: MoodleAccount, now: datetime) -> list[dict[str, Any]]:
    """List the courses of an account.

    An account that must change its password or agree to a policy first is given an empty list, with no error. So an
    empty one is confirmed by a function that raises then.
    """
    rows = _rows(client.read("core_enrol_get_users_courses", userid=account.id, returnusercount=0))
    if not rows:
        _actions_page(client, int(now.timestamp()), 0)
    return rows


def read_action_rows(client: MoodleClient, since: datetime) -> list[dict[str, Any]]:
    """List what the calendar still asks of the student from a time on, in all courses; handed-in work is not in it."""
    return list(_action_rows(client, int(since.timestamp())))


def _action_rows(client: MoodleClient, since: int) -> Iterator[dict[str, Any]]:
    after, seen = 0, set[int]()
    for _ in range(_MOST_PAGES):
        page = _actions_page(client, since, after)
        fresh = [row for row in page if isinstance(row.get("id"), int) and row["id"] not in seen]
        yield from fresh
        if len(page) < _PAGE or not fresh:
            return
        seen.update(row["id"] for row in fresh)
        after = fresh[-1]["id"]
    raise errors.unreadable_answer()


def _actions_page(client: MoodleClient, since: int, after: int) -> list[dict[str, Any]]:
    name = "core_calendar_get_action_events_by_timesort"
    body = client.read(name, timesortfrom=since, limitnum=_PAGE, aftereventid=after)
    return _rows(body.get("events") if isinstance(body, dict) else None)


def _rows(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise errors.unreadable_answer()
    return value
