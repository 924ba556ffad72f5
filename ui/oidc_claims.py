"""What the sign-in provider says of the person who looks at this page."""

from dataclasses import dataclass, field

import streamlit as st


@dataclass(frozen=True, kw_only=True)
class OidcClaims:
    """Claims of OpenID Connect Core 1.0, section 5.1; issuer and subject are never blank, the others may be "".

    session: when the provider issued this identity (`iat`), by which one sign-in is told from another; 0 when missing.

    is_email_verified: only when the provider says so; a missing claim counts as no.
    """

    issuer: str
    subject: str
    name: str = field(repr=False)
    email: str = field(repr=False)
    is_email_verified: bool
    timezone: str
    session: int


def read_claims() -> OidcClaims | None:
    """None when the provider did not say who it is: without issuer and subject all such people would be one."""
    issuer, subject = _text("iss"), _text("sub")
    if not issuer or not subject:
        return None
    return OidcClaims(
        issuer=issuer,
        subject=subject,
        name=_text("name"),
        email=_text("email"),
        # Some providers send the word instead of the value.
        is_email_verified=st.user.get("email_verified") in (True, "true"),
        timezone=_text("zoneinfo"),
        session=issued if isinstance(issued := st.user.get("iat"), int) else 0,
    )


def _text(claim: str) -> str:
    """A claim as text; "" for one that is missing, blank or something else. Identifiers are compared to the letter."""
    value = st.user.get(claim)
    return value if isinstance(value, str) and value.strip() else ""
