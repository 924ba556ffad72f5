"""`BatchFlow`: connects several accounts after one yes, each by a sign-in with a state and a verifier of its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from services.connections.account_consents import AccountConsents
from services.connections.connect_batch import ConnectBatch, ConnectOutcome, PendingAccount
from services.connections.connect_flow import ConnectFlow
from services.connections.connection import Connection
from services.connections.connector import Connector
from services.connections.oauth_states import OAuthState
from services.errors import HomeroomError, RequestRefused
from services.i18n import gettext
from services.safety.consent import ConsentStatus, Terms

ConnectWithToken = Callable[[str, str, str, str, Terms | None], Connection]


@dataclass(frozen=True, kw_only=True)
class ChosenAccount:
    """Account that a student wants. origin: "" for the first one. token: pasted, where it is connected by one."""

    integration: str
    agreed: Terms | None
    origin: str = ""
    token: str = ""


@dataclass(frozen=True, kw_only=True)
class BatchStep:
    """What follows a step. address: of the next consent page, for the browser; "" when all have had their turn, and
    `outcomes` tells of each.
    """

    address: str = ""
    outcomes: tuple[ConnectOutcome, ...] = ()


@dataclass(kw_only=True)
class BatchFlow:
    """Takes a batch from account to account. What fails is noted and passed over; what is connected stays."""

    flow: ConnectFlow
    consents: AccountConsents
    integrations: Mapping[str, Connector]
    connected: Callable[[str], Mapping[str, Connection]]
    with_token: ConnectWithToken

    def start(
        self, student_id: str, accounts: Sequence[ChosenAccount], *, login_hint: str = "", begun_on: str = ""
    ) -> BatchStep:
        """Connect those with a token, then go to the first consent page.

        Raises `ConsentRequired` before anything is connected when one was not agreed to as it is today, and
        `RequestRefused` for one that is not offered here.
        """
        waiting = [self._pending(account) for account in accounts]
        batch = ConnectBatch(login_hint=login_hint)
        for account in accounts:
            if account.token:
                batch = self._with_token(student_id, batch, account)
        by_sign_in = zip(accounts, waiting, strict=True)
        batch = replace(batch, waiting=tuple(pending for account, pending in by_sign_in if not account.token))
        return self._next(student_id, batch, begun_on)

    def go_on(self, student_id: str, state: OAuthState, error: HomeroomError | None) -> BatchStep:
        """The step after the sign-in of this state, which was used up. error: why it connected nothing."""
        batch = (state.batch or ConnectBatch()).with_outcome(state.integration, str(error) if error else "")
        return self._next(student_id, batch, state.begun_on)

    def _next(self, student_id: str, batch: ConnectBatch, begun_on: str) -> BatchStep:
        connected = self.connected(student_id)
        while batch.waiting:
            account, *rest = batch.waiting
            batch = replace(batch, waiting=tuple(rest))
            held = connected.get(account.integration)
            if held is not None and held.health.offers_tools:
                batch = batch.with_outcome(account.integration)
                continue
            try:
                self._check_consent(account)
                address = self.flow.start_step(student_id, account, batch=batch, begun_on=begun_on)
            except HomeroomError as error:
                batch = batch.with_outcome(account.integration, str(error))
                continue
            return BatchStep(address=address, outcomes=batch.outcomes)
        return BatchStep(outcomes=batch.outcomes)

    def _pending(self, account: ChosenAccount) -> PendingAccount:
        offered = self._offered(account.integration)
        if offered.oauth is None and not account.token:
            sentence = gettext("{label} cannot be connected without its token.", label=gettext(offered.label))
            raise RequestRefused(offered.label, sentence)
        consent = self.consents.for_new_account(offered, account.agreed)
        return PendingAccount(
            integration=account.integration, origin=account.origin or offered.origins[0], consent=consent
        )

    def _check_consent(self, account: PendingAccount) -> None:
        """Raise for an account whose terms have changed since the yes, minutes ago."""
        offered = self._offered(account.integration)
        if account.consent.status(self.consents.terms(offered.id)) is not ConsentStatus.GIVEN:
            raise self.consents.connection_required()

    def _offered(self, integration: str) -> Connector:
        offered = self.integrations.get(integration)
        if offered is None or not offered.needs_account:
            label = offered.label if offered else "Homeroom"
            raise RequestRefused(label, gettext("This connection is not offered here."))
        return offered

    def _with_token(self, student_id: str, batch: ConnectBatch, account: ChosenAccount) -> ConnectBatch:
        origin = account.origin or self._offered(account.integration).origins[0]
        try:
            self.with_token(student_id, account.integration, origin, account.token, account.agreed)
        except HomeroomError as error:
            return batch.with_outcome(account.integration, str(error))
        return batch.with_outcome(account.integration)
