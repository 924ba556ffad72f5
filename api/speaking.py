"""Which language a program is answered in: its student's; before its key is known, the one its request prefers."""

from starlette.datastructures import Headers

from services.language import LANGUAGES, nearest

LONGEST = 1_000
MOST = 20


def asked_for(headers: Headers) -> str:
    """The locale that `Accept-Language` prefers of those that we speak (RFC 9110, 12.5.4), or the default."""
    ranges = headers.get("accept-language", "")[:LONGEST].split(",")[:MOST]
    wanted = sorted(((_weight(one), one.partition(";")[0].strip()) for one in ranges), key=lambda one: -one[0])
    spoken = (tag for weight, tag in wanted if weight > 0 and tag.lower().partition("-")[0] in LANGUAGES)
    return nearest(next(spoken, None))


def _weight(one: str) -> float:
    parameters = one.replace(" ", "").lower().partition(";")[2]
    try:
        return float(parameters.removeprefix("q=")) if parameters else 1.0
    except ValueError:
        return 0.0
