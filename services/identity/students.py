"""Students: sign-in, profile and sessions; one document for each (issuer, subject), never keyed by e-mail."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from services.errors import BadArguments, DuplicateDocument, SignInRequired
from services.i18n import DEFAULT_LOCALE, LANGUAGES, gettext, negotiate_locale
from services.identity.browser_names import UNNAMED
from services.identity.sign_in_sessions import (
    SignInSession,
    Tombstones,
    is_session_over,
    newest_session,
    sessions_of,
    with_session_ended,
    with_session_seen,
)
from services.identity.time_zones import is_timezone
from services.identity.tool_switches import ALL_ON, ToolSwitches, switch_changes, switches_of
from services.identity.visits import PageVisits, visit_fields
from services.runtime.clock import Clock, stamp
from services.safety import consent as consents
from services.safety.consent import Consent, Terms, given_consent
from services.safety.text import one_line
from services.storage.documents import Document
from services.storage.records import record_reader
from services.storage.store import DocumentViews, Store

_OPENINGS = {"wrote_at": "opened_at", "visited_at": "opened_before"}  # Fields of the visits of the page Today.


@dataclass(frozen=True, kw_only=True)
class Student:
    """Person who signed in, as the provider last said; without a name, that of the e-mail address.

    timezone: an IANA name. locale: a BCP 47 tag, of a language that Homeroom speaks. is_email_verified: whether the
    provider vouches for the address. is_signed_out: the session that this was read for was ended here, whatever its
    cookie says. is_launched: a school's system began the session. has_onboarded: the first steps are behind them, or
    put away. consent: to what the chat sends where. tools_off: what they have switched off for themselves.
    timezone_elsewhere: of a device; "" for none. wrote_at, visited_at, and openings, of Today: see `PageVisits`.
    """

    id: str
    name: str
    email: str
    is_email_verified: bool = False
    timezone: str = "UTC"
    locale: str = DEFAULT_LOCALE
    is_disabled: bool = False
    is_signed_out: bool = False
    is_launched: bool = False
    has_onboarded: bool = False
    consent: Consent | None = None
    tools_off: ToolSwitches = ALL_ON
    timezone_elsewhere: str = ""
    wrote_at: str = ""
    visited_at: str = ""
    openings: PageVisits = field(default_factory=PageVisits)

    @property
    def language(self) -> str:
        """Language of the interface: "en" or "es"."""
        return self.locale.partition("-")[0]

    @property
    def display_name(self) -> str:
        """Name for others to read: of somebody without one the address, or a mark that tells them from others."""
        return self.name or self.email or gettext("Without a name ({mark})", mark=self.id[:4])

    @property
    def first_name(self) -> str:
        """First name, for a greeting."""
        return next(iter(self.name.split()), gettext("there"))


class Students:
    """Repository of everybody who ever signed in, by a random id of our own."""

    def __init__(self, store: Store, clock: Clock, *, secret: str = "", given: Terms | None = None) -> None:
        """secret: of the tombstones. given: terms of the chat, where students agree to them before they come."""
        self._students, self._tombstones = store.shared, Tombstones(store, clock, secret)
        self._clock, self._given = clock, given

    def sign_in(
        self,
        *,
        issuer: str,
        subject: str,
        name: str,
        email: str,
        is_email_verified: bool = False,
        timezone: str | None = None,
        locale: str | None = None,
        session: int = 0,
        browser: str = "",
    ) -> Student:
        """Sign in: the student behind an identity, made at the first sign-in; one read when nothing changed.

        Raises `SignInRequired` without an issuer or a subject: all who come like that would share one account.
        session: when the provider issued this identity (`iat`), 0 when it does not say. browser: its name in the list.
        `timezone` (the browser's) is taken only for a new student and only when it exists; `locale` (its tag) as long
        as nothing else is known. A disabled student comes back with `is_disabled` set: whoever called must refuse them.
        Without a name the one that is stored stays.
        A session from before a deletion makes no new student: it is signed out.
        """
        if not issuer.strip() or not subject.strip():
            raise SignInRequired(gettext("Your sign-in service did not say who you are."))
        document = self._find(issuer, subject)
        profile: dict[str, Any] = {
            "name": one_line(name) or (document or {}).get("name") or email.partition("@")[0].strip(),
            "email": email,
            "email_verified": is_email_verified,
        }
        if document is None and self._tombstones.keeps_out(issuer, subject, session):
            return Student(id="", name="", email="", is_signed_out=True)
        document = document or self._create(issuer, subject, profile, timezone)
        profile["locale"] = document.get("locale") or negotiate_locale(locale)
        profile["newest_session"] = max(session, document.get("newest_session", 0))
        while not profile.items() <= document.items():
            # Of two sessions that begin at once the newer one stays the newest.
            newest = document.get("newest_session")
            changed = self._students.compare_and_set("students", document["id"], {"newest_session": newest}, profile)
            document = changed or self._read(document["id"])
            profile["newest_session"] = max(session, document.get("newest_session", 0))
        is_over = is_session_over(document, session)
        if session and not is_over:
            self._record_session(document, session, browser)
        return replace(_student(document), is_signed_out=is_over)

    def get(self, id: str) -> Student | None:
        document = self._students.get("students", id)
        return None if document is None else _student(document)

    def with_email(self, email: str) -> list[Student]:
        """Find students by e-mail address: it identifies nobody for certain, so there may be several."""
        return [_student(document) for document in self._students.find("students", {"email": email})]

    def of_session(self, issuer: str, subject: str, session: int) -> Student | None:
        """The student of an identity whose session counts; None when it was ended, disabled or never seen. One read."""
        document = self._find(issuer, subject) if issuer.strip() and subject.strip() else None
        return _student_in(document, session)

    def has_valid_session(self, id: str, session: int) -> bool:
        """Whether this session of the student still counts."""
        return self.in_session(id, session) is not None

    def in_session(self, id: str, session: int) -> Student | None:
        """The student, read now; None when this session does not count. One of 0 does while they are not kept out."""
        return _student_in(self._students.get("students", id), session)

    def set_timezone(self, id: str, timezone: str, *, elsewhere: str | None = None) -> Student:
        """Raises `BadArguments` for a zone that is not on the IANA list, `SignInRequired` for an unknown student.

        elsewhere: that of their device, which may be another one; they know.
        """
        if not is_timezone(timezone):
            raise BadArguments(gettext("There is no such time zone."), field="timezone")
        return self._change(id, timezone=timezone, timezone_elsewhere=elsewhere or "")

    def set_language(self, id: str, language: str, browser: str | None = None) -> Student:
        """Raises `BadArguments` for a language that we do not speak; `browser`: the tag whose region then counts."""
        if language not in LANGUAGES:
            raise BadArguments(gettext("Homeroom does not speak that language yet."), field="language")
        return self._change(id, locale=negotiate_locale(browser, language=language))

    def dismiss_onboarding(self, id: str) -> Student:
        """Stop showing the first steps, wherever this student signs in."""
        return self._change(id, knows_the_way=True)

    def set_consent(self, id: str, consent: Consent) -> Student:
        """Store a consent to the terms of the chat, given or withdrawn."""
        return self._change(id, consent=consents.to_document(consent))

    def switch_tools(self, id: str, *, category: str = "", tool: str = "", is_on: bool) -> Student:
        """Switch a category of tools, or a tool, on or off for this student, whatever another tab switches now."""
        while True:
            expected, changes = switch_changes(self._read(id), category=category, tool=tool, is_on=is_on)
            if (changed := self._students.compare_and_set("students", id, expected, changes)) is not None:
                return _student(changed)

    def note_message(self, student: Student, *, within: DocumentViews) -> None:
        """Note that they wrote a message now, and what they agreed to before they came. within: a batch of writes."""
        now, terms = self._clock(), self._given if student.consent is None else None
        agreed = {"consent": consents.to_document(given_consent(terms, now, by="operator"))} if terms else {}
        if changes := {**agreed, **visit_fields(student, now)}:
            within.shared.compare_and_set("students", student.id, {}, changes)

    def note_opening(self, student: Student) -> None:
        """Note that they opened the page Today."""
        if changes := visit_fields(student.openings, self._clock()):
            fields = {_OPENINGS[name]: at for name, at in changes.items()}
            self._students.compare_and_set("students", student.id, {}, fields)

    def disable(self, id: str) -> Student:
        """Keep this student out from their next click on; their data stays."""
        return self._change(id, is_disabled=True)

    def end_session(self, id: str, session: int) -> None:
        """Invalidate the cookie of one session: signing out alone only removes it from this browser."""
        while session and (document := self._students.get("students", id)) is not None:
            if self._end(document, **with_session_ended(document, session, self._clock())):
                return

    def end_all_sessions(self, id: str) -> None:
        """Invalidate the cookies of every session so far."""
        while (document := self._students.get("students", id)) is not None:
            if self._end(document, ended={}, ended_until=newest_session(document)):
                return

    def _end(self, document: Document, **changes: Any) -> bool:
        """Write the ended sessions, unless another one ended since `document` was read: then False."""
        version = document.get("ended_version")
        changes["ended_version"] = (version or 0) + 1
        return (
            self._students.compare_and_set("students", document["id"], {"ended_version": version}, changes) is not None
        )

    def sign_in_sessions(self, id: str) -> Sequence[SignInSession]:
        """List the sign-in sessions, the one seen last first; one read."""
        document = self._students.get("students", id)
        return [] if document is None else sessions_of(document)

    def begin_deletion(self, id: str) -> Student | None:
        """Disable a student who is being deleted, with every session so far; None when there is none of this id."""
        document = self._students.get("students", id)
        if document is None:
            return None
        changed = self._students.compare_and_set(
            "students", id, {}, {"is_disabled": True, "ended_until": newest_session(document)}
        )
        return None if changed is None else _student(changed)

    def remove(self, id: str) -> None:
        """Delete a student; a tombstone stays, a fingerprint which keeps out browsers that are still signed in."""
        document = self._students.get("students", id)
        if document is None:
            return
        self._tombstones.leave(document["issuer"], document["subject"], document.get("ended_until", 0))
        self._students.delete("students", {"id": id})

    def _record_session(self, document: Document, session: int, browser: str) -> None:
        """Of two tabs that come at once, one is recorded now, the other with its next click."""
        devices = with_session_seen(document, session, browser or UNNAMED, self._clock())
        if devices is not None:
            version = document.get("devices_version")
            changes = {"devices": devices, "devices_version": (version or 0) + 1}
            self._students.compare_and_set("students", document["id"], {"devices_version": version}, changes)

    def _find(self, issuer: str, subject: str) -> Document | None:
        found = self._students.find("students", {"issuer": issuer, "subject": subject}, limit=1)
        return found[0] if found else None

    def _read(self, id: str) -> Document:
        document = self._students.get("students", id)
        if document is None:
            raise SignInRequired(gettext("This account is not known here any more."))
        return document

    def _create(self, issuer: str, subject: str, profile: Mapping[str, Any], timezone: str | None) -> Document:
        document = {
            "id": secrets.token_hex(16),
            "issuer": issuer,
            "subject": subject,
            **profile,
            "timezone": timezone if timezone and is_timezone(timezone) else "UTC",
            "is_disabled": False,
            "created_at": stamp(self._clock()),
        }
        try:
            self._students.insert("students", document)
        except DuplicateDocument:
            # Another tab or replica made the same student between our look and our insert: theirs is the one.
            theirs = self._find(issuer, subject)
            if theirs is None:
                raise
            return theirs
        return document

    def _change(self, id: str, **changes: Any) -> Student:
        document = self._students.compare_and_set("students", id, {}, changes)
        if document is None:
            raise SignInRequired(gettext("This account is not known here any more."))
        return _student(document)


def _student_in(document: Document | None, session: int) -> Student | None:
    if document is None or document["is_disabled"] or is_session_over(document, session):
        return None
    return _student(document)


@record_reader("students")
def _student(document: Document) -> Student:
    return Student(
        id=document["id"],
        name=document["name"],
        email=document["email"],
        is_email_verified=document.get("email_verified", False),
        timezone=document["timezone"],
        locale=negotiate_locale(document.get("locale")),
        is_disabled=document["is_disabled"],
        has_onboarded=document.get("knows_the_way", False),
        consent=consents.from_document(document.get("consent")),
        tools_off=switches_of(document),
        openings=PageVisits(**{name: document.get(field, "") for name, field in _OPENINGS.items()}),
        **{name: document.get(name, "") for name in ("timezone_elsewhere", "wrote_at", "visited_at")},
    )
