"""`manage.py check`: whether the settings, the store and the sign-in provider fit together."""

import sys
from collections.abc import Mapping
from typing import Any

from commands.console import store_of
from services import settings as configuration
from services.connections.vault import KeyRing
from services.settings import Settings

TIMEOUT_S = 10.0
_CALLBACK = "/oauth2callback"
_NO_CODE = "homeroom-check"
"""A code that no provider has given: one that accepts the secret refuses it with `invalid_grant` (RFC 6749, 5.2)."""


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
    warnings = settings.warnings()
    for warning in warnings:
        print(warning, file=sys.stderr, flush=True)
    return bool(warnings)


def sign_in_problem(settings: Settings) -> str:
    """What is wrong with OIDC_METADATA_URL, OIDC_CLIENT_ID or OIDC_CLIENT_SECRET, with what to do; "" for nothing."""
    # Loads a client, which the other commands need not wait for.
    import httpx2

    try:
        with httpx2.Client(timeout=TIMEOUT_S) as client:
            metadata = _object(client.get(settings.oidc_metadata_url))
            token_address = metadata.get("token_endpoint")
            if not isinstance(token_address, str) or configuration.web_address(token_address) is None:
                return (
                    "OIDC_METADATA_URL: what it leads to is no OpenID configuration. Take the provider's own address."
                )
            is_posted = _takes_only_posted(metadata)
            code = {"grant_type": "authorization_code", "code": _NO_CODE}
            fields = {**code, "redirect_uri": f"{settings.public_url}{_CALLBACK}"}
            pair = (settings.oidc_client_id, settings.oidc_client_secret)
            if is_posted:
                posted = {**fields, "client_id": pair[0], "client_secret": pair[1]}
                answer = client.post(token_address, data=posted)
            else:
                answer = client.post(token_address, data=fields, auth=pair)
    except (httpx2.HTTPError, ValueError):
        return "OIDC_METADATA_URL: the sign-in provider cannot be reached there, or does not answer as one."
    error = _object(answer).get("error")
    if error in ("invalid_client", "unauthorized_client") or answer.status_code == 401:
        return "OIDC_CLIENT_SECRET: the sign-in provider refuses it, or does not know OIDC_CLIENT_ID. Copy both again."
    return ""


def _takes_only_posted(metadata: Mapping[str, Any]) -> bool:
    """Whether the provider takes the secret in the form only; without a word it takes it as a header (RFC 8414)."""
    methods = metadata.get("token_endpoint_auth_methods_supported")
    return isinstance(methods, list) and "client_secret_basic" not in methods and "client_secret_post" in methods


def _object(answer: Any) -> Mapping[str, Any]:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
