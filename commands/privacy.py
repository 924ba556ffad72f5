"""Command that prints what a school's privacy officer asks of this deployment."""

from commands.console import everything
from services.privacy.privacy_record import privacy_record, record_text


def privacy() -> int:
    """Print the record for the privacy officer as Markdown: data, purposes, recipients, how long, GDPR and FERPA."""
    with everything() as services:
        print(record_text(privacy_record(services.settings, services.consents.terms)), end="")
    return 0
