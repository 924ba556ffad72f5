"""Environment of a demo's processes: nothing of a real deployment's settings but the model's key where it is wanted."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

KEPT = ("PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "VIRTUAL_ENV")
KEPT_STARTS = ("LC_", "PYTHON", "SSL_CERT", "REQUESTS_CA")
PRESENTER_EMAIL = "robin.hale@campus.example"
"""As the campus's sign-in tells it (`sandbox/class_list/personas.py`)."""
MODEL = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "HOMEROOM_MODEL_QUICK", "HOMEROOM_MODEL_THOROUGH")


@dataclass(frozen=True, kw_only=True)
class DemoAddress:
    """Where a demo is opened. host: what is bound, and nothing else is."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """What the class types."""
        return f"http://{self.host}:{self.port}"

    @property
    def campus_host(self) -> str:
        """What the campus binds while it serves alone."""
        return self.host if self.is_for_room else "127.0.0.1"

    @property
    def is_for_room(self) -> bool:
        """Whether other machines can reach it."""
        return self.host != "localhost"


def has_real_key(given: Mapping[str, str]) -> bool:
    """Whether a key of Anthropic's, or of a gateway, is set."""
    return bool(given.get("ANTHROPIC_API_KEY", "").strip())


def demo_environment(
    given: Mapping[str, str], file: Mapping[str, str], *, address: DemoAddress, data_dir: Path, is_model_real: bool
) -> dict[str, str]:
    """The environment of the server. given: of this process. file: what `.env` says, which the server reads, too: each
    of its names is set to nothing, so that no demo writes into a school's Canvas or database.
    """
    kept = {name: value for name, value in given.items() if name in KEPT or name.startswith(KEPT_STARTS)}
    model = {name: value for name, value in {**file, **given}.items() if name in MODEL and is_model_real}
    return {
        **dict.fromkeys(file, ""),
        **kept,
        **model,
        "HOMEROOM_DEMO": "1",
        "HOMEROOM_PORT": str(address.port),
        "HOMEROOM_PUBLIC_URL": address.url,
        "HOMEROOM_DATA_DIR": str(data_dir),
        "HOMEROOM_INSTRUCTORS": PRESENTER_EMAIL,
        "HOMEROOM_OPERATORS": PRESENTER_EMAIL,
        "STREAMLIT_SERVER_ADDRESS": address.host,
    }
