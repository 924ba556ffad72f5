"""`LtiPlatform`: a school's system that is registered here, as it is stored."""

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

from services.settings import web_address
from services.storage.documents import Document
from services.storage.records import read_record, record_reader

CANVAS_FRAMES = ("https://*.instructure.com",)
"""Pages of every hosted Canvas; a school's own domain is added by the operator."""
LONGEST = 1_000
_PLACE = re.compile(r"([A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
"""Host and port as a policy takes them: a wildcard, a semicolon or a letter of another alphabet would change it."""


@dataclass(frozen=True, kw_only=True)
class LtiPlatform:
    """Registration: one client id at one issuer (Security Framework 1.0, section 5.1.1).

    deployments: ids that may launch. waiting: ids that asked and were not allowed yet. audience: what a request for an
    access token is addressed to; "" is the token endpoint. frames: origins whose pages may show Homeroom's launch in a
    frame, beyond those of the addresses here. family: "canvas", "moodle" or what it called itself.
    """

    id: str
    name: str
    issuer: str
    client_id: str
    authorization_url: str
    token_url: str
    jwks_url: str
    deployments: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    audience: str = ""
    frames: tuple[str, ...] = ()
    family: str = ""
    added_at: str = ""

    @property
    def frame_origins(self) -> tuple[str, ...]:
        """Sources of the policy's `frame-ancestors`, sorted."""
        own = (self.issuer, self.authorization_url, self.token_url)
        known = CANVAS_FRAMES if self.family == "canvas" else ()
        origins = {origin for address in own if (origin := origin_of(address))}
        return tuple(sorted({*origins, *self.frames, *known}))


def origin_of(address: str) -> str:
    """Scheme, host and port of a web address; "" for what is none, or has a host in other letters than those of DNS."""
    parts = web_address(address)
    return f"{parts.scheme}://{parts.netloc}" if parts and _PLACE.fullmatch(parts.netloc) else ""


def is_frame_source(text: str) -> bool:
    """Whether a text is an origin, or one with `*.` before its host, as a policy takes it."""
    plain = text.replace("://*.", "://", 1)
    return origin_of(plain) == plain and not set(text) & set(" ;,'\"") and urlsplit(plain).hostname is not None


def platform_document(platform: LtiPlatform) -> Document:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(platform).items()}


@record_reader("lti_platforms")
def platform_of(document: Document) -> LtiPlatform:
    return read_record(LtiPlatform, document)


def merged(first: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    """Both lists in their order, each text once."""
    return tuple(dict.fromkeys((*first, *more)))
