"""What is no feed is refused, and never one without posts."""

import pytest

from services.errors import RequestRefused, ServiceUnavailable
from tests.services.integrations.feeds.conftest import NewsSite, Read
from tests.spoiled_bodies import SPOILED, spoiled_bodies


@spoiled_bodies()
def test_no_feed_is_without_posts_by_a_spoiled_answer(site: NewsSite, read: Read, body: str) -> None:
    site.put("/feed", SPOILED[body])

    with pytest.raises((RequestRefused, ServiceUnavailable)):
        read(action="get_configured", own=("/feed",))
