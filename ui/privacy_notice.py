"""Privacy notice: who reads what a student writes, below the field of those who agreed before they came."""

from services.i18n import gettext
from services.identity.students import Student
from ui import session


def privacy_notice_for(student: Student) -> str:
    """Notice for this student; "" once they have written something, and where the chat itself asks them."""
    terms = session.services().consents.terms
    if student.consent is not None or not terms.are_given:
        return ""
    if is_model_simulated():
        return gettext(
            "In this demo a scripted model writes the answers, and nothing that you write leaves this machine."
        )
    return terms.chat().text


def is_model_simulated() -> bool:
    """Whether the campus simulates the model: in a demo, unless the operator has set a key of their own."""
    settings = session.services().settings
    return settings.demo and (settings.anthropic_base_url or "").startswith(settings.public_url)
