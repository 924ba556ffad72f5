"""Settings from files: `.env`, and secrets that are mounted into containers, where NAME_FILE names the file of NAME."""

from collections.abc import Mapping
from pathlib import Path

from services.errors import SettingsError

_SUFFIX = "_FILE"
_OURS = ("HOMEROOM_", "MONGODB_", "ANTHROPIC_", "OIDC_", "SMTP_", "EMBEDDINGS_")
_SECRET = ("_SECRET", "_KEY", "_KEYS", "_TOKEN", "_PASSWORD")
_INTEGRATIONS = Path(__file__).resolve().parents[1] / "integrations"
_LONGEST = 1_000_000


def with_files(given: Mapping[str, str]) -> dict[str, str]:
    """The environment with what the files hold; raises `SettingsError` for one that cannot be read.

    Only for names of ours, and for the secrets of an integration: programs beside us have such variables, too.
    """
    found = dict(given)
    for name in given:
        setting = name.removesuffix(_SUFFIX)
        if setting != name and _is_ours(setting):
            if setting in given:
                raise SettingsError(name, f"is set, and so is {setting}.", next_step="Set one of the two.")
            found[setting] = _content(name, Path(given[name]))
    return found


def _is_ours(setting: str) -> bool:
    return setting.startswith(_OURS) or (setting.endswith(_SECRET) and setting.split("_")[0] in _integrations())


def _integrations() -> set[str]:
    return {path.name.split("_")[0].upper() for path in _INTEGRATIONS.iterdir() if path.is_dir()}


def _content(name: str, file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as opened:
            text = opened.read(_LONGEST).strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no plain text"
        step = "Name a file that the user that runs Homeroom may read."
        raise SettingsError(name, f"names {file}, which cannot be read ({reason}).", next_step=step) from None
    if not text:
        raise SettingsError(name, f"names {file}, which is empty.", next_step="Write the value into it.")
    return text


def dotenv(path: Path) -> dict[str, str]:
    """NAME=value lines; a line that starts with # is a comment, quotes around a value are dropped."""
    if not path.is_file():
        return {}
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise SettingsError(".env", "cannot be read.", next_step=f"Save {path} as plain text (UTF-8).") from None
    lines = (line.strip() for line in text.splitlines())
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#") and "=" in line)
    return {name.removeprefix("export ").strip(): value.strip().strip("'\"") for name, _, value in pairs}
