"""`LtiAccounts`: which account of Homeroom a person of a school's system has."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from services.classes.lti.launch import Launch
from services.classes.lti.refusals import LaunchRefused
from services.errors import DuplicateDocument
from services.identity.sign_in_sessions import newest_session
from services.identity.students import Student, Students
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.records import read_all, read_record, record_reader
from services.storage.store import Store

COLLECTION, STUDENTS = "lti_links", "students"
ISSUER = "lti:{issuer}"
"""Issuer of an account that a launch made: no sign-in provider has such a name, so neither can pass for the other."""

LAUNCH_METHOD = "lti"
"""Authentication method (`amr`, RFC 8176) of a session that a school's system began."""


@dataclass(frozen=True, kw_only=True)
class LaunchedSession:
    """Sign-in session that a launch begins: what its cookie says."""

    student: Student
    claims: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class LinkedAccount:
    """Account at a school's system that opens this one, because the student said so."""

    id: str
    issuer: str
    linked_at: datetime


class LtiAccounts:
    """An identity of a school's system is its issuer and subject, and has an account of its own until its owner, signed
    in to another one, says that this is theirs. E-mail addresses of launches identify nobody.
    """

    def __init__(self, store: Store, students: Students, clock: Clock) -> None:
        self._documents, self._students, self._clock = store.shared, students, clock

    def student_of(self, issuer: str, subject: str) -> Student | None:
        """The account of an identity: the linked one, or its own; None for somebody who was never here."""
        link = self._documents.get(COLLECTION, link_id(issuer, subject))
        linked = self._students.get(_linked_student(link)) if link else None
        own = self._document(ISSUER.format(issuer=issuer), subject)
        return linked or (self._students.get(own["id"]) if own else None)

    def may_have_another(self, launch: Launch) -> bool:
        """Whether an account has the address that the school's system gives; it proves nothing, so one asks."""
        return bool(launch.email) and bool(self._students.with_email(launch.email))

    def link(self, launch: Launch, student: Student) -> None:
        """Let launches of this identity open the account of a student who is signed in and has said so."""
        document = {
            "id": link_id(launch.issuer, launch.subject),
            "student_id": student.id,
            "issuer": launch.issuer,
            "linked_at": stamp(self._clock()),
        }
        try:
            self._documents.insert(COLLECTION, document)
        except DuplicateDocument:
            self._documents.put(COLLECTION, document)

    def linked(self, student: Student) -> Sequence[LinkedAccount]:
        """The accounts at school systems that open this one."""
        return read_all(_read_link, self._documents.find(COLLECTION, {"student_id": student.id}))

    def unlink(self, student: Student, id: str) -> None:
        """Let an account at a school's system open this one no more; sessions that it began go on until signed out."""
        self._documents.delete(COLLECTION, {"id": id, "student_id": student.id})

    def begin_session(self, launch: Launch, *, locale: str, browser: str) -> LaunchedSession:
        """Sign in the person of a launch, with a new account where there is none. Raises `LaunchRefused`."""
        known = self.student_of(launch.issuer, launch.subject)
        issuer, subject = self._identity(known) or (ISSUER.format(issuer=launch.issuer), launch.subject)
        is_own = issuer == ISSUER.format(issuer=launch.issuer) and subject == launch.subject
        is_own = is_own or known is None
        # What a platform does not send any more stays: its administrator may have changed what it shares.
        profile: dict[str, Any] = {
            "name": (launch.name if is_own else "") or (known.name if known else ""),
            "email": (launch.email if is_own else "") or (known.email if known else ""),
            "email_verified": not is_own and known is not None and known.is_email_verified,
        }
        # After every session before it, so that one which was ended stays ended.
        number = max(int(self._clock().timestamp()), self._newest_session(issuer, subject) + 1)
        student = self._students.sign_in(
            issuer=issuer,
            subject=subject,
            name=profile["name"],
            email=profile["email"],
            is_email_verified=profile["email_verified"],
            locale=locale,
            session=number,
            browser=browser,
        )
        if student.is_disabled or student.is_signed_out:
            raise LaunchRefused("account_closed")
        claims = {"iss": issuer, "sub": subject, "iat": number, "amr": [LAUNCH_METHOD], **profile}
        return LaunchedSession(student=student, claims=claims)

    def _identity(self, known: Student | None) -> tuple[str, str] | None:
        """Issuer and subject with which an account signs in."""
        document = self._documents.get(STUDENTS, known.id) if known else None
        return (document["issuer"], document["subject"]) if document else None

    def _newest_session(self, issuer: str, subject: str) -> int:
        document = self._document(issuer, subject)
        return newest_session(document) if document else 0

    def _document(self, issuer: str, subject: str) -> Document | None:
        found = self._documents.find(STUDENTS, {"issuer": issuer, "subject": subject}, limit=1)
        return found[0] if found else None


@record_reader(COLLECTION)
def _read_link(document: Document) -> LinkedAccount:
    return read_record(LinkedAccount, document)


@record_reader(COLLECTION)
def _linked_student(document: Document) -> str:
    """Whose account a link opens; one that cannot be read opens none, instead of a new one."""
    student_id = document["student_id"]
    if not isinstance(student_id, str):
        raise TypeError("A link names a student.")
    return student_id


def link_id(issuer: str, subject: str) -> str:
    """Id of the link of an identity; the identity itself is not stored with it."""
    return hashlib.sha256(json.dumps([issuer, subject]).encode()).hexdigest()
