"""Settings that were meant otherwise, for whoever starts Homeroom: a name that nobody reads, an address that is none.

Nothing of it stops a start: a variable may be another program's, or of a newer version that was put back.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches

KNOWN = frozenset((
    "HOMEROOM_DEMO", "HOMEROOM_PORT", "HOMEROOM_WORKERS", "HOMEROOM_DATA_DIR", "HOMEROOM_PUBLIC_URL",
    "HOMEROOM_COOKIE_SECRET", "HOMEROOM_VAULT_KEYS", "HOMEROOM_INSTRUCTORS", "HOMEROOM_OPERATORS",
    "HOMEROOM_TIMEZONE", "HOMEROOM_MCP_SERVERS", "HOMEROOM_LTI_PLATFORMS", "HOMEROOM_EGRESS_ALLOW", "MONGODB_URI",
    "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "HOMEROOM_MODEL_QUICK", "HOMEROOM_MODEL_THOROUGH",
    "HOMEROOM_COMPACT_AT", "HOMEROOM_TOOL_LOADING", "HOMEROOM_CHAT_TITLES", "HOMEROOM_CONSENT", "OIDC_METADATA_URL",
    "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "HOMEROOM_METRICS_KEY", "HOMEROOM_LOG_FORMAT", "HOMEROOM_TRACES_URL",
    "HOMEROOM_RETENTION_DAYS", "SMTP_URL", "SMTP_FROM", "HOMEROOM_VAPID_KEY", "HOMEROOM_MATERIALS_GB",
    "EMBEDDINGS_PROVIDER", "EMBEDDINGS_API_KEY", "EMBEDDINGS_BASE_URL", "CANVAS_BASE_URL", "CANVAS_CLIENT_ID",
    "CANVAS_CLIENT_SECRET", "CANVAS_ANY_PUBLIC", "GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GOOGLE_API_BASE_URL",
    "NOTION_CLIENT_ID", "NOTION_CLIENT_SECRET", "NOTION_API_BASE_URL", "GITHUB_TOKEN", "GITHUB_API_BASE_URL",
    "SEARCH_PROVIDER", "SEARCH_BASE_URL", "SEARCH_API_KEY", "BIBLIOGRAPHY_DOI_URL", "BIBLIOGRAPHY_ISBN_URL",
    "FEEDS_URLS", "CAMPUS_LINKS",
))  # fmt: skip
"""Every setting of `.env.example`."""
OWN_PREFIX = "HOMEROOM_"
_OF_COMMANDS = frozenset({"HOMEROOM_DEMO_CLASS", "HOMEROOM_DEMO_MATERIAL"})
_ADDRESS = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")
_CLOSE, _CLOSE_TO_ONE_OF_OURS, _CLOSE_ADDRESS = 0.88, 0.6, 0.7
"""How alike two names are: another program's variable must be nearly ours, one that begins as ours need not."""


def setting_warnings(environment: Mapping[str, str], *, people: Mapping[str, Collection[str]]) -> list[str]:
    """Sentences about an environment, each with what to do. people: addresses by the setting that lists them."""
    names = (name for name in sorted(environment) if name not in _OF_COMMANDS)
    return [*filter(None, map(_misspelled, names)), *_not_addresses(people)]


def _misspelled(name: str) -> str:
    meant = name.removesuffix("_FILE")
    if meant in KNOWN:
        return ""
    is_ours = name.startswith(OWN_PREFIX)
    near = get_close_matches(meant, KNOWN, n=1, cutoff=_CLOSE_TO_ONE_OF_OURS if is_ours else _CLOSE)
    if near:
        return f"{name}: nothing reads this setting. Did you mean {near[0]}?"
    return f"{name}: nothing reads this setting. Take it out, or look it up in docs/settings.md." if is_ours else ""


def _not_addresses(people: Mapping[str, Collection[str]]) -> Iterator[str]:
    everybody = sorted({person for listed in people.values() for person in listed if _ADDRESS.fullmatch(person)})
    for name, listed in people.items():
        for person in sorted(listed):
            if not _ADDRESS.fullmatch(person):
                near = get_close_matches(person.lower(), everybody, n=1, cutoff=_CLOSE_ADDRESS)
                step = f"Did you mean {near[0]}?" if near else "Write the whole address, such as anne@example.edu."
                yield f"{name}: {person} is no e-mail address, so it gives nobody a role. {step}"
