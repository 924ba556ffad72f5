"""Account that an approval was made for: in another account the write would do what nobody approved."""

from collections.abc import Mapping

from services.approvals.approval import Approval
from services.connections import messages
from services.connections.connection import Connection
from services.errors import ApprovalError
from services.i18n import gettext, gettext_noop
from services.runtime.clock import stamp
from services.tools.toolbox import Toolbox

_ANOTHER = gettext_noop("Another {label} account is connected now than the one this was made for.")
_STEP = gettext_noop("Ask for it again, or connect that account again. Nothing was changed.")


def account_mark(connections: Mapping[str, Connection], integration: str | None) -> str:
    """Identifier of the account that a card is made with; "" for a card that needs none.

    The service's own id of it. Where that is not known, the moment it was connected: then the same account counts as
    another once it is connected again, which costs a second asking and no wrong write.
    """
    connection = connections.get(integration or "")
    return "" if connection is None else _marks(connection)[0]


def refuse_another_account(approval: Approval, toolbox: Toolbox) -> None:
    """Raise `ApprovalError` when the account that is connected now is not the one the card was made with."""
    connection = toolbox.connections.get(approval.integration or "")
    if not approval.made_for or (connection is not None and approval.made_for in _marks(connection)):
        return
    label = label_of(toolbox, approval.integration)
    if connection is None:
        raise ApprovalError(messages.not_connected_any_more(label), next_step=gettext(_STEP))
    raise ApprovalError(gettext(_ANOTHER, label=label), next_step=gettext(_STEP))


def label_of(toolbox: Toolbox, integration: str | None) -> str:
    """The integration's name for a student; "" when it is not offered."""
    offered = toolbox.container.integrations.get(integration or "")
    return gettext(offered.label) if offered else ""


def _marks(connection: Connection) -> tuple[str, ...]:
    """Identifiers, the surest first: an id may become known only after the card was made."""
    ids = [connection.account_id] if connection.account_id else []
    return tuple(f"{connection.origin} {mark}" for mark in (*ids, stamp(connection.connected_at)))
