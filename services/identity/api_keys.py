"""API keys of students' own programs: created, listed, revoked, authenticated; only their hashes are stored."""

import hashlib
import logging
import secrets
import string
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from services.errors import BadArguments, PermissionMissing, SignInRequired, StorageError
from services.i18n import gettext
from services.identity.roles import Roles
from services.identity.students import Student, Students
from services.runtime.clock import Clock, moment, stamp
from services.safety.text import plain
from services.storage.documents import Document
from services.storage.records import read_all, record_reader
from services.storage.store import Store

log = logging.getLogger(__name__)

COLLECTION = "keys"
START = "hr_"
MOST_KEYS = 20
LONGEST_LABEL = 60
USE_RECORDED_EVERY = timedelta(minutes=1)

_LETTERS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM = 30
"""Letters of 62 kinds: 178 bits, of which the prefix on the screen shows 36."""
_CHECKSUM = 6
_SHOWN = len(START) + 6


class KeyScope(StrEnum):
    READ = "read"
    WRITE = "write"
    """Lets a program ask for a change; the change itself still waits for the student."""
    OPEN = "open"
    """Lets a model that speaks through /mcp open addresses of its own choice."""
    APPROVE = "approve"
    ADMIN = "admin"


class ToolListMode(StrEnum):
    """What /mcp lists to a program: every tool, a search for them, or those of the key's contexts."""

    ALL = "all"
    SEARCH = "search"
    CONTEXTS = "contexts"


@dataclass(frozen=True, kw_only=True)
class ApiKey:
    """Key as it is shown. prefix: its first letters. last_used_at: exact to a minute.

    listed_tools: what /mcp lists when a request does not say; contexts: with `ToolListMode.CONTEXTS`, which.
    """

    id: str
    student_id: str
    label: str
    prefix: str
    scopes: frozenset[KeyScope]
    listed_tools: ToolListMode = ToolListMode.ALL
    contexts: tuple[str, ...] = ()
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class CreatedKey:
    """Key that was just made; `secret` is the key itself, seen this once."""

    key: ApiKey
    secret: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Student and key of an authenticated request."""

    student: Student
    key: ApiKey


class ApiKeys:
    """Repository of keys, read from the store at every request: a revoked key ends at once and in every replica."""

    def __init__(self, store: Store, clock: Clock, roles: Roles | None = None) -> None:
        """roles: who may make keys with the scope admin; nobody without."""
        self._documents = store.shared
        self._students = Students(store, clock)
        self._clock, self._roles = clock, roles or Roles()

    def create(
        self,
        student: Student,
        *,
        label: str,
        scopes: Iterable[KeyScope | str],
        expires_at: datetime | None = None,
        by_operator: bool = False,
        listed_tools: ToolListMode | str = ToolListMode.ALL,
        contexts: Sequence[str] = (),
    ) -> CreatedKey:
        """A new key of this student.

        Raises `BadArguments` for an empty label, no or unknown scopes, an end in the past, a listing by contexts
        without any, or too many keys, and `PermissionMissing` for the scope admin unless an operator makes the key:
        it tells of other students.
        """
        wanted, label = _scopes(scopes), _label(label)
        if expires_at is not None and expires_at <= self._clock():
            raise BadArguments(gettext("The key would have ended already."), field="expires_at")
        if KeyScope.ADMIN in wanted and not (by_operator or self.is_operator(student)):
            raise PermissionMissing("Homeroom", gettext("Only operators may have a key with the scope admin."))
        if len(self.list(student.id)) >= MOST_KEYS:
            raise BadArguments(
                gettext("You have {most} keys already. Revoke one first.", most=MOST_KEYS), field="label"
            )
        listing = _listing(listed_tools, contexts)
        secret = new_secret()
        document = {
            "id": secrets.token_hex(8),
            "student_id": student.id,
            "hash": _hash(secret),
            "prefix": secret[:_SHOWN],
            "label": label,
            "scopes": sorted(wanted),
            **listing,
            "by_operator": by_operator,
            "created_at": stamp(self._clock()),
            "expires_at": stamp(expires_at) if expires_at else None,
            "last_used_at": None,
        }
        self._documents.insert(COLLECTION, document)
        log.info("key_made key=%s scopes=%s", document["id"], ",".join(sorted(wanted)))
        return CreatedKey(key=_key(document), secret=secret)

    def list(self, student_id: str) -> Sequence[ApiKey]:
        """The student's keys, newest first; ended ones too, until they are revoked."""
        found = self._documents.find(COLLECTION, {"student_id": student_id}, order=[("created_at", -1)])
        return read_all(_key, found)

    def revoke(self, student_id: str, key_id: str) -> bool:
        """End a key from this moment on; False when this student has no such key."""
        revoked = self._documents.delete(COLLECTION, {"id": key_id, "student_id": student_id}) > 0
        if revoked:
            log.info("key_revoked key=%s", key_id)
        return revoked

    def authenticate(self, secret: str) -> Caller:
        """Authenticate a key: its student. Raises `SignInRequired` for a key that is unknown, revoked, misspelt or
        ended, and for one whose student was disabled.
        """
        document = self._document(secret) if is_well_formed(secret) else None
        student = self._students.get(document["student_id"]) if document else None
        if document is None or student is None or student.is_disabled:
            raise SignInRequired(gettext("This key is not valid."), next_step=gettext("Make a new one under Settings."))
        key = _key(document)
        if key.expires_at is not None and key.expires_at <= self._clock():
            raise SignInRequired(gettext("This key has expired."), next_step=gettext("Make a new one under Settings."))
        self._record_use(key)
        return Caller(student=student, key=self._with_valid_scopes(key, student, document))

    def is_instructor(self, student: Student) -> bool:
        """Whether they are an instructor of this deployment, or its operator."""
        return self._roles.is_instructor(student)

    def is_operator(self, student: Student) -> bool:
        """Whether they run this Homeroom."""
        return self._roles.is_operator(student)

    def _document(self, secret: str) -> Document | None:
        found = self._documents.find(COLLECTION, {"hash": _hash(secret)}, limit=1)
        return found[0] if found else None

    def _with_valid_scopes(self, key: ApiKey, student: Student, document: Document) -> ApiKey:
        """The key without the scope admin, once its student is no operator any more."""
        if KeyScope.ADMIN not in key.scopes or document["by_operator"] or self.is_operator(student):
            return key
        return _key({**document, "scopes": sorted(key.scopes - {KeyScope.ADMIN})})

    def _record_use(self, key: ApiKey) -> None:
        now, last = self._clock(), key.last_used_at
        if last is not None and now - last < USE_RECORDED_EVERY:
            return
        seen = {"last_used_at": stamp(last) if last else None}
        try:
            self._documents.compare_and_set(COLLECTION, key.id, seen, {"last_used_at": stamp(now)})
        except StorageError:
            # A store that can be read but not written still lets a program read.
            log.warning("key_use_not_noted key=%s", key.id)


