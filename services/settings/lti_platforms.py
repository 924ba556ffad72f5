"""Setting of school systems that may launch Homeroom (LTI 1.3), for deployments that write everything down."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from services.errors import SettingsError

VARIABLE = "HOMEROOM_LTI_PLATFORMS"
_TEXTS = ("name", "issuer", "client_id", "authorization_url", "token_url", "jwks_url")
_LISTS = ("deployments", "frames")
_MORE = ("audience", "family")
_REMEDY = (
    f"Set a JSON list of objects with {', '.join(_TEXTS)} as texts, deployments as a list of ids and, where needed, "
    "frames, audience and family; or register with `python manage.py lti add`."
)


def parse(written: str) -> Sequence[Mapping[str, Any]]:
    """Registrations as they were written; raises `SettingsError` for what is no list of them."""
    try:
        found = json.loads(written) if written else []
    except ValueError:
        found = None
    if not isinstance(found, list) or not all(_is_registration(entry) for entry in found):
        raise SettingsError(VARIABLE, "is not a list of school systems.", next_step=_REMEDY)
    return [{**entry, **{name: tuple(entry.get(name, ())) for name in _LISTS}} for entry in found]


def _is_registration(entry: object) -> bool:
    if not isinstance(entry, dict) or not set(_TEXTS) <= set(entry) <= {*_TEXTS, *_LISTS, *_MORE}:
        return False
    texts = (entry[name] for name in (*_TEXTS, *_MORE) if name in entry)
    lists = (entry.get(name, []) for name in _LISTS)
    return all(isinstance(text, str) for text in texts) and all(
        isinstance(ids, list) and all(isinstance(id, str) and id for id in ids) for ids in lists
    )
