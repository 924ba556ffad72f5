from services.runtime.deadline import Deadline


class FakeTime:
    def __init__(self) -> None:
        self.now_s = 100.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_s += seconds


def deadline(time: FakeTime, seconds: float) -> Deadline:
    return Deadline(seconds, clock=time.clock, sleep=time.sleep)


def test_each_wait_is_longer_than_the_one_before() -> None:
    time = FakeTime()
    patience = deadline(time, 60)

    assert all(patience.pause(attempt) for attempt in (0, 2, 4))

    assert time.slept == sorted(time.slept)


def test_a_wait_that_the_service_asks_for_is_kept() -> None:
    time = FakeTime()

    assert deadline(time, 60).pause(0, 7)

    assert time.slept == [7]


def test_a_wait_that_does_not_fit_is_not_begun() -> None:
    time = FakeTime()

    assert not deadline(time, 10).pause(0, 30)

    assert time.slept == []


def test_nothing_remains_after_the_end() -> None:
    time = FakeTime()
    patience = deadline(time, 10)
    time.now_s += 11

    assert patience.remaining_s() == 0
    assert not patience.pause(0)
