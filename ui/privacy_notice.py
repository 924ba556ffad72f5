"""Privacy notice: who reads what a student writes, shown below the field until they have written something."""

from services.i18n import gettext
from services.identity.students import Student
from ui import session


def privacy_notice_for(student: Student) -> str:
    """Notice for this student; "" once they have written something, on any device."""
    return "" if student.has_read_privacy_notice else _notice()


def is_model_simulated() -> bool:
    """Whether the campus simulates the model: in a demo, unless the operator has set a key of their own."""
    settings = session.services().settings
    return settings.demo and (settings.anthropic_base_url or "").startswith(settings.public_url)


def _notice() -> str:
    if is_model_simulated():
        return gettext(
            "In this demo a scripted model writes the answers, and nothing that you write leaves this machine."
        )
    return gettext(
        "Anthropic's Claude writes the answers. It reads your messages and files, your name and time zone, and what "
        "Homeroom looks up for you. Settings tells more."
    )
