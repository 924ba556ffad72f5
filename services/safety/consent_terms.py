"""`ConsentTerms`: what students are asked to agree to in this deployment, for the chat and for each account."""

from collections.abc import Sequence
from typing import Protocol
from urllib.parse import urlsplit

from services.errors import ConsentRequired
from services.i18n import gettext, gettext_noop
from services.safety.consent import (
    CHAT,
    HERE,
    Consent,
    ConsentStatus,
    ModelProvider,
    Recipient,
    Terms,
    origin_of,
    status_of,
)
from services.safety.earlier_consents import ACCOUNT_PURPOSES, ANSWERS, COURSE_SEARCH, SEARCHES

_CHAT = gettext_noop(
    "To answer you, Homeroom sends what you write and attach, your name and time zone, and what it looks up for you "
    "to {model}."
)
_CHAT_AND_OTHERS = gettext_noop(
    "To answer you, Homeroom sends what you write and attach, your name and time zone, and what it looks up for you "
    "to {model}, and words to look up to {names}."
)
_EMBEDDINGS = gettext_noop(
    "To find what you mean in your course materials, it sends the text of those you use and your questions about them "
    "to {name}."
)
_THROUGH = gettext_noop("It goes there by way of {host}.")
_PROGRAMS = gettext_noop("A program of your own reads it, too, if you gave it a key to your Homeroom.")

_READER = gettext_noop("**Who reads it:** {model}, to answer you.")
_CHAT_GOES = gettext_noop(
    "**What goes there:** what you write and attach, your name and time zone, and what Homeroom looks up for you."
)
_SEARCHES_GO = gettext_noop("Words to look up go to {names}.")
_MATERIALS_GO = gettext_noop("The course texts that you search go to {name}.")
_ACCOUNT_GOES = gettext_noop("**What goes there:** what your question needs of {reads}.")
_NAMED_ACCOUNT_GOES = gettext_noop("**What goes there:** what your question needs of your account.")
_BACK = gettext_noop("**Take it back:** in Settings, whenever you like, with one click.")

_ANTHROPIC = "https://api.anthropic.com"


class ConsentSubject(Protocol):
    """The part of a connector that its terms need. consent: what goes where, in English."""

    @property
    def id(self) -> str: ...
    @property
    def consent(self) -> str: ...


