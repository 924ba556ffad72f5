"""`ToolSignatures`: checks what a tool has signed, with the keys that it publishes."""

from typing import Any

import httpx
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from sandbox.campus import Campus
from sandbox.lti.tools import Tool

TIMEOUT_S = 10
LEEWAY_S = 60
LONGEST_LIFETIME_S = 3600
USED = "lti.used"


class BadSignature(Exception):
    """What is wrong with a tool's token, in words for whoever made it."""


class ToolSignatures:
    """Fetches the keys each time: a tool may have changed them."""

    def __init__(self, campus: Campus) -> None:
        self._campus = campus

    async def claims(self, tool: Tool, token: str, *, once: str) -> dict[str, Any]:
        """The claims of a token that this tool signed with RS256 and a listed key, that is in time, and whose `once`
        ("jti" or "nonce") was never seen before. Raises `BadSignature`.
        """
        try:
            header = jws.extract_compact(token.encode()).headers()
            if header.get("alg") != "RS256" or not header.get("kid"):
                raise BadSignature("sign with RS256, and name the key")
            keys = KeySet.import_key_set(await self._keys(tool["jwks_uri"]))
            if header["kid"] not in {key.kid for key in keys.keys}:
                raise BadSignature("the key is not listed at jwks_uri")
            claims = dict(jwt.decode(token, keys, algorithms=["RS256"]).claims)
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise BadSignature(f"the token cannot be verified: {error}") from None
        self._check_times(claims)
        self._check_once(tool, claims, once)
        return claims

    async def _keys(self, address: str) -> Any:
        try:
            async with httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client:
                answer = await client.get(address, headers={"accept": "application/json"})
                return answer.raise_for_status().json()
        except (httpx.HTTPError, ValueError) as error:
            raise BadSignature(f"jwks_uri does not answer with keys: {type(error).__name__}") from None

    def _check_times(self, claims: dict[str, Any]) -> None:
        now, issued, expires = self._campus.now().timestamp(), claims.get("iat"), claims.get("exp")
        if not isinstance(issued, int) or not isinstance(expires, int):
            raise BadSignature("iat and exp are needed, as whole seconds")
        if issued > now + LEEWAY_S or expires < now - LEEWAY_S or expires > now + LONGEST_LIFETIME_S:
            raise BadSignature("iat and exp must be about now")

    def _check_once(self, tool: Tool, claims: dict[str, Any], name: str) -> None:
        value = claims.get(name)
        if not isinstance(value, str) or not value:
            raise BadSignature(f"{name} is needed")
        if not self._campus.state.insert(USED, f"{tool['client_id']} {name} {value}", claims["exp"]):
            raise BadSignature(f"this {name} was used before")
