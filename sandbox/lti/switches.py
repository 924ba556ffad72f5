"""`LmsSwitches`: wrong things that a platform is told to send in its next launches (`POST /sandbox/lti/switches`)."""

from typing import Any

from sandbox.state import State

KIND = "lti.switches"
PARTS = ("login", "claims", "response")
SIGNATURES = ("RS256", "none", "HS256", "other_key", "tampered")
FIELDS: dict[str, Any] = {
    "flavour": None,
    "times": 1,
    **dict.fromkeys(PARTS),
    "header": {},
    "signature": "RS256",
    "login_method": None,
    "page_size": None,
    "is_storage_silent": False,
}


class LmsSwitches:
    """One set at a time. `login`, `claims` and `response` each take {"set": {…}, "without": […]}; `signature` is one of
    `SIGNATURES`; times 0 means until they are cleared. Each launch uses them once, at its token.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    def put(self, wish: dict[str, Any]) -> dict[str, Any]:
        """Set them; ValueError says what is wrong."""
        if unknown := set(wish) - set(FIELDS):
            raise ValueError(f"unknown fields: {', '.join(sorted(unknown))}")
        switches = FIELDS | wish
        if switches["signature"] not in SIGNATURES:
            raise ValueError(f"signature: one of {', '.join(SIGNATURES)}")
        self._state.put(KIND, "next", switches)
        return switches

    def clear(self) -> None:
        """Send what is right from now on."""
        self._state.delete(KIND, "next")

    def of(self, flavour: str) -> dict[str, Any]:
        """What is set for a platform."""
        switches = self._state.get(KIND, "next")
        return switches if switches and switches["flavour"] in (None, flavour) else FIELDS

    def used(self, flavour: str) -> None:
        """Count a launch."""
        switches = self._state.get(KIND, "next")
        if switches is None or switches["flavour"] not in (None, flavour) or switches["times"] == 0:
            return
        left = switches["times"] - 1
        self._state.put(KIND, "next", {**switches, "times": left}) if left else self.clear()


def changed(fields: dict[str, Any], part: dict[str, Any] | None) -> dict[str, Any]:
    """The fields with what a switch sets, and without what it leaves out."""
    if not part:
        return fields
    left_out = part.get("without", ())
    return {name: value for name, value in {**fields, **part.get("set", {})}.items() if name not in left_out}
