"""What the table of live answers says of a crowd."""

from bench.live import percentile_95


def test_of_a_hundred_the_five_latest_do_not_count() -> None:
    assert percentile_95([float(n) for n in range(1, 101)]) == 95.0


def test_of_a_few_the_latest_counts() -> None:
    assert percentile_95([0.2, 0.1]) == 0.2
