"""Connect flows: OAuth, a pasted token, or no account. Nothing is stored before the service has said whose it is."""

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlencode

from services.connections import messages
from services.connections.account_consents import AccountConsents
from services.connections.connect_batch import ConnectBatch, PendingAccount
from services.connections.connection import (
    COLLECTION,
    NO_ACCOUNT,
    OAUTH,
    PASTED,
    Connection,
    from_document,
    to_document,
)
from services.connections.connector import Account, Connector, Grant, OAuthClient
from services.connections.oauth_states import OAuthState, OAuthStates
from services.connections.revocations import Revocations
from services.connections.vault import Credentials, Vault
from services.errors import (
    BadArguments,
    ReconnectRequired,
    RequestRefused,
    SealBroken,
    ServiceError,
)
from services.i18n import gettext
from services.runtime.clock import Clock
from services.safety.consent import Consent, Terms
from services.storage.store import Store

_LONGEST_TOKEN = 1000
_INVISIBLE = re.compile(r"[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")
_AROUND = " \t\r\n\u00a0\u2007\u202f\u3000\"'`“”‘’«»<>"
"""Characters around a token that come along when it is copied."""
_TOKEN_PREFIX = re.compile(r"(?:authorization\s*:\s*)?(?:bearer|token)[\s:]+", re.IGNORECASE)


