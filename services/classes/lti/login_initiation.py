"""`LoginInitiation`: the first step of a launch, tied to the browser that begins it (OpenID Connect third-party
initiated login, Security Framework 1.0, section 5.1.1)."""

import hashlib
import hmac
import secrets
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from services.classes.lti.launch_targets import is_ours
from services.classes.lti.platform import LtiPlatform
from services.classes.lti.platforms import LtiPlatforms
from services.classes.lti.refusals import LaunchRefused
from services.runtime.clock import Clock, moment, stamp
from services.storage.records import read_record
from services.storage.store import Store

COLLECTION = "lti_logins"
LASTS = timedelta(minutes=10)
LONGEST_HINT = 8_000
LAUNCH, LOGIN = "/lti/launch", "/lti/login"


@dataclass(frozen=True, kw_only=True)
class LoginRequest:
    """What a platform begins a launch with, to the letter; "" for what it left out.

    storage_target: the frame that keeps values for tools (LTI Client Side postMessages), where the launch offers it.
    """

    iss: str
    login_hint: str = field(repr=False)
    target_link_uri: str = field(repr=False)
    client_id: str = ""
    lti_message_hint: str = field(default="", repr=False)
    lti_deployment_id: str = ""
    lti_storage_target: str = ""


@dataclass(frozen=True, kw_only=True)
class BegunLogin:
    """Login that waits for the platform. address: where the browser goes next. binding: what this browser keeps."""

    state: str = field(repr=False)
    binding: str = field(repr=False)
    address: str = field(repr=False)
    platform: LtiPlatform


@dataclass(frozen=True, kw_only=True)
class StartedLogin:
    """Login as it was stored, found by the state that came back, and used up by that."""

    request: LoginRequest
    platform_id: str
    nonce: str = field(repr=False)
    binding_hash: str
    began_at: datetime
    mark: str


class LoginInitiation:
    """Each state works once, for ten minutes, and is stored as a hash."""

    def __init__(self, store: Store, platforms: LtiPlatforms, clock: Clock, *, public_url: str) -> None:
        self._documents, self._platforms, self._clock = store.shared, platforms, clock
        self._public_url = public_url

    def begin(self, request: LoginRequest) -> BegunLogin:
        """Store a new state and nonce, and the platform's address to go on to. Raises `LaunchRefused`."""
        _require_sound(request)
        platform = self._platforms.of_login(request.iss, request.client_id)
        if not is_ours(request.target_link_uri, self._public_url):
            raise LaunchRefused("target_foreign")
        state, nonce, binding = (secrets.token_urlsafe(32) for _ in range(3))
        now = self._clock()
        self._documents.insert(
            COLLECTION,
            {
                "id": _hash(state),
                "platform_id": platform.id,
                "nonce": nonce,
                "binding_hash": _hash(binding),
                "request": asdict(request),
                "mark": mark_of(state),
                "began_at": stamp(now),
                "expires_at": stamp(now + LASTS),
                "used_at": None,
            },
        )
        address = self._authorization(platform, request, state, nonce)
        return BegunLogin(state=state, binding=binding, address=address, platform=platform)

    def use(self, state: str) -> StartedLogin:
        """Use up a state, whatever becomes of the launch; raises `LaunchRefused` "state_unknown"."""
        now = self._clock()
        found = None
        if 0 < len(state) <= LONGEST_HINT:
            changes = {"used_at": stamp(now)}
            found = self._documents.compare_and_set(COLLECTION, _hash(state), {"used_at": None}, changes)
        if found is None or moment(found["expires_at"]) <= now:
            raise LaunchRefused("state_unknown")
        return StartedLogin(
            request=read_record(LoginRequest, found["request"]),
            platform_id=found["platform_id"],
            nonce=found["nonce"],
            binding_hash=found["binding_hash"],
            began_at=moment(found["began_at"]),
            mark=found["mark"],
        )

    def _authorization(self, platform: LtiPlatform, request: LoginRequest, state: str, nonce: str) -> str:
        asked = {
            "scope": "openid",
            "response_type": "id_token",
            "response_mode": "form_post",
            "prompt": "none",
            "client_id": platform.client_id,
            "redirect_uri": f"{self._public_url}{LAUNCH}",
            "login_hint": request.login_hint,
            "state": state,
            "nonce": nonce,
        }
        if request.lti_message_hint:
            asked["lti_message_hint"] = request.lti_message_hint
        parts = urlsplit(platform.authorization_url)
        theirs = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in asked]
        return urlunsplit(parts._replace(query=urlencode([*theirs, *asked.items()])))


def mark_of(state: str) -> str:
    """Beginning of a state that names its cookie: with several launches on one page, each keeps its own."""
    return state[:8]


def is_bound(binding: str | None, binding_hash: str) -> bool:
    """Whether what a browser kept is what it was given with the login."""
    return bool(binding) and hmac.compare_digest(_hash(binding or ""), binding_hash)


def _require_sound(request: LoginRequest) -> None:
    given = asdict(request)
    if not all(given[name] for name in ("iss", "login_hint", "target_link_uri")):
        raise LaunchRefused("request_incomplete")
    if any(len(text) > LONGEST_HINT for text in given.values()):
        raise LaunchRefused("request_malformed")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
