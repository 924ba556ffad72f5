"""Settings: frozen, read once from an environment that is passed in. The only reader of the environment."""

import os
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from services.errors import SettingsError
from services.settings import demo_mode, embeddings_provider, lti_platforms, operations
from services.settings import mail_server as mail
from services.settings import mcp_servers as mcp
from services.settings.demo_mode import secret_file
from services.settings.files import dotenv, with_files
from services.settings.mail_server import MailServer
from services.settings.mcp_servers import McpServer
from services.settings.operations import OperationSettings
from services.settings.secret_keys import are_vault_keys, checked_vapid_key, is_vapid_key, new_vapid_key
from services.settings.secret_keys import new_vault_key as new_vault_key

ROOT = Path(__file__).resolve().parent.parent.parent

_DEMO_CAMPUS = "/sandbox"
_VAULT_FILE = "vault.keys"
_COOKIE_LETTERS = 32
MOST_WORKERS, MOST_GB = 64, 99_999
_REQUIRED = {
    "ANTHROPIC_API_KEY": "Create a key at console.anthropic.com and set it. For the demo, set HOMEROOM_DEMO=1 instead.",
    "OIDC_METADATA_URL": "Set the address of your sign-in provider's /.well-known/openid-configuration.",
    "OIDC_CLIENT_ID": "Register Homeroom with your sign-in provider and set the client id it gives.",
    "OIDC_CLIENT_SECRET": "Set the secret that belongs to OIDC_CLIENT_ID.",
    "HOMEROOM_PUBLIC_URL": "Set the address that students type, such as https://homeroom.example.edu.",
    "HOMEROOM_COOKIE_SECRET": "Set a random text of at least 32 characters; `python manage.py new-secret` prints one.",
    "HOMEROOM_VAULT_KEYS": "Set at least one vault key; `python manage.py new-vault-key` prints one.",
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of one deployment. Everything secret stays out of the repr.

    demo_class: id of the class that `manage.py demo` has made for a room full of people; "" anywhere else.
    demo_page: course material, and number of its page, that the script of such a demo opens.
    workers: processes that serve behind the port.
    public_url: scheme, host and port that a browser uses, without a trailing slash.
    vault_keys: "version:base64key" texts, newest first. vault_file: where a demo keeps them that was given none.
    mongodb_uri: None means SQLite in `data_dir`.
    egress_allow: exact origins that may be reached although they are not public: the operator's, and in a demo those
    of its campus, which are also `campus_origins`. mcp_servers: in the operator's order.
    consent: "ask", or "given" where students agree before they come.
    connect_together: ids of integrations whose accounts one button connects.
    materials_gb: what the course materials of all students together may take, in gigabytes as stored.
    embeddings: who makes vectors of course materials, if anybody.
    lti_platforms: fields of the school systems that were written down, as `LtiPlatform` takes them.
    mail_server, vapid_key: what e-mails and web pushes need; None and "" where students get none.
    """

    demo: bool
    demo_class: str = ""
    demo_page: tuple[str, int] | None = None
    port: int
    workers: int
    data_dir: Path
    public_url: str
    cookie_secret: str = field(repr=False)
    vault_keys: tuple[str, ...] = field(repr=False)
    vault_file: Path | None
    instructors: frozenset[str]
    operators: frozenset[str]
    egress_allow: frozenset[str]
    campus_origins: frozenset[str]
    mcp_servers: Mapping[str, McpServer]
    materials_gb: int
    embeddings: embeddings_provider.EmbeddingsSettings | None
    mail_server: MailServer | None
    vapid_key: str = field(repr=False)
    mongodb_uri: str | None = field(repr=False)
    anthropic_api_key: str = field(repr=False)
    anthropic_base_url: str | None
    model_quick: str
    model_thorough: str
    tool_loading: str
    consent: str
    connect_together: tuple[str, ...]
    oidc_metadata_url: str
    oidc_client_id: str
    oidc_client_secret: str = field(repr=False)
    environment: Mapping[str, str] = field(repr=False)
    operations: OperationSettings = field(default_factory=OperationSettings)
    lti_platforms: Sequence[Mapping[str, Any]] = ()

    @property
    def campus_url(self) -> str | None:
        """Address of the demo campus, or None outside demo mode."""
        return self.public_url + _DEMO_CAMPUS if self.demo else None

    def extension(self, id: str) -> Mapping[str, str]:
        """The settings of one integration: variables that start with the first word of its id, without that word.

        `extension("google_calendar")["CLIENT_ID"]` is the value of GOOGLE_CLIENT_ID. Empty values are left out.
        """
        prefix = id.split("_")[0].upper() + "_"
        return {name.removeprefix(prefix): v for name, v in self.environment.items() if name.startswith(prefix) and v}


def from_process() -> Settings:
    """Settings of this process; `.env` in the project's folder fills what the environment leaves out."""
    return read({**dotenv(ROOT / ".env"), **os.environ})


def process_environment() -> dict[str, str]:
    """A copy of the environment, to start a child process with."""
    return dict(os.environ)


def read(environment: Mapping[str, str]) -> Settings:
    """Settings from an environment; raises `SettingsError` that names the variable and what to do."""
    given = with_files({name: value.strip() for name, value in environment.items() if value.strip()})
    demo = _flag(given, "HOMEROOM_DEMO")
    port = _number(given, "HOMEROOM_PORT", 8501, 65535, "Set a number from 1 to 65535.")
    public_url = _public_url(given, f"http://localhost:{port}")
    data_dir = _data_dir(given)
    vault_file = data_dir / _VAULT_FILE if demo and "HOMEROOM_VAULT_KEYS" not in given else None
    if demo:
        _make_folder(data_dir)
        given = {**_demo_defaults(public_url, port, data_dir, given), **given}
    _require(given, demo=demo)
    campus_origins = frozenset(demo_mode.origins(public_url).split() if demo else ())
    egress_allow = _origins(given, "HOMEROOM_EGRESS_ALLOW") | campus_origins
    return Settings(
        demo=demo,
        demo_class=given.get(demo_mode.DEMO_CLASS, "") if demo else "",
        demo_page=demo_mode.parse_page(given.get(demo_mode.MATERIAL_VARIABLE, "")) if demo else None,
        port=port,
        workers=_number(given, "HOMEROOM_WORKERS", 1, MOST_WORKERS, "Set the machine's number of cores, or 1 for two."),
        data_dir=data_dir,
        public_url=public_url,
        cookie_secret=_cookie_secret(given),
        vault_keys=_words(given.get("HOMEROOM_VAULT_KEYS", "")),
        vault_file=vault_file,
        instructors=frozenset(_words(given.get("HOMEROOM_INSTRUCTORS", ""))),
        operators=frozenset(_words(given.get("HOMEROOM_OPERATORS", ""))),
        egress_allow=egress_allow,
        campus_origins=campus_origins,
        mcp_servers=_mcp_servers(given, egress_allow),
        lti_platforms=lti_platforms.parse(given.get(lti_platforms.VARIABLE, "")),
        materials_gb=_number(
            given, "HOMEROOM_MATERIALS_GB", 50, MOST_GB, "Set what the store has room for, such as 50."
        ),
        embeddings=embeddings_provider.parse(given, base_url=_address(given, embeddings_provider.BASE_URL, "")),
        mail_server=mail.parse(given, public_host=urlsplit(public_url).hostname or ""),
        vapid_key=checked_vapid_key(given.get("HOMEROOM_VAPID_KEY", "")),
        mongodb_uri=_mongodb_uri(given),
        anthropic_api_key=given["ANTHROPIC_API_KEY"],
        anthropic_base_url=_address(given, "ANTHROPIC_BASE_URL", "") or None,
        model_quick=given.get("HOMEROOM_MODEL_QUICK", "claude-haiku-5-5"),
        model_thorough=given.get("HOMEROOM_MODEL_THOROUGH", "claude-sonnet-5-5"),
        tool_loading=_choice(given, "HOMEROOM_TOOL_LOADING", ("auto", "frozen", "append", "per_message")),
        consent=_choice(given, "HOMEROOM_CONSENT", ("ask", "given")),
        connect_together=_words(given.get("HOMEROOM_CONNECT_TOGETHER", "")),
        oidc_metadata_url=_address(given, "OIDC_METADATA_URL", ""),
        oidc_client_id=given["OIDC_CLIENT_ID"],
        oidc_client_secret=given["OIDC_CLIENT_SECRET"],
        environment=given,
        operations=operations.parse(given, traces_url=_address(given, operations.TRACES, "")),
    )


def _demo_defaults(public_url: str, port: int, data_dir: Path, given: Mapping[str, str]) -> dict[str, str]:
    """Point everything that is not set at the demo campus."""
    campus = public_url + _DEMO_CAMPUS
    model = (
        {}
        if "ANTHROPIC_API_KEY" in given
        else {"ANTHROPIC_API_KEY": "demo", "ANTHROPIC_BASE_URL": f"{campus}/anthropic"}
    )
    return {
        **model,
        "HOMEROOM_PUBLIC_URL": public_url,
        "HOMEROOM_COOKIE_SECRET": secret_file(
            data_dir / "cookie.secret",
            lambda: secrets.token_urlsafe(48),
            is_sound=lambda text: len(text) >= _COOKIE_LETTERS,
        ),
        "HOMEROOM_VAULT_KEYS": secret_file(data_dir / _VAULT_FILE, new_vault_key, is_sound=are_vault_keys),
        "HOMEROOM_VAPID_KEY": secret_file(data_dir / "vapid.key", new_vapid_key, is_sound=is_vapid_key),
        "HOMEROOM_CONSENT": "given",
        "HOMEROOM_CONNECT_TOGETHER": ",".join(demo_mode.ACCOUNTS),
        "HOMEROOM_CHAT_TITLES": "words",
        mail.VARIABLE: demo_mode.mail_server(port),
        **demo_mode.addresses(campus),
    }


def _require(given: Mapping[str, str], *, demo: bool) -> None:
    for name, remedy in _REQUIRED.items():
        if name not in given and not (demo and name.startswith("HOMEROOM_")):
            raise SettingsError(name, "is not set.", next_step=remedy)


def _flag(given: Mapping[str, str], name: str) -> bool:
    value = given.get(name, "0").lower()
    if value not in ("0", "1", "true", "false", "yes", "no"):
        raise SettingsError(name, "is neither 1 nor 0.", next_step="Set it to 1 or 0.")
    return value in ("1", "true", "yes")


def _choice(given: Mapping[str, str], name: str, known: Sequence[str]) -> str:
    """One of the known values; the first one when it is not set."""
    wanted = given.get(name, known[0])
    if wanted not in known:
        raise SettingsError(name, "is not known.", next_step=f"Set one of {', '.join(known)}.")
    return wanted


def _number(given: Mapping[str, str], name: str, default: int, most: int, next_step: str) -> int:
    """A whole number from 1 to `most`."""
    value = given.get(name, str(default))
    if not value.isdecimal() or len(value) > len(str(most)) or not 1 <= int(value) <= most:
        raise SettingsError(name, f"is not a number from 1 to {most}.", next_step=next_step)
    return int(value)


def web_address(text: str) -> SplitResult | None:
    """The parts of an http(s) address; None for what is none, and for one with a user, password or fragment in it."""
    try:
        parts = urlsplit(text)
        is_sound = parts.port != 0
    except ValueError:
        return None
    has_odd_letters = any(letter in '\\<>"' or letter < "!" for letter in text)
    is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    return None if has_odd_letters or not is_web or not is_sound or "@" in parts.netloc or parts.fragment else parts


def _address(given: Mapping[str, str], name: str, default: str) -> str:
    value = given.get(name, default).rstrip("/")
    if value and web_address(value) is None:
        raise SettingsError(
            name, "is not an http(s) address.", next_step="Set a full address, such as https://homeroom.example.edu."
        )
    return value


def _public_url(given: Mapping[str, str], default: str) -> str:
    value = _address(given, "HOMEROOM_PUBLIC_URL", default)
    if not _is_origin(value):
        remedy = "Set scheme and host alone, such as https://homeroom.example.edu."
        raise SettingsError("HOMEROOM_PUBLIC_URL", "has more in it than a host.", next_step=remedy)
    return value


def _is_origin(text: str) -> bool:
    parts = web_address(text)
    return parts is not None and not parts.path and "?" not in text and "#" not in text


def _origins(given: Mapping[str, str], name: str) -> frozenset[str]:
    origins = _words(given.get(name, ""))
    if not all(_is_origin(origin) for origin in origins):
        example = "Write each one like https://canvas.example.edu, without a path."
        raise SettingsError(name, "holds something that is not an origin.", next_step=example)
    return frozenset(origins)


def _data_dir(given: Mapping[str, str]) -> Path:
    try:
        return Path(given.get("HOMEROOM_DATA_DIR", str(ROOT / "data"))).expanduser().resolve()
    except (RuntimeError, OSError, ValueError):
        remedy = "Set the full path of a folder that this user may write to."
        raise SettingsError("HOMEROOM_DATA_DIR", "is not the path of a folder.", next_step=remedy) from None


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        if disk := demo_mode.disk_error(error, folder.parent):
            raise disk from error
        remedy = "Set a folder that this user may write to."
        raise SettingsError("HOMEROOM_DATA_DIR", f"cannot be made ({error.strerror}).", next_step=remedy) from error


def _cookie_secret(given: Mapping[str, str]) -> str:
    value = given["HOMEROOM_COOKIE_SECRET"]
    if len(value) < _COOKIE_LETTERS:
        raise SettingsError("HOMEROOM_COOKIE_SECRET", "is too short.", next_step=_REQUIRED["HOMEROOM_COOKIE_SECRET"])
    return value


def _mongodb_uri(given: Mapping[str, str]) -> str | None:
    value = given.get("MONGODB_URI")
    if value and not value.startswith(("mongodb://", "mongodb+srv://")):
        remedy = "It starts with mongodb:// or mongodb+srv://."
        raise SettingsError("MONGODB_URI", "is not a MongoDB address.", next_step=remedy)
    return value


def _mcp_servers(given: Mapping[str, str], plain_http: Collection[str]) -> dict[str, McpServer]:
    """A command gets where programs are and where home is from us, and nothing else."""
    base = {name: given[name] for name in ("PATH", "HOME") if name in given}
    return mcp.parse(given.get(mcp.VARIABLE, ""), base=base, plain_http=plain_http)


def _words(value: str) -> tuple[str, ...]:
    return tuple(word for word in value.replace(",", " ").split() if word)