class ConnectFlow:
    """Flows that make connections. `redirect_uri` is where every service sends the student back to."""

    def __init__(
        self,
        *,
        store: Store,
        vault: Vault,
        credentials: Credentials,
        revocations: Revocations,
        integrations: Mapping[str, Connector],
        clock: Clock,
        redirect_uri: str,
        consents: AccountConsents,
    ) -> None:
        self._consents = consents
        self._store, self._credentials, self._integrations = store, credentials, integrations
        self._clock, self._redirect_uri, self._revocations = clock, redirect_uri, revocations
        self._states = OAuthStates(store=store, vault=vault, clock=clock)

    def start_oauth(
        self, student_id: str, integration: str, *, origin: str | None, agreed: Terms | None, begun_on: str = ""
    ) -> str:
        """The address of the consent page, to send the browser to."""
        offered, oauth = self._with_oauth(integration)
        chosen, consent = _chosen_origin(offered, origin), self._consents.for_new_account(offered, agreed)
        state, verifier = self._states.create(
            student_id, integration=integration, origin=chosen, consent=consent, begun_on=begun_on
        )
        return oauth.authorize_url(origin=chosen, redirect_uri=self._redirect_uri, state=state, verifier=verifier)

    def start_step(self, student_id: str, account: PendingAccount, *, batch: ConnectBatch, begun_on: str) -> str:
        """The address of the consent page of an account that was agreed to with others. batch: what follows it."""
        offered, oauth = self._with_oauth(account.integration)
        chosen = _chosen_origin(offered, account.origin)
        state, verifier = self._states.create(
            student_id,
            integration=offered.id,
            origin=chosen,
            consent=account.consent,
            begun_on=begun_on,
            batch=batch,
        )
        address = oauth.authorize_url(origin=chosen, redirect_uri=self._redirect_uri, state=state, verifier=verifier)
        return f"{address}&{urlencode({'login_hint': batch.login_hint})}" if batch.login_hint else address

    def begun_on(self, student_id: str, state: str) -> str:
        """The page on which the student set out."""
        return self._states.begun_on(student_id, state)

    def finish_oauth(
        self, student_id: str, *, state: str, code: str | None, error: str | None, issuer: str | None = None
    ) -> Connection:
        """The stored connection of a callback. issuer: its `iss`; the answer of another service is not taken."""
        return self.finish_state(student_id, self.redeem(student_id, state), code=code, error=error, issuer=issuer)

    def redeem(self, student_id: str, state: str) -> OAuthState:
        """Use up a state; raises `RequestRefused` for one that is not this student's, was used or is too old."""
        state_data = self._states.redeem(student_id, state)
        if state_data is None:
            raise RequestRefused(
                "Homeroom",
                gettext("This sign-in link was already used, is older than ten minutes, or was not started by you."),
                next_step=gettext(messages.CONNECT_AGAIN),
            )
        return state_data

    def finish_state(
        self, student_id: str, state_data: OAuthState, *, code: str | None, error: str | None, issuer: str | None
    ) -> Connection:
        """The stored connection of a callback whose state was used up."""
        offered, oauth = self._with_oauth(state_data.integration)
        # One that was begun before consents were stored has none.
        consent = state_data.consent or self._consents.for_new_account(offered, None)
        if issuer is not None and issuer.rstrip("/") not in oauth.issuers(state_data.origin):
            raise messages.answer_of_another_service(offered.label)
        if error or not code:
            raise messages.not_granted(offered.label, error)
        grant = self._exchanged(oauth, state_data, code)
        with self._ended_unless_kept(student_id, offered, oauth, grant):
            if grant.expires_at is not None and grant.refresh_token is None:
                raise messages.not_lasting(offered.label)
            account = offered.identify(grant)
        ends = grant.expires_at
        return self._stored(student_id, offered, grant, account, method=OAUTH, expires_at=ends, consent=consent)

    def with_token(
        self, student_id: str, integration: str, *, origin: str, token: str, agreed: Terms | None
    ) -> Connection:
        """The stored connection of a pasted token."""
        offered = self._integrations[integration]
        if not offered.accepts_token:
            sentence = gettext("{label} cannot be connected with a token here.", label=gettext(offered.label))
            raise RequestRefused(offered.label, sentence)
        consent = self._consents.for_new_account(offered, agreed)
        cleaned_token = offered.read_token(token) if offered.read_token else _checked_token(token)
        grant = Grant(origin=_named_origin(offered, origin), access_token=cleaned_token)
        try:
            account = offered.identify(grant)
        except ReconnectRequired as refusal:
            unknown = gettext(
                "{label} does not know this token. It may be cut off, expired or deleted there.",
                label=gettext(offered.label),
            )
            sentence = str(refusal) if offered.read_token else unknown
            raise RequestRefused(offered.label, sentence, next_step=gettext(offered.token_help)) from None
        self._refuse_another_account(student_id, offered, grant, account)
        expires_at = account.expires_at or (self._clock() + offered.token_lifetime if offered.token_lifetime else None)
        return self._stored(student_id, offered, grant, account, method=PASTED, expires_at=expires_at, consent=consent)

    def without_account(self, student_id: str, integration: str) -> Connection:
        """The stored connection of what anybody may have with one click."""
        offered = self._integrations.get(integration)
        if offered is None or offered.begins is None:
            label = offered.label if offered else "Homeroom"
            raise RequestRefused(
                label, gettext("This cannot be connected without an account."), next_step=gettext("Press Connect.")
            )
        grant = offered.begins()
        return self._stored(
            student_id, offered, grant, offered.identify(grant), method=NO_ACCOUNT, expires_at=grant.expires_at
        )

    def _with_oauth(self, integration: str) -> tuple[Connector, OAuthClient]:
        offered = self._integrations.get(integration)
        if offered is None or offered.oauth is None:
            label = offered.label if offered else "Homeroom"
            raise RequestRefused(
                label, gettext("This connection is not offered here."), next_step=gettext("Choose another one.")
            )
        return offered, offered.oauth

    def _exchanged(self, oauth: OAuthClient, state_data: OAuthState, code: str) -> Grant:
        grant = oauth.exchange(
            origin=state_data.origin, redirect_uri=self._redirect_uri, code=code, verifier=state_data.verifier
        )
        return replace(grant, origin=state_data.origin)

    @contextlib.contextmanager
    def _ended_unless_kept(
        self, student_id: str, offered: Connector, oauth: OAuthClient, grant: Grant
    ) -> Iterator[None]:
        """End a grant that is not kept at its service, unless its end may take along what the student has."""
        try:
            yield
        except ServiceError:
            if not oauth.ends_account or self._store.for_student(student_id).get(COLLECTION, offered.id) is None:
                with contextlib.suppress(ServiceError):
                    oauth.revoke(grant)
            raise

    def _refuse_another_account(self, student_id: str, offered: Connector, grant: Grant, account: Account) -> None:
        """Raise for a token of another account than the one that is connected: a friend's, pasted by mistake."""
        before = self._store.for_student(student_id).get(COLLECTION, offered.id)
        known = from_document(before) if before else None
        if known is None or not known.account_id or not account.id:
            return
        if (known.origin, known.account_id) != (grant.origin, account.id):
            label, names = gettext(offered.label), {"theirs": account.name, "yours": known.account}
            raise RequestRefused(
                label,
                gettext("This token belongs to {theirs}, and you are connected as {yours}.", **names),
                next_step=gettext(
                    "Nothing was changed. Paste a token of {yours}, or disconnect {label} first to use the other one.",
                    label=label,
                    yours=known.account,
                ),
            )

    def _stored(
        self,
        student_id: str,
        offered: Connector,
        grant: Grant,
        account: Account,
        *,
        method: str,
        expires_at: datetime | None,
        consent: Consent | None = None,
    ) -> Connection:
        now, documents = self._clock(), self._store.for_student(student_id)
        document = documents.get(COLLECTION, offered.id)
        before = from_document(document) if document else None
        self._end_older(student_id, offered, grant, account, before)
        connection = Connection(
            integration=offered.id,
            account=account.name,
            account_id=account.id,
            origin=grant.origin,
            method=method,
            scopes=grant.scopes,
            expires_at=expires_at,
            is_refreshable=grant.refresh_token is not None,
            seen_at=now,
            connected_at=now,
            consent=consent,
            # Milliseconds, so that a version never comes twice, not even after a disconnect.
            version=max((before.version if before else 0) + 1, int(now.timestamp() * 1000)),
            blocking=before.blocking if before and (offered.oauth is None or before.account_id == account.id) else {},
            sealed=self._credentials.seal(grant, student_id=student_id, integration=offered.id),
        )
        documents.put(COLLECTION, to_document(connection))
        return connection

    def _end_older(
        self, student_id: str, offered: Connector, grant: Grant, account: Account, before: Connection | None
    ) -> None:
        """See to it that a grant which nobody will use any more ends at its service, and the new one lives.

        Canvas ends one token at a time. Google's revocation takes the app off the account's list, with every token
        that the account ever gave us (developers.google.com/identity/protocols/oauth2/web-server#tokenrevoke), and
        Notion's is that of the one bot an account has with us: there the older grant of the same account is left, it
        ends with the newer one at the disconnect.
        """
        ends_account = offered.oauth is not None and offered.oauth.ends_account
        if ends_account:
            self._revocations.spare(student_id, offered.id, account.id)
        if before is None or (ends_account and before.account_id in ("", account.id)):
            return
        if before.method == OAUTH or not self._is_the_same(student_id, before, grant):
            self._revocations.queue(student_id, before, is_replaced=True)

    def _is_the_same(self, student_id: str, before: Connection, grant: Grant) -> bool:
        """Whether a token was pasted again; one that does not open may be."""
        try:
            return self._credentials.open(student_id, before).access_token == grant.access_token
        except SealBroken:
            return True


