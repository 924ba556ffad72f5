"""Feed addresses as a student pastes them and as they are stored: they are secrets, like a password."""

import hashlib
import json
import re

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.safety.fetch import AddressRefused
from services.safety.fetch.target import parse_address

LABEL = gettext_noop("Calendar feed")
MOST_FEEDS = 5
LONGEST_ADDRESS = 1_000


def addresses_in(pasted: str) -> tuple[str, ...]:
    """Parse the addresses in a pasted text, or in what `as_token` made; webcal:// means https://.

    Raises `BadArguments` with what is wrong, never with the address.
    """
    words = json.loads(pasted) if pasted.startswith("[") else re.split(r"[\s,<>\"]+", pasted.strip())
    found = tuple(dict.fromkeys(_address(word) for word in words if word))
    if not found:
        raise BadArguments(gettext("Paste the address of your calendar feed first."), field="token")
    if len(found) > MOST_FEEDS:
        raise BadArguments(
            gettext("At most {most} feeds can be read; paste fewer addresses.", most=MOST_FEEDS), field="token"
        )
    return found


def as_token(addresses: tuple[str, ...]) -> str:
    """Serialize the addresses to the text that is sealed."""
    return json.dumps(addresses, separators=(",", ":"))


def fingerprint(address: str) -> str:
    """Hash that stands for an address where the address itself must not be seen."""
    return hashlib.sha256(address.encode()).hexdigest()[:12]


def _address(word: str) -> str:
    address = re.sub(r"^webcals?://", "https://", word, flags=re.IGNORECASE)
    if len(address) > LONGEST_ADDRESS:
        raise BadArguments(gettext("This address is too long. Copy it again, only the address."), field="token")
    if not re.match(r"^https?://", address, flags=re.IGNORECASE):
        sentence = gettext("This is not an address of a calendar feed: it begins with https:// or webcal://.")
        raise BadArguments(sentence, field="token")
    try:
        return parse_address(address).url
    except AddressRefused as refusal:
        raise BadArguments(str(refusal), field="token") from None
