"""`Launch`: what a verified message says, and the reader of its claims (LTI Core 1.3, section 5; Deep Linking 2.0)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from services.classes.lti import claim_names as names
from services.classes.lti.course_roles import CourseStanding, course_standing, is_administrator
from services.classes.lti.launch_targets import is_ours
from services.classes.lti.platform import LtiPlatform
from services.classes.lti.platforms import LONGEST_DEPLOYMENT
from services.classes.lti.refusals import LaunchRefused
from services.safety.text import plain
from services.storage.documents import Document
from services.storage.records import read_record

LONGEST_ID = 255
LONGEST_NAME = 200
LONGEST_EMAIL = 254
LONGEST_ADDRESS = 4_000
LONGEST_DATA = 100_000
MOST_ROLES = 200


@dataclass(frozen=True, kw_only=True)
class DeepLinkRequest:
    """Where a deep linking response goes. data: opaque, given back to the letter; None when there was none."""

    return_url: str = field(repr=False)
    data: str | None = field(repr=False)
    takes_several: bool
    text: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class Launch:
    """Verified launch. subject: the person's id at the issuer. target: an address of ours that was signed.

    context_id: of the course, "" for a launch outside any. memberships_url: of its roster, "" when not offered.
    is_learning: whether the course says that they are its student; it may say neither. is_looking_on: whether it says
    that they are something else in it, such as an assistant or an observer. is_test_user: an instructor who plays a
    student. is_administrator: they look after the school's system, which may call them an instructor of every course.
    """

    platform_id: str
    issuer: str
    deployment_id: str
    subject: str = field(repr=False)
    name: str = field(repr=False)
    email: str = field(repr=False)
    is_teaching: bool
    context_id: str
    context_title: str = field(repr=False)
    memberships_url: str = field(repr=False)
    target: str
    deep_link: DeepLinkRequest | None = None
    is_learning: bool = False
    is_looking_on: bool = False
    is_test_user: bool = False
    is_administrator: bool = False

    @property
    def is_guest(self) -> bool:
        """Whether the course says that they are no student of it, and do not teach it."""
        return self.is_looking_on or self.is_test_user


def launch_document(launch: Launch) -> Document:
    return asdict(launch)


def launch_of(document: Mapping[str, Any]) -> Launch:
    return read_record(Launch, document)


class LaunchReader:
    """Reader of the claims of a message whose signature, times and nonce are good; raises `LaunchRefused`."""

    def __init__(self, claims: Mapping[str, Any], platform: LtiPlatform, *, public_url: str) -> None:
        self._claims, self._platform, self._public_url = claims, platform, public_url

    def read(self) -> Launch:
        if self._claims.get(names.VERSION) != names.LTI_VERSION:
            raise LaunchRefused("version_wrong")
        message = self._claims.get(names.MESSAGE_TYPE)
        if message not in (names.RESOURCE_LINK_REQUEST, names.DEEP_LINKING_REQUEST):
            raise LaunchRefused("message_unknown")
        deployment_id = self._deployment()
        self._require_oneself()
        context = self._object(names.CONTEXT, "context_malformed")
        is_link = message == names.RESOURCE_LINK_REQUEST
        roles = self._roles()
        standing = course_standing(roles)
        return Launch(
            platform_id=self._platform.id,
            issuer=self._platform.issuer,
            deployment_id=deployment_id,
            subject=self._id(self._claims.get("sub"), "subject_missing"),
            name=self._name(),
            email=self._text(self._claims.get("email"), LONGEST_EMAIL),
            is_teaching=standing is CourseStanding.TEACHES,
            is_learning=standing is CourseStanding.LEARNS,
            is_looking_on=standing is CourseStanding.LOOKS_ON,
            is_test_user=standing is CourseStanding.TEST_USER,
            is_administrator=is_administrator(roles),
            context_id=self._id(context.get("id"), "context_malformed") if context else "",
            context_title=self._title(context),
            memberships_url=self._memberships(),
            target=self._target() if is_link else "",
            deep_link=None if is_link else self._deep_link(),
        )

    def _require_oneself(self) -> None:
        """Refuse whoever acts as somebody else: they could tie that person's launches to an account of their own."""
        acting = self._object(names.CUSTOM, "claims_malformed").get(names.MASQUERADING)
        if acting not in (None, "", names.MASQUERADING_VARIABLE):
            raise LaunchRefused("acting_as_another")

    def _deployment(self) -> str:
        return self._id(self._claims.get(names.DEPLOYMENT_ID), "deployment_missing", most=LONGEST_DEPLOYMENT)

    def _target(self) -> str:
        if not self._id(self._object(names.RESOURCE_LINK, "resource_link_missing").get("id"), "resource_link_missing"):
            raise LaunchRefused("resource_link_missing")
        target = self._claims.get(names.TARGET_LINK_URI)
        if not isinstance(target, str) or not target:
            raise LaunchRefused("target_missing")
        if len(target) > LONGEST_ADDRESS or not _is_whole(target) or not is_ours(target, self._public_url):
            raise LaunchRefused("target_foreign")
        return target

    def _deep_link(self) -> DeepLinkRequest:
        settings = self._object(names.DEEP_LINKING_SETTINGS, "claims_malformed")
        return_url, data = settings.get("deep_link_return_url"), settings.get("data")
        if not isinstance(return_url, str) or not 0 < len(return_url) <= LONGEST_ADDRESS or not _is_whole(return_url):
            raise LaunchRefused("return_refused")
        if data is not None and not (isinstance(data, str) and len(data) <= LONGEST_DATA and _is_whole(data)):
            raise LaunchRefused("claims_malformed")
        if "ltiResourceLink" not in _texts(settings.get("accept_types")):
            raise LaunchRefused("content_refused")
        return DeepLinkRequest(
            return_url=return_url, data=data, takes_several=settings.get("accept_multiple") in (True, "true")
        )

    def _roles(self) -> Sequence[str]:
        roles = self._claims.get(names.ROLES)
        is_sound = isinstance(roles, list) and all(isinstance(role, str) for role in roles)
        if not is_sound or len(roles or ()) > MOST_ROLES:
            raise LaunchRefused("roles_malformed")
        return list(roles or ())

    def _memberships(self) -> str:
        service = self._claims.get(names.NAMES_AND_ROLES)
        url = service.get("context_memberships_url") if isinstance(service, dict) else None
        return url if isinstance(url, str) and len(url) <= LONGEST_ADDRESS and _is_whole(url) else ""

    def _name(self) -> str:
        parts = (self._text(self._claims.get(part), LONGEST_NAME) for part in ("given_name", "family_name"))
        return self._text(self._claims.get("name"), LONGEST_NAME) or " ".join(filter(None, parts))[:LONGEST_NAME]

    def _title(self, context: Mapping[str, Any]) -> str:
        return self._text(context.get("title"), LONGEST_NAME) or self._text(context.get("label"), LONGEST_NAME)

    def _object(self, claim: str, code: str) -> Mapping[str, Any]:
        found = self._claims.get(claim, {})
        if not isinstance(found, dict):
            raise LaunchRefused(code)
        return found

    def _id(self, value: object, code: str, *, most: int = LONGEST_ID) -> str:
        """An id that is compared to the letter; no store takes half a surrogate pair."""
        if not isinstance(value, str) or not value.strip() or len(value) > most or not value.isprintable():
            raise LaunchRefused(code)
        return value

    def _text(self, value: object, most: int) -> str:
        """A text for people; "" for anything else."""
        return " ".join(plain(value[: 2 * most]).split())[:most] if isinstance(value, str) else ""


def _is_whole(text: str) -> bool:
    """Whether a text has no half of a surrogate pair in it."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _texts(value: object) -> Sequence[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