def gives_way(offered: Connector, own: Connector) -> bool:
    """Whether `offered` is only there until the student has an account like `own`."""
    return own.needs_account and bool(offered.gives_way_to) and offered.gives_way_to == own.category


def not_beside(offered: Connector, own: Connector) -> RequestRefused:
    label, service = gettext(offered.label), gettext(own.label)
    sentence = gettext("{label} is not offered while {service} is connected.", label=label, service=service)
    return RequestRefused(label, sentence, next_step=gettext("Ask about your own courses in the chat."))


def _chosen_origin(offered: Connector, origin: str | None) -> str:
    """Only an address that the operator listed; a token is never sent anywhere else."""
    if origin is None:
        return offered.origins[0]
    chosen = origin.strip().rstrip("/")
    if chosen not in offered.origins:
        label, choices = gettext(offered.label), ", ".join(offered.origins)
        sentence = gettext(
            "This is not a {label} address that Homeroom may use: {choices}.", label=label, choices=choices
        )
        raise BadArguments(sentence, field="origin")
    return chosen


def _named_origin(offered: Connector, origin: str) -> str:
    """For a token, one that the student names, too, where the operator lets them."""
    is_listed = origin.strip().rstrip("/") in offered.origins
    return offered.read_origin(origin) if offered.read_origin and not is_listed else _chosen_origin(offered, origin)


def _checked_token(token: str) -> str:
    """A token as it was meant: without what copying brings along, such as invisible characters or "Bearer "."""
    cleaned = _TOKEN_PREFIX.sub("", _INVISIBLE.sub("", token).strip(_AROUND)).strip(_AROUND)
    if not cleaned:
        raise BadArguments(gettext("Paste your token first."), field="token")
    if len(cleaned) > _LONGEST_TOKEN or not cleaned.isascii() or any(not "!" <= letter <= "~" for letter in cleaned):
        raise BadArguments(gettext("A token is one word without spaces. Copy it again, all of it."), field="token")
    return cleaned
