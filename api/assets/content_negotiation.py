"""Content negotiation by `accept-encoding` (RFC 9110, section 12.5.3)."""

IDENTITY = "identity"
CODINGS = ("br", "gzip")
"""What is offered, best first."""


def choose_coding(accepted: str) -> str:
    """The offered coding that the client weighs highest, else `identity`; among equals the better one.

    accepted: the header's value; what cannot be read in it counts as not said.
    """
    weights = dict(filter(None, map(_weight, accepted.lower().split(","))))
    best = max(CODINGS, key=lambda coding: _of(weights, coding))
    return best if _of(weights, best) > 0 else IDENTITY


def _of(weights: dict[str, float], coding: str) -> float:
    return weights.get(coding, weights.get("*", 0.0))


def _weight(part: str) -> tuple[str, float] | None:
    coding, *parameters = (piece.strip() for piece in part.split(";"))
    weights = [parameter.partition("=")[2].strip() for parameter in parameters if parameter.startswith("q")]
    try:
        weight = float(weights[0]) if weights else 1.0
    except ValueError:
        return None
    return (coding, weight) if coding and 0 <= weight <= 1 else None
