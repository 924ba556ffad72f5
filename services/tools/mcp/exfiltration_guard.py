"""Guard against exfiltration: a tool that only reads could otherwise send what the model knows to any address."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from services.safety.fetch.errors import AddressRefused
from services.safety.markdown.escape import split_address
from services.safety.text import plain
from services.tools.context import ToolExecutionContext

_LEADS = re.compile(
    r"(?:https?:[/\\]*(?=[\w\[@%])|(?:(?:ftps?|sftp|wss?|ssh|git|smb|ldaps?|gopher)(?:\+\w+)?:|(?<![\w:/.-]))//|file://(?!/))"
    r"[^\s<>\"`]+",
    re.IGNORECASE,
)
"""URLs that some library would connect to: those of browsers take "http:host" for an address, too, and "//host"."""
_WHERE = re.compile(
    r"(?:^|_|-|(?<=[a-z]))(?:ur[il]s?|href|links?|hosts?|hostname|domains?|website|endpoint|webhook)$", re.I
)
_BARE = re.compile(r"^(?![a-z][a-z0-9+-]*:/).*\w[.:]\w", re.IGNORECASE | re.DOTALL)
"""Addresses without a scheme in such a field, and no address of the server's own ("notes://3", "file:///srv/x")."""
_MOST_PUNCTUATION = 2


def refuse_unseen_addresses(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> None:
    """Raise `AddressRefused` unless each address in the arguments is known in this conversation."""
    for name, text in _texts(arguments, ""):
        forms = {text, plain(text), unquote(text)}
        for form in forms:
            for match in _LEADS.finditer(form):
                _require_either(context, *_readings(match[0]))
        if _WHERE.search(name) and _BARE.search(text.strip()) and not any(_LEADS.search(form) for form in forms):
            _require_either(context, f"https://{text.strip()}", f"http://{text.strip()}")


def _readings(match: str) -> tuple[str, ...]:
    """The address as it stands, and without the sentence's punctuation, unless that is more than a sentence has."""
    address, rest = split_address(match)
    return (match, address) if len(rest) <= _MOST_PUNCTUATION else (match,)


def _require_either(context: ToolExecutionContext, first: str, *others: str) -> None:
    try:
        context.require_known(first)
    except AddressRefused:
        if not others:
            raise
        _require_either(context, *others)


def _texts(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Every text in a JSON value with the name of its field; keys as well."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield "", str(key)
            yield from _texts(item, str(key))
    elif isinstance(value, Sequence):
        for item in value:
            yield from _texts(item, name)