def new_secret() -> str:
    """A new key: `hr_`, random letters, and a checksum that shows a misspelt or invented key without the store."""
    random = "".join(secrets.choice(_LETTERS) for _ in range(_RANDOM))
    return START + random + _checksum(random)


def is_well_formed(secret: str) -> bool:
    random, checksum = secret[len(START) : -_CHECKSUM], secret[-_CHECKSUM:]
    is_shaped = secret.startswith(START) and len(random) == _RANDOM and secret.isascii() and secret[3:].isalnum()
    return is_shaped and checksum == _checksum(random)


def _checksum(text: str) -> str:
    number, letters = zlib.crc32(text.encode()), ""
    for _ in range(_CHECKSUM):
        number, digit = divmod(number, len(_LETTERS))
        letters = _LETTERS[digit] + letters
    return letters


def _hash(secret: str) -> str:
    """Plain SHA-256 is enough for a random secret of this length: there is nothing to guess faster."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _scopes(scopes: Iterable[KeyScope | str]) -> frozenset[KeyScope]:
    given = frozenset(scopes)
    known = frozenset(scope for scope in KeyScope if scope in given)
    if not known or len(known) != len(given):
        raise BadArguments(
            gettext("Choose among {scope}, and at least one.", scope=", ".join(KeyScope)), field="scopes"
        )
    return known


def _listing(listed_tools: ToolListMode | str, contexts: Sequence[str]) -> Document:
    names = [name.strip().casefold() for name in contexts if name.strip()]
    if listed_tools not in list(ToolListMode):
        raise BadArguments(gettext("Choose one of {choices}.", choices=", ".join(ToolListMode)), field="listed_tools")
    if listed_tools != ToolListMode.CONTEXTS:
        return {"listed_tools": str(listed_tools), "contexts": []}
    if not names:
        raise BadArguments(gettext("Choose at least one subject."), field="contexts")
    return {"listed_tools": str(listed_tools), "contexts": list(dict.fromkeys(names))}


def _label(label: str) -> str:
    line = " ".join(plain(label).split())
    if not line or len(line) > LONGEST_LABEL:
        raise BadArguments(
            gettext("Give the key a name of at most {most} characters.", most=LONGEST_LABEL), field="label"
        )
    return line


@record_reader(COLLECTION)
def _key(document: Document) -> ApiKey:
    return ApiKey(
        id=document["id"],
        student_id=document["student_id"],
        label=document["label"],
        prefix=document["prefix"],
        scopes=frozenset(KeyScope(scope) for scope in document["scopes"]),
        listed_tools=ToolListMode(document.get("listed_tools", ToolListMode.ALL)),
        contexts=tuple(document.get("contexts", ())),
        created_at=moment(document["created_at"]),
        expires_at=moment(document["expires_at"]) if document["expires_at"] else None,
        last_used_at=moment(document["last_used_at"]) if document["last_used_at"] else None,
    )
