"""Mail: a message to open in the student's own mail program; Homeroom itself sends nothing."""

from collections.abc import Mapping

from services.integrations.mail.drafting import mail_draft

TOOLS = (mail_draft,)


def integration(extension: Mapping[str, str]) -> None:
    """There is nothing to connect."""
