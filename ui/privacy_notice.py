"""Who reads what a student writes: said below the field until they have written something, on any device."""

from contextlib import suppress

from services.errors import StorageError
from services.i18n import gettext
from services.identity.students import Student
from ui import session


def privacy_notice_for(student: Student) -> str:
    """Nothing once they have written something."""
    return "" if student.knows_who_reads else _said()


def mark_notice_read(student: Student) -> None:
    """They wrote: one store write, once. The message is on its way, whatever becomes of this."""
    if not student.knows_who_reads:
        with suppress(StorageError):
            session.services().students.note_knows_who_reads(student.id)


def is_model_simulated() -> bool:
    """Whether the campus plays the model: in a demo, unless whoever runs it has set a key of their own."""
    settings = session.services().settings
    return settings.demo and (settings.anthropic_base_url or "").startswith(settings.public_url)


def _said() -> str:
    if is_model_simulated():
        return gettext(
            "In this demo a scripted model writes the answers, and nothing that you write leaves this machine."
        )
    return gettext(
        "Anthropic's Claude writes the answers. It reads your messages and files, your name and time zone, and what "
        "Homeroom looks up for you. Settings tells more."
    )
