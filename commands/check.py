"""`manage.py check`: whether the settings, the store and the sign-in provider fit together.

What was probably meant otherwise stops no start: a variable may be another program's, or a newer version's.
"""

import base64
import json
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from http import HTTPStatus
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit

from commands.console import store_of
from services import settings as configuration
from services.connections.vault import KeyRing
from services.errors import ServiceError
from services.safety.fetch import FetchedPage, SafeFetch
from services.settings import Settings

TIMEOUT_S, LARGEST_ANSWER = 10.0, 100_000
_CLIENT_REFUSED = ("invalid_client", "unauthorized_client")
_CALLBACK = "/oauth2callback"
_NO_CODE = "homeroom-check"
"""A code that no provider has given: one that accepts the secret refuses it with `invalid_grant` (RFC 6749, 5.2)."""


KNOWN = frozenset((
    "HOMEROOM_DEMO", "HOMEROOM_PORT", "HOMEROOM_WORKERS", "HOMEROOM_DATA_DIR", "HOMEROOM_PUBLIC_URL",
    "HOMEROOM_COOKIE_SECRET", "HOMEROOM_VAULT_KEYS", "HOMEROOM_INSTRUCTORS", "HOMEROOM_OPERATORS",
    "HOMEROOM_TIMEZONE", "HOMEROOM_MCP_SERVERS", "HOMEROOM_LTI_PLATFORMS", "HOMEROOM_EGRESS_ALLOW", "MONGODB_URI",
    "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "HOMEROOM_MODEL_QUICK", "HOMEROOM_MODEL_THOROUGH",
    "HOMEROOM_COMPACT_AT", "HOMEROOM_TOOL_LOADING", "HOMEROOM_CHAT_TITLES", "HOMEROOM_CONSENT",
    "HOMEROOM_CONNECT_TOGETHER", "OIDC_METADATA_URL", "OIDC_CLIENT_ID",
    "OIDC_CLIENT_SECRET", "HOMEROOM_METRICS_KEY", "HOMEROOM_LOG_FORMAT", "HOMEROOM_TRACES_URL",
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


def check() -> int:
    """Look at the settings, open the store, and ask the sign-in provider whether it knows the client and its secret."""
    settings = configuration.from_process()
    KeyRing.parse(settings.vault_keys)
    warnings = tell_warnings(settings)
    with store_of(settings):
        print("The store opens.")
    problem = sign_in_problem(settings)
    print(problem or "The sign-in provider answers, and refuses neither the client nor its secret.")
    return 1 if problem or warnings else 0


def tell_warnings(settings: Settings) -> bool:
    """Print what was probably meant otherwise; whether there is anything."""
    people = {"HOMEROOM_INSTRUCTORS": settings.instructors, "HOMEROOM_OPERATORS": settings.operators}
    warnings = setting_warnings(settings.environment, people=people)
    for warning in warnings:
        print(warning, file=sys.stderr, flush=True)
    return bool(warnings)


def sign_in_problem(settings: Settings) -> str:
    """What is wrong with OIDC_METADATA_URL, OIDC_CLIENT_ID or OIDC_CLIENT_SECRET, with what to do; "" for nothing."""
    try:
        metadata = _object(_fetch_of(settings.oidc_metadata_url).get(settings.oidc_metadata_url, timeout_s=TIMEOUT_S))
        token_address = metadata.get("token_endpoint")
        if not isinstance(token_address, str) or configuration.web_address(token_address) is None:
            return "OIDC_METADATA_URL: what it leads to is no OpenID configuration. Take the provider's own address."
        answer = _ask_for_token(settings, token_address, is_posted=_takes_only_posted(metadata))
    except ServiceError:
        return "OIDC_METADATA_URL: the sign-in provider cannot be reached there. Look at the address and the network."
    refusal = _object(answer).get("error")
    if answer.status == HTTPStatus.UNAUTHORIZED or refusal in _CLIENT_REFUSED:
        return "OIDC_CLIENT_SECRET: the sign-in provider refuses it, or does not know OIDC_CLIENT_ID. Copy both again."
    if answer.is_good or not isinstance(refusal, str):
        return (
            "OIDC_METADATA_URL: what answers for the sign-in provider is something else. Look at the network between."
        )
    return ""


def _ask_for_token(settings: Settings, address: str, *, is_posted: bool) -> FetchedPage:
    """Ask with a code that is none. is_posted: the secret goes into the form, not into a header."""
    pair = (settings.oidc_client_id, settings.oidc_client_secret)
    fields = {
        "grant_type": "authorization_code",
        "code": _NO_CODE,
        "redirect_uri": f"{settings.public_url}{_CALLBACK}",
        **({"client_id": pair[0], "client_secret": pair[1]} if is_posted else {}),
    }
    headers = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
    if not is_posted:
        # Both are form-encoded first (RFC 6749, section 2.3.1).
        sealed = base64.b64encode(":".join(map(quote_plus, pair)).encode()).decode()
        headers["authorization"] = f"Basic {sealed}"
    body = urlencode(fields).encode()
    return _fetch_of(address).once(
        "POST", address, headers=headers, body=body, limit_bytes=LARGEST_ANSWER, timeout_s=TIMEOUT_S
    )


def _fetch_of(address: str) -> SafeFetch:
    """The operator named this address: it may be in the school's own network."""
    parts = urlsplit(address)
    return SafeFetch(allow=frozenset({f"{parts.scheme}://{parts.netloc}"}))


def _takes_only_posted(metadata: Mapping[str, Any]) -> bool:
    """Whether the provider takes the secret in the form only; without a word it takes it as a header (RFC 8414)."""
    methods = metadata.get("token_endpoint_auth_methods_supported")
    return isinstance(methods, list) and "client_secret_basic" not in methods and "client_secret_post" in methods


def _object(answer: FetchedPage) -> Mapping[str, Any]:
    try:
        body = json.loads(answer.body)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


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
