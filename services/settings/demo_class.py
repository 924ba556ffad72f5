"""Settings of a demo's class, and its way to have everything set back: `manage.py demo` sets the ones and does the other."""

from pathlib import Path

VARIABLE, BUDGET = "HOMEROOM_DEMO_CLASS", "HOMEROOM_DEMO_BUDGET"
_RESET = "reset.wanted"


def want_reset(data_dir: Path) -> None:
    """Ask the program that runs this demo to begin anew; it looks some times a second."""
    (data_dir / _RESET).touch(mode=0o600)


def is_reset_wanted(data_dir: Path) -> bool:
    """Whether the presenter has asked for it; what is set back has not been asked for any more."""
    return (data_dir / _RESET).exists()
