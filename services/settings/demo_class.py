"""Settings of a demo's class, and how its page asks the program that runs it to begin anew."""

from pathlib import Path

VARIABLE = "HOMEROOM_DEMO_CLASS"
"""Set by `manage.py demo` alone: the id of the class that it has made."""
MATERIAL_VARIABLE = "HOMEROOM_DEMO_MATERIAL"
"""Set by `manage.py demo` alone: the page that the presenter's script opens, as `written_page` writes it."""
_RESET = "reset.wanted"


def written_page(material_id: str, number: int) -> str:
    """A page of a course material as a setting."""
    return f"{material_id} {number}"


def parse_page(written: str) -> tuple[str, int] | None:
    """Material and number of a page that `written_page` wrote; None for "", and for anything else."""
    material_id, _, number = written.rpartition(" ")
    return (material_id, int(number)) if material_id and number.isdecimal() else None


def want_reset(data_dir: Path) -> None:
    """Ask the program that runs this demo to begin anew; it looks some times a second."""
    (data_dir / _RESET).touch(mode=0o600)


def is_reset_wanted(data_dir: Path) -> bool:
    """Whether the presenter has asked for it; what is set back has not been asked for any more."""
    return (data_dir / _RESET).exists()
