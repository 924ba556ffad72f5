"""Who is signed in: one document for each (issuer, subject), never keyed by e-mail."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Student:
    """A person who signed in. `timezone` is an IANA name; `name` and `email` are as the provider last said."""

    id: str
    name: str
    email: str
    timezone: str = "UTC"
    is_disabled: bool = False
