"""Consent: what a student agreed to for the chat and for each connected account, and whether that still holds."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from services.runtime.clock import moment, stamp

CHAT = "chat"
"""Subject of the terms of the chat; that of an account is its integration's id."""
HERE = "here"
"""Gateway of a model at Homeroom's own address: nothing leaves this server."""


@dataclass(frozen=True, kw_only=True)
class Recipient:
    """Receiver of words that a model sends out. name: as a student reads it. address: of the service, "" for a program
    of the operator's. receives: what it gets, a phrase in English.
    """

    name: str
    address: str
    receives: str

    @property
    def id(self) -> str:
        """Id that changes with the address, so that another one is agreed to anew."""
        return f"{self.name} {origin_of(self.address)}".strip()


@dataclass(frozen=True, kw_only=True)
class ModelProvider:
    """Provider of the model. name: of the provider, "Anthropic". gateway: origin through which it is reached; "" for
    the provider's own address, `HERE` for Homeroom's.
    """

    name: str
    gateway: str = ""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Text that a student is asked to agree to. subject: `CHAT` or an integration's id. source: its sentences in
    English. write: writes it in the language of whoever reads it. recipients: by id, besides the provider.
    """

    subject: str
    source: tuple[str, ...]
    write: Callable[[], str] = field(repr=False, compare=False)
    provider: ModelProvider
    recipients: frozenset[str] = frozenset()

    @property
    def version(self) -> str:
        """Version of the text, the same in every language."""
        return _digest(self.source)

    @property
    def text(self) -> str:
        return self.write()


class ConsentStatus(StrEnum):
    """Status of a consent under the terms of today. Missing: never asked. Outdated: asked again."""

    MISSING = "missing"
    GIVEN = "given"
    OUTDATED = "outdated"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, kw_only=True)
class Consent:
    """Stored fact of an agreement. text: as it was shown. provider, gateway, recipients: as in `Terms` then.

    given_by: "student", or "operator" where students agree before they come. withdrawn_at: None while it stands.
    """

    text: str
    version: str
    provider: str
    gateway: str
    recipients: frozenset[str]
    given_at: datetime
    given_by: str = "student"
    withdrawn_at: datetime | None = None

    def status(self, terms: Terms) -> ConsentStatus:
        """A recipient more is asked about, one less is not."""
        if self.withdrawn_at is not None:
            return ConsentStatus.WITHDRAWN
        is_same = (self.version, self.provider, self.gateway) == (
            terms.version,
            terms.provider.name,
            terms.provider.gateway,
        )
        return ConsentStatus.GIVEN if is_same and terms.recipients <= self.recipients else ConsentStatus.OUTDATED


@cache
def _digest(source: tuple[str, ...]) -> str:
    return hashlib.sha256("\n".join(source).encode()).hexdigest()[:12]


def origin_of(address: str) -> str:
    """Origin of an address; "" for none."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def status_of(consent: Consent | None, terms: Terms) -> ConsentStatus:
    return ConsentStatus.MISSING if consent is None else consent.status(terms)


def given_consent(terms: Terms, at: datetime, *, by: str = "student") -> Consent:
    """Consent to these terms, as they read in the language of now."""
    return Consent(
        text=terms.text,
        version=terms.version,
        provider=terms.provider.name,
        gateway=terms.provider.gateway,
        recipients=terms.recipients,
        given_at=at,
        given_by=by,
    )


def withdrawn_consent(consent: Consent | None, terms: Terms, at: datetime) -> Consent:
    """The same, withdrawn now; of a student who was never asked, a refusal of these terms."""
    return replace(consent or given_consent(terms, at), withdrawn_at=at)


def to_document(consent: Consent) -> dict[str, Any]:
    return {
        "text": consent.text,
        "version": consent.version,
        "provider": consent.provider,
        "gateway": consent.gateway,
        "recipients": sorted(consent.recipients),
        "given_at": stamp(consent.given_at),
        "given_by": consent.given_by,
        "withdrawn_at": stamp(consent.withdrawn_at) if consent.withdrawn_at else None,
    }


def from_document(document: Mapping[str, Any] | None) -> Consent | None:
    """The consent that `to_document` wrote; None for None."""
    if not document:
        return None
    return Consent(
        text=document["text"],
        version=document["version"],
        provider=document["provider"],
        gateway=document["gateway"],
        recipients=frozenset(document["recipients"]),
        given_at=moment(document["given_at"]),
        given_by=document["given_by"],
        withdrawn_at=moment(document["withdrawn_at"]) if document["withdrawn_at"] else None,
    )
