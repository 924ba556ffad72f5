"""T44: a notification goes to a public https address alone: no other one is stored as a browser's."""

import pytest

from services.errors import BadArguments
from services.reminders.web_push import WebPush
from services.safety.fetch import SafeFetch
from tests.services.reminders.desk import KEY

REFUSED = (
    "http://push.example/1",
    "https://127.0.0.1/1",
    "https://[::1]/1",
    "https://169.254.169.254/latest",
    "https://10.0.0.7/1",
    "https://localhost/1",
    "https://user:word@push.example/1",
    "ftp://push.example/1",
    "javascript:alert(1)",
    "",
)


@pytest.mark.parametrize("endpoint", REFUSED)
def test_an_endpoint_that_is_no_public_https_address_is_refused(endpoint: str) -> None:
    with pytest.raises(BadArguments):
        _push().check(endpoint)


def test_an_endpoint_of_a_push_service_is_taken() -> None:
    _push().check("https://updates.push.example/wpush/v2/abc")


def _push() -> WebPush:
    return WebPush(KEY, contact="mailto:it@school.example", fetch=SafeFetch())
