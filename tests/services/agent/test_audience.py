"""How often each page is told something new, by how many pages follow turns."""

import pytest

from services.agent.audience import LONGEST_UPDATE_S, TOGETHER, UPDATE_S, Audience, update_s


@pytest.mark.parametrize("pages", [0, 1, 5, 12])
def test_a_few_pages_are_told_twelve_times_a_second(pages: int) -> None:
    assert update_s(pages) == UPDATE_S


@pytest.mark.parametrize("pages", [20, 50, 75])
def test_many_pages_share_what_one_process_can_draw(pages: int) -> None:
    assert pages / update_s(pages) == pytest.approx(TOGETHER)


@pytest.mark.parametrize("pages", [76, 200, 10_000])
def test_words_still_flow_however_many_follow(pages: int) -> None:
    assert update_s(pages) == LONGEST_UPDATE_S


def test_a_page_that_went_away_does_not_count_any_more() -> None:
    audience = Audience()
    with audience.one_more():
        for _ in range(49):
            with audience.one_more():
                pass
        alone = audience.update_s

    assert alone == UPDATE_S
