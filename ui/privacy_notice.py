"""Whether a simulated model writes the answers, so that pages can say that nothing leaves this machine."""

from ui import session


def is_model_simulated() -> bool:
    """Whether the campus simulates the model: in a demo, unless the operator has set a key of their own."""
    settings = session.services().settings
    return settings.demo and (settings.anthropic_base_url or "").startswith(settings.public_url)
