"""`RosterClient`: who is in a course, as the school's system lists it (LTI Names and Role Provisioning 2.0)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from pydantic_core import from_json

from services.classes.lti import claim_names as names
from services.classes.lti.course_roles import CourseStanding, course_standing
from services.classes.lti.launch import LONGEST_EMAIL, LONGEST_ID, LONGEST_NAME
from services.classes.lti.platform import LtiPlatform, origin_of
from services.classes.lti.platforms import LtiPlatforms
from services.classes.lti.tool_keys import ToolKeys
from services.errors import AnswerUnreadable, PermissionMissing, ServiceUnavailable, TooLarge
from services.i18n import gettext
from services.runtime.deadline import Deadline
from services.safety.fetch import FetchedPage, SafeFetch
from services.safety.text import one_line

LIMIT_BYTES = 4_000_000
TIMEOUT_S = 15.0
TOTAL_S = 60.0
"""For a whole list: somebody waits for it on the page, however slowly each part comes."""
MOST_PAGES = 100
MOST_PEOPLE = 5_000
_REFUSALS = (400, 401, 403)
"""Statuses by which a token endpoint refuses the client, its key or the scope (RFC 6749, 5.2)."""
_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_NEXT = re.compile(r'<([^<>]+)>\s*;[^,<]*\brel\s*=\s*"?next"?', re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class ListedPerson:
    """Member of a course. subject: their id at the issuer. email, name: "" where the school's system keeps it."""

    subject: str = field(repr=False)
    email: str = field(repr=False)
    standing: CourseStanding
    name: str = field(default="", repr=False)

    @property
    def is_teaching(self) -> bool:
        return self.standing is CourseStanding.TEACHES

    @property
    def is_joining(self) -> bool:
        """Whether the list lets them into the class: observers, designers and the like come by a launch."""
        return self.standing in (CourseStanding.LEARNS, CourseStanding.UNSAID)

    @property
    def teaches_no_more(self) -> bool:
        """Whether the list says that they are in the course as something else than its teacher."""
        return self.standing in (CourseStanding.LEARNS, CourseStanding.LOOKS_ON)


class RosterClient:
    def __init__(self, fetch: SafeFetch, keys: ToolKeys, platforms: LtiPlatforms) -> None:
        self._fetch, self._keys, self._platforms = fetch, keys, platforms

    def people(self, platform: LtiPlatform, memberships_url: str) -> Sequence[ListedPerson]:
        """Everybody who is active in a course, all pages. Raises `ServiceError`; a part of a list is never given."""
        deadline = Deadline(TOTAL_S)
        token, address = self._access_token(platform), course_level(memberships_url)
        found: dict[str, ListedPerson] = {}
        seen: set[str] = set()
        while address:
            if len(seen) >= MOST_PAGES or len(found) > MOST_PEOPLE or address in seen:
                raise TooLarge(platform.name, gettext("The list of this course is too long to read."))
            if not deadline.remaining_s():
                raise ServiceUnavailable(
                    platform.name, gettext("{system} did not give the list.", system=platform.name)
                )
            seen.add(address)
            page = self._get(platform, address, token)
            found |= {person.subject: person for person in _people_of(platform, page)}
            address = _next_page(platform, page, address)
        return list(found.values())

    def _access_token(self, platform: LtiPlatform) -> str:
        """A token for names and roles (Security Framework 1.0, section 4.1), asked for with a signed assertion."""
        assertion = self._keys.sign(
            {
                "iss": platform.client_id,
                "sub": platform.client_id,
                "aud": platform.audience or platform.token_url,
            }
        )
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": _ASSERTION,
            "client_assertion": assertion,
            "scope": names.ROSTER_SCOPE,
        }
        page = self._fetch.once(
            "POST",
            platform.token_url,
            headers={"accept": "application/json", "content-type": "application/x-www-form-urlencoded"},
            body=urlencode(form).encode(),
            limit_bytes=LIMIT_BYTES,
            timeout_s=TIMEOUT_S,
        )
        if page.status in _REFUSALS:
            raise PermissionMissing(
                platform.name,
                gettext("{system} does not let Homeroom read the list of this course.", system=platform.name),
                next_step=gettext("Ask whoever looks after it to allow Homeroom names and roles."),
            )
        if not page.is_good:
            raise ServiceUnavailable(platform.name, gettext("{system} did not give the list.", system=platform.name))
        token = _object(platform, page).get("access_token")
        if not isinstance(token, str) or not token or not token.isascii() or not token.isprintable() or " " in token:
            raise _unreadable(platform)
        return token

    def _get(self, platform: LtiPlatform, address: str, token: str) -> FetchedPage:
        if not self._platforms.is_reachable_address(address):
            raise AnswerUnreadable(platform.name, gettext("{system} names no usable list.", system=platform.name))
        headers = {"accept": names.ROSTER_MEDIA_TYPE, "authorization": f"Bearer {token}"}
        page = self._fetch.once("GET", address, headers=headers, limit_bytes=LIMIT_BYTES, timeout_s=TIMEOUT_S)
        if page.status in (401, 403):
            raise PermissionMissing(
                platform.name,
                gettext("{system} does not let Homeroom read the list of this course.", system=platform.name),
                next_step=gettext("Ask whoever looks after it to allow Homeroom names and roles."),
            )
        if not page.is_good:
            raise ServiceUnavailable(platform.name, gettext("{system} did not give the list.", system=platform.name))
        return page


