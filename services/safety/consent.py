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
from services.safety.earlier_consents import digest_of_text, purposes_of_text

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
    """What a student is asked to agree to. subject: `CHAT` or an integration's id. purposes: what words are used for.

    recipients: by id, besides the provider. source: sentences of the whole text in English. write: the whole text,
    write_lines: its three short lines, in the language of whoever reads them.
    """

    subject: str
    purposes: frozenset[str]
    source: tuple[str, ...]
    write: Callable[[], str] = field(repr=False, compare=False)
    write_lines: Callable[[], tuple[str, ...]] = field(repr=False, compare=False)
    provider: ModelProvider
    recipients: frozenset[str] = frozenset()

    @property
    def version(self) -> str:
        """Version of what is agreed to, the same however it is worded."""
        return _digest(self.provider, self.recipients, self.purposes)

    @property
    def wording(self) -> str:
        """Version of the text, the same in every language."""
        return digest_of_text(self.source)

    @property
    def text(self) -> str:
        return self.write()

    @property
    def lines(self) -> tuple[str, ...]:
        """Who reads, what goes there, and how to take it back."""
        return self.write_lines()


class ConsentStatus(StrEnum):
    """Status of a consent under the terms of today. Missing: never asked. Outdated: asked again."""

    MISSING = "missing"
    GIVEN = "given"
    OUTDATED = "outdated"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, kw_only=True)
class Consent:
    """Stored fact of an agreement. text: the whole of it, in the language it was read in. wording: version of its
    English text. provider, gateway, recipients, purposes: as in `Terms` then; purposes are None in what was stored
    before they were, and are known from the wording.

    given_by: "student", or "operator" where students agree before they come. withdrawn_at: None while it stands.
    """

    text: str
    wording: str
    provider: str
    gateway: str
    recipients: frozenset[str]
    given_at: datetime
    purposes: frozenset[str] | None = None
    given_by: str = "student"
    withdrawn_at: datetime | None = None

    def status(self, terms: Terms) -> ConsentStatus:
        """A recipient or a purpose more is asked about; one less, and another wording, is not."""
        if self.withdrawn_at is not None:
            return ConsentStatus.WITHDRAWN
        is_same_way = (self.provider, self.gateway) == (terms.provider.name, terms.provider.gateway)
        is_covered = terms.recipients <= self.recipients and terms.purposes <= self._purposes(terms)
        return ConsentStatus.GIVEN if is_same_way and is_covered else ConsentStatus.OUTDATED

    def _purposes(self, terms: Terms) -> frozenset[str]:
        if self.purposes is not None:
            return self.purposes
        return terms.purposes if self.wording == terms.wording else purposes_of_text(self.wording)


@cache
def _digest(provider: ModelProvider, recipients: frozenset[str], purposes: frozenset[str]) -> str:
    parts = (provider.name, provider.gateway, *sorted(recipients), "", *sorted(purposes))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


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
        wording=terms.wording,
        provider=terms.provider.name,
        gateway=terms.provider.gateway,
        recipients=terms.recipients,
        purposes=terms.purposes,
        given_at=at,
        given_by=by,
    )


def withdrawn_consent(consent: Consent | None, terms: Terms, at: datetime) -> Consent:
    """The same, withdrawn now; of a student who was never asked, a refusal of these terms."""
    return replace(consent or given_consent(terms, at), withdrawn_at=at)


def to_document(consent: Consent) -> dict[str, Any]:
    return {
        "text": consent.text,
        # So called since before purposes were stored: the release before this one compares it.
        "version": consent.wording,
        "provider": consent.provider,
        "gateway": consent.gateway,
        "recipients": sorted(consent.recipients),
        "purposes": None if consent.purposes is None else sorted(consent.purposes),
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
        wording=document["version"],
        provider=document["provider"],
        gateway=document["gateway"],
        recipients=frozenset(document["recipients"]),
        purposes=None if document.get("purposes") is None else frozenset(document["purposes"]),
        given_at=moment(document["given_at"]),
        given_by=document["given_by"],
        withdrawn_at=moment(document["withdrawn_at"]) if document["withdrawn_at"] else None,
    )
