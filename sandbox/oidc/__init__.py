"""The campus's sign-in: an OpenID provider whose page lets you pick a person."""

from starlette.routing import BaseRoute

from sandbox.campus import Campus
from sandbox.oidc.keys import SigningKey
from sandbox.oidc.provider import Provider


def routes(campus: Campus) -> list[BaseRoute]:
    """Every route, relative to /sandbox/oidc."""
    return Provider(campus).routes()


def seed(campus: Campus) -> None:
    """Make the signing key, unless there is one."""
    SigningKey.of(campus.state)