def course_level(memberships_url: str) -> str:
    """The address of the whole course's list: without `rlid`, which asks for who may open one link alone."""
    parts = urlsplit(memberships_url)
    kept = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] != "rlid"]
    return urlunsplit(parts._replace(query=urlencode(kept), fragment=""))


def _people_of(platform: LtiPlatform, page: FetchedPage) -> Sequence[ListedPerson]:
    """The members of a page; raises `AnswerUnreadable` for what is no membership container (NRPS 2.0, section 2.2)."""
    container = _object(platform, page)
    listed = container.get("members")
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        raise _unreadable(platform)
    # An empty list tells of itself at least what it is of; one of people has somebody with an id.
    marks = [entry.get("user_id") for entry in listed] or [container.get("id"), container.get("context")]
    if not any(mark and isinstance(mark, str | dict) for mark in marks):
        raise _unreadable(platform)
    people = (_person(entry) for entry in listed)
    return [person for person in people if person is not None]


def _person(entry: object) -> ListedPerson | None:
    """One member; None for who is not active, and for an entry without an id."""
    if not isinstance(entry, dict) or entry.get("status", "Active") != "Active":
        return None
    subject, email = entry.get("user_id"), entry.get("email")
    if not isinstance(subject, str) or not subject.strip() or len(subject) > LONGEST_ID:
        return None
    address = email.strip() if isinstance(email, str) and len(email) <= LONGEST_EMAIL else ""
    standing = course_standing(entry.get("roles"))
    return ListedPerson(subject=subject, email=address, standing=standing, name=_name(entry))


def _name(entry: Mapping[str, Any]) -> str:
    """Name of a member, in whole or from its parts; "" for one without."""
    parts = [entry.get(part) for part in ("given_name", "family_name")]
    whole = entry.get("name")
    words = one_line(whole, LONGEST_NAME) if isinstance(whole, str) else ""
    return words or one_line(" ".join(part for part in parts if isinstance(part, str)), LONGEST_NAME)


def _next_page(platform: LtiPlatform, page: FetchedPage, address: str) -> str:
    """Address of the next page, "" after the last one; the token goes to no other host."""
    found = _NEXT.search(page.headers.get("link", ""))
    if found is None:
        return ""
    following: str = urljoin(address, found[1])
    if origin_of(following) != origin_of(address):
        raise _unreadable(platform)
    return following


def _object(platform: LtiPlatform, page: FetchedPage) -> Mapping[str, Any]:
    try:
        found = from_json(page.body)
    except ValueError:
        raise _unreadable(platform) from None
    if not isinstance(found, dict):
        raise _unreadable(platform)
    return found


def _unreadable(platform: LtiPlatform) -> AnswerUnreadable:
    return AnswerUnreadable(
        platform.name, gettext("{system} answered with something that is no list.", system=platform.name)
    )