class ConsentTerms:
    """Terms of a deployment. recipients: everybody outside who receives words, besides the model's provider.

    embeddings: who receives the texts of course materials for the search by meaning, where the deployment has it.

    are_given: the students of this deployment agree before they come to it: the first consent to each is recorded
    without asking, every change is asked about.
    """

    def __init__(
        self,
        provider: ModelProvider,
        *,
        public_url: str,
        recipients: Sequence[Recipient] = (),
        embeddings: Recipient | None = None,
        are_given: bool = False,
    ) -> None:
        self.provider, self.are_given = provider, are_given
        self._looked_up = tuple(recipient for recipient in recipients if not is_own(recipient.address, public_url))
        self._embeddings = embeddings if embeddings and not is_own(embeddings.address, public_url) else None
        self.recipients = (*self._looked_up, *((self._embeddings,) if self._embeddings else ()))
        self._public_url = public_url

    def chat(self) -> Terms:
        """Terms of the chat: who reads what a student writes there."""
        names = [recipient.name for recipient in self._looked_up]
        chat = _CHAT_AND_OTHERS if names else _CHAT
        embeddings = self._embeddings

        def write() -> str:
            sentence = gettext(chat, model=self.model_name(), names=_listed(names))
            return f"{sentence} {gettext(_EMBEDDINGS, name=embeddings.name)}" if embeddings else sentence

        def write_lines() -> tuple[str, ...]:
            searches = gettext(_SEARCHES_GO, names=_listed(names)) if names else ""
            materials = gettext(_MATERIALS_GO, name=embeddings.name) if embeddings else ""
            return self._lines(" ".join(filter(None, (gettext(_CHAT_GOES), searches, materials))))

        return Terms(
            subject=CHAT,
            purposes=frozenset({ANSWERS, *([SEARCHES] if names else []), *([COURSE_SEARCH] if embeddings else [])}),
            source=(chat, _EMBEDDINGS) if embeddings else (chat,),
            write=write,
            write_lines=write_lines,
            provider=self.provider,
            recipients=frozenset(recipient.id for recipient in self.recipients),
        )

    def account(
        self, account: ConsentSubject, *, purposes: frozenset[str] = ACCOUNT_PURPOSES, reads: Sequence[str] = ()
    ) -> Terms:
        """Terms of a connected account: what the chat, and programs of the student's, read there.

        reads: what is read there, as short phrases in English.
        """
        has_gateway = self.provider.gateway not in ("", HERE)
        source = (account.consent, *((_THROUGH,) if has_gateway else ()), _PROGRAMS)

        def write() -> str:
            through = gettext(_THROUGH, host=_host(self.provider.gateway)) if has_gateway else ""
            return " ".join(filter(None, (gettext(account.consent), through, gettext(_PROGRAMS))))

        def write_lines() -> tuple[str, ...]:
            listed = ", ".join(map(gettext, reads))
            return self._lines(gettext(_ACCOUNT_GOES, reads=listed) if reads else gettext(_NAMED_ACCOUNT_GOES))

        return Terms(
            subject=account.id,
            purposes=purposes,
            source=source,
            write=write,
            write_lines=write_lines,
            provider=self.provider,
        )

    def _lines(self, what_goes: str) -> tuple[str, ...]:
        return gettext(_READER, model=self.model_name()), what_goes, gettext(_BACK)

    def model_name(self) -> str:
        """Name of the model with the way to it, for a sentence."""
        if self.provider.gateway == HERE:
            return gettext("a model on this server")
        if self.provider.gateway:
            return gettext("Anthropic's Claude by way of {host}", host=_host(self.provider.gateway))
        return gettext("Anthropic's Claude")

    def chat_status(self, consent: Consent | None) -> ConsentStatus:
        """Status of a student's consent to the chat today; given before it is stored, where they agree elsewhere."""
        return ConsentStatus.GIVEN if consent is None and self.are_given else status_of(consent, self.chat())

    def is_chat_agreed(self, consent: Consent | None) -> bool:
        """Whether the consent to the chat holds today."""
        return self.chat_status(consent) is ConsentStatus.GIVEN

    def require_chat(self, consent: Consent | None) -> None:
        """Raise `ConsentRequired` unless the consent to the chat holds today."""
        if not self.is_chat_agreed(consent):
            raise ConsentRequired(
                gettext("Homeroom asks for your agreement before it sends anything to the model."),
                next_step=gettext("Agree in the chat, and your message is sent."),
                address=f"{self._public_url}/",
            )

    def connection_required(self) -> ConsentRequired:
        """Error of a connection that is made without consent to the terms of today."""
        return ConsentRequired(
            gettext("Nothing was connected: you have not agreed to what goes where."),
            next_step=gettext("Press Connect, read it, and agree."),
            address=f"{self._public_url}/connections",
        )


def model_provider(base_url: str | None, public_url: str) -> ModelProvider:
    """Provider behind the model's base URL, which is None for the provider's own address."""
    if base_url is None or origin_of(base_url) == _ANTHROPIC:
        return ModelProvider(name="Anthropic")
    return ModelProvider(name="Anthropic", gateway=HERE if is_own(base_url, public_url) else origin_of(base_url))


def is_own(address: str, public_url: str) -> bool:
    """Whether an address is Homeroom's own, so that nothing which is sent there leaves it."""
    return bool(address) and origin_of(address) == origin_of(public_url)


def _listed(names: Sequence[str]) -> str:
    *some, last = names or ("",)
    return gettext("{some} and {last}", some=", ".join(some), last=last) if some else last


def _host(origin: str) -> str:
    return urlsplit(origin).netloc
