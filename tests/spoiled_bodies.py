"""Bodies of answers with status 200 that are not what a service sends: a proxy's, a portal's, another service's.

None of them may be read as "there is nothing", as a success, or crash its reader.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from services.errors import ServiceUnavailable
from tests.services.safety.fetch.raw_server import answer
from tests.telling import telling

SPOILED: dict[str, str] = {
    "empty": "",
    "blank": " \r\n",
    "null": "null",
    "true": "true",
    "false": "false",
    "zero": "0",
    "huge number": "1e999",
    "NaN": "NaN",
    "empty text": '""',
    "text": '"ok"',
    "empty list": "[]",
    "list of null": "[null]",
    "list of lists": "[[]]",
    "list of empty objects": "[{}]",
    "list of texts": '["x"]',
    "empty object": "{}",
    "ok": '{"ok": true}',
    "foreign object": '{"message": "Hello", "status": "success", "count": 0}',
    "error of a gateway": '{"error": {"code": 502, "message": "upstream connect error"}}',
    "error as text": '{"error": "temporarily unavailable"}',
    "null lists": '{"items": null, "results": null, "data": null, "keys": null, "members": null, "pages": null}',
    "objects for lists": '{"items": {}, "results": {}, "data": {}, "keys": {}, "members": {}, "pages": {}}',
    "texts for lists": '{"items": "x", "results": "x", "data": "x", "keys": "x", "members": "x", "pages": "x"}',
    "lists without a kind": '{"items": [], "results": [], "data": [], "pages": []}',
    "lists of null": '{"items": [null], "results": [null], "data": [null], "keys": [null], "members": [null]}',
    "another kind": '{"kind": "drive#fileList", "object": "user", "type": "ad", "items": [], "results": []}',
    "nested without end": "[" * 20_000,
    "broken off": '{"kind": "calendar#events", "object": "list", "items": [',
    "two objects": "{}{}",
    "web page": "<!doctype html><html><body><h1>Sign in to the campus network</h1></body></html>",
    "words": "Bad gateway",
    "other markup": '<?xml version="1.0"?><error/>',
    "bytes": "\x00\x01\x02",
}
TELLING = ("empty", "null", "empty object", "lists without a kind", "lists of null", "another kind")


def spoiled_bodies(*valid: str, tells: Collection[str] = TELLING) -> pytest.MarkDecorator:
    """Parametrise `body` by all but those that are valid answers of the service; `make soak` tries what does not tell.

    valid: names of bodies by which the service itself says that there is nothing. tells: those of `make test`, where
    each row costs much.
    """
    rows = [name for name in SPOILED if name not in valid]
    return pytest.mark.parametrize("body", telling(rows, tells.__contains__))


def fault_of(body: str, content_type: str = "application/json") -> dict[str, Any]:
    """The failure of the campus that answers so."""
    text = SPOILED[body]
    return {"fault": "status", "status": 200, "body": text, "headers": {"content-type": content_type}, "times": 0}


def answer_of(body: str, content_type: str = "application/json") -> bytes:
    """A whole answer with the body, for a `RawServer`."""
    return answer(SPOILED[body].encode(), content_type=content_type, connection="close")


@contextmanager
def called_unavailable(what: str) -> Iterator[None]:
    """Require that the block raises `ServiceUnavailable`. what: what would have believed the answer."""
    try:
        yield
    except ServiceUnavailable:
        return
    pytest.fail(f"believed: {what}")
