"""Presets: addresses of school systems that are the same at every school."""

from dataclasses import replace

from services.classes.lti.platform import LtiPlatform

CANVAS_ENVIRONMENTS = {"production": "", "beta": "beta.", "test": "test."}


def with_canvas(platform: LtiPlatform, environment: str) -> LtiPlatform:
    """Hosted Canvas: one issuer for all schools (developerdocs.instructure.com, "Launch overview").

    environment: "production", "beta" or "test".
    """
    part = CANVAS_ENVIRONMENTS[environment]
    sso = f"https://sso.{part}canvaslms.com"
    return replace(
        platform,
        issuer=platform.issuer or f"https://canvas.{part}instructure.com",
        authorization_url=platform.authorization_url or f"{sso}/api/lti/authorize_redirect",
        token_url=platform.token_url or f"{sso}/login/oauth2/token",
        jwks_url=platform.jwks_url or f"{sso}/api/lti/security/jwks",
        family="canvas",
    )


def with_moodle(platform: LtiPlatform, site: str) -> LtiPlatform:
    """A Moodle site, whose address is its issuer (docs.moodle.org, "External tool")."""
    root = site.rstrip("/")
    return replace(
        platform,
        issuer=platform.issuer or root,
        authorization_url=platform.authorization_url or f"{root}/mod/lti/auth.php",
        token_url=platform.token_url or f"{root}/mod/lti/token.php",
        jwks_url=platform.jwks_url or f"{root}/mod/lti/certs.php",
        family="moodle",
    )
