"""Setting of a demo's class, and how its page asks the program that runs it to begin anew."""

from pathlib import Path

VARIABLE = "HOMEROOM_DEMO_CLASS"
"""Set by `manage.py demo` alone: the id of the class that it has made."""
_RESET = "reset.wanted"


def want_reset(data_dir: Path) -> None:
    """Ask the program that runs this demo to begin anew; it looks some times a second."""
    (data_dir / _RESET).touch(mode=0o600)


def is_reset_wanted(data_dir: Path) -> bool:
    """Whether the presenter has asked for it; what is set back has not been asked for any more."""
    return (data_dir / _RESET).exists()
