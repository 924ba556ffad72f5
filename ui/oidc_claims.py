"""OpenID Connect claims of the signed-in person."""

from dataclasses import dataclass, field

import streamlit as st


@dataclass(frozen=True, kw_only=True)
class OidcClaims:
    """Claims of OpenID Connect Core 1.0, section 5.1; issuer and subject are never blank, the others may be "".

    session: when the provider issued this identity (`iat`), which tells sign-ins apart; 0 when missing.
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
    """Claims of this session; None without issuer and subject, as all such people would be one."""
    issuer, subject = _text("iss"), _text("sub")
    if not issuer or not subject:
        return None
    return OidcClaims(
        issuer=issuer,
        subject=subject,
        name=_text("name"),
        email=_text("email"),
        # Some providers send a string instead of a boolean.
        is_email_verified=st.user.get("email_verified") in (True, "true"),
        timezone=_text("zoneinfo"),
        session=issued if isinstance(issued := st.user.get("iat"), int) else 0,
    )


def _text(claim: str) -> str:
    """Claim as text; "" when it is missing, blank or not a string. Identifiers are compared exactly."""
    value = st.user.get(claim)
    return value if isinstance(value, str) and value.strip() else ""
