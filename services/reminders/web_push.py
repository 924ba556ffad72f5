"""Web push: a message sealed for one browser (RFC 8291), signed by this Homeroom (RFC 8292), and posted to where that
browser says.

The address comes from a browser, so the guarded client alone goes there; pywebpush only seals.
"""

import base64
import hashlib
import logging
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from joserfc import jwt
from joserfc.jwk import ECKey

from services.errors import BadArguments, ServiceUnavailable
from services.i18n import gettext, gettext_noop
from services.reminders.deliveries import SENT, DeliveryStatus, Outcome
from services.reminders.push_subscriptions import PushSubscription
from services.safety.fetch import (
    AddressRefused,
    DnsUnavailable,
    FetchedPage,
    HostUnknown,
    HostUnreachable,
    PageTooLarge,
    SafeFetch,
)
from services.settings.secret_keys import vapid_private_key

log = logging.getLogger(__name__)

KEPT_FOR = timedelta(hours=12)
"""How long the push service keeps a message for a device that is off: after that it is no news."""
TOKEN_LIFETIME = timedelta(hours=12)
"""RFC 8292, section 2: at most a day."""
TIMEOUT_S = 15.0
_ANSWER_BYTES = 10_000
_OVER, _TAKEN = (404, 410), (201, 202)

GONE = gettext_noop("the browser does not take notifications any more")
REFUSED = gettext_noop("the browser's push service does not take it")
REFUSED_ADDRESS = gettext_noop("the browser's address is not one that Homeroom sends to")
UNREACHABLE = gettext_noop("the browser's push service could not be reached")
BUSY = gettext_noop("the browser's push service asks to come back later")
SILENT = gettext_noop("the browser's push service did not say whether it took it")


class WebPush:
    """Sender of notifications. contact: how the push service reaches whoever runs this (RFC 8292, section 2.1)."""

    def __init__(self, key: str, *, contact: str, fetch: SafeFetch) -> None:
        private = vapid_private_key(key)
        point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        self._signing_key, self._contact, self._fetch = ECKey.import_key(pem), contact, fetch
        self.public_key = base64.urlsafe_b64encode(point).decode().rstrip("=")
        """`applicationServerKey` of the browser's subscription."""
        self.fingerprint = hashlib.sha256(point).hexdigest()[:16]

    def check(self, endpoint: str) -> None:
        """Raise `BadArguments` for an address that nothing would be sent to; nothing is asked."""
        try:
            is_operators = self._fetch.is_operator_origin(endpoint)
        except AddressRefused as refused:
            raise BadArguments(str(refused), field="endpoint") from None
        if not is_operators and urlsplit(endpoint).scheme != "https":
            sentence = gettext("This browser's address for notifications is not one that Homeroom sends to.")
            raise BadArguments(sentence, field="endpoint")

    def send(self, subscription: PushSubscription, payload: bytes, *, topic: str, now: datetime) -> Outcome:
        """Post one message. topic: a later message with the same one replaces it, as long as the device is off."""
        parts = urlsplit(subscription.endpoint)
        headers = {
            "authorization": self._authorization(f"{parts.scheme}://{parts.netloc}", now),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(int(KEPT_FOR.total_seconds())),
            "urgency": "normal",
            "topic": topic[:32],
        }
        try:
            self.check(subscription.endpoint)
            answer = self._fetch.once(
                "POST",
                subscription.endpoint,
                headers=headers,
                body=_sealed(subscription, payload),
                limit_bytes=_ANSWER_BYTES,
                timeout_s=TIMEOUT_S,
            )
        except (AddressRefused, BadArguments):
            return Outcome(status=DeliveryStatus.FAILED, reason=REFUSED_ADDRESS)
        except (DnsUnavailable, HostUnknown, HostUnreachable):
            return Outcome(status=DeliveryStatus.WAITING, reason=UNREACHABLE)
        except (ServiceUnavailable, PageTooLarge):
            return Outcome(status=DeliveryStatus.UNCLEAR, reason=SILENT)
        return _outcome(answer)

    def _authorization(self, audience: str, now: datetime) -> str:
        claims = {"aud": audience, "exp": int((now + TOKEN_LIFETIME).timestamp()), "sub": self._contact}
        token = jwt.encode({"alg": "ES256", "typ": "JWT"}, claims, self._signing_key)
        return f"vapid t={token},k={self.public_key}"


def _sealed(subscription: PushSubscription, payload: bytes) -> bytes:
    # Loads requests and aiohttp, which only the process that sends needs; it makes no request here.
    from pywebpush import WebPusher

    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
    sealed: bytes = pusher.encode(payload)["body"]
    return sealed


def _outcome(answer: FetchedPage) -> Outcome:
    """RFC 8030, section 5, and what services answer beyond it: 404 and 410 end the subscription.

    Only 201 and 202 say that it was taken, and not with a web page: a portal before the service may answer 200.
    """
    status = answer.status
    if status in _TAKEN and answer.media_type != "text/html":
        return SENT
    log.warning("push_not_taken status=%s", status)
    if status in _OVER:
        return Outcome(status=DeliveryStatus.FAILED, reason=GONE)
    if answer.is_good:
        return Outcome(status=DeliveryStatus.UNCLEAR, reason=SILENT)
    if status == 429 or status >= 500:
        return Outcome(status=DeliveryStatus.WAITING, reason=BUSY)
    return Outcome(status=DeliveryStatus.FAILED, reason=REFUSED)
