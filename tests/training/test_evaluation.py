"""Figures of the evaluation: exact sums, and intervals that hold the figure."""

import pytest

from training.evaluation import Pair, bootstrap_interval, measure_quality


def pair(wanted: str, found: str) -> Pair:
    return frozenset(wanted.split()), frozenset(found.split())


PAIRS = [
    pair("courses", "courses"),
    pair("courses notes", "notes links"),
    pair("", ""),
    pair("", "news"),
    pair("x", ""),
]


def test_contexts_are_counted_over_all_messages() -> None:
    quality = measure_quality(PAIRS, ("courses", "notes", "links", "news"))

    assert (quality.right, quality.wrong, quality.missed) == (2, 2, 1)
    assert quality.recall == pytest.approx(2 / 3)
    assert quality.precision == pytest.approx(1 / 2)
    assert quality.f1 == pytest.approx(4 / 7)
    # A message whose only context does not count needs none of those that do.
    assert (quality.needless, quality.needing_none) == (1, 3)


def test_an_interval_holds_its_figure_and_is_the_same_every_time() -> None:
    among = ("courses", "notes", "links", "news")
    low, high = bootstrap_interval(PAIRS * 20, among, lambda quality: quality.f1)

    assert 0 < low < measure_quality(PAIRS, among).f1 < high < 1
    assert (low, high) == bootstrap_interval(PAIRS * 20, among, lambda quality: quality.f1)


def test_no_message_at_all_is_no_division_by_zero() -> None:
    assert measure_quality([], ("courses",)).f1 == 1
    assert measure_quality([], ("courses",)).needless_share == 0
