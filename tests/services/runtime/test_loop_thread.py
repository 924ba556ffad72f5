"""A loop in a thread: what it runs is waited for, and whoever waits is never left behind."""

import asyncio
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.runtime.loop_thread import LoopEnded, LoopThread
from tests.agent_fakes import WAIT_S


@pytest.fixture
def thread() -> Iterator[LoopThread]:
    thread = LoopThread("test-loop")
    yield thread
    thread.stop()


async def name_of_thread() -> str:
    return threading.current_thread().name


async def fail() -> None:
    raise TimeoutError("ours")


async def hang() -> None:
    await asyncio.Event().wait()


def test_work_runs_on_the_loop_s_thread_whoever_asks(thread: LoopThread) -> None:
    with ThreadPoolExecutor(4) as pool:
        names = list(pool.map(lambda _: thread.run(name_of_thread(), timeout_s=WAIT_S), range(20)))

    assert set(names) == {"test-loop"}


def test_what_the_work_raises_is_raised_to_whoever_waits(thread: LoopThread) -> None:
    with pytest.raises(TimeoutError, match="ours"):
        thread.run(fail(), timeout_s=WAIT_S)


def test_work_that_hangs_is_given_up_and_cancelled(thread: LoopThread) -> None:
    with pytest.raises(LoopEnded):
        thread.run(hang(), timeout_s=0.05)

    async def others() -> int:
        await asyncio.sleep(0)
        return len(asyncio.all_tasks())

    assert thread.run(others(), timeout_s=WAIT_S) == 1


def test_a_stop_ends_what_is_waited_for_and_then_what_is_to_be_closed() -> None:
    closed = threading.Event()
    begun = threading.Event()

    async def close() -> None:
        closed.set()

    async def begin() -> None:
        begun.set()
        await hang()

    thread = LoopThread("test-loop", on_end=close)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(thread.run, begin(), timeout_s=WAIT_S)
        assert begun.wait(WAIT_S)
        thread.stop()

        with pytest.raises(LoopEnded):
            waiting.result(WAIT_S)

    assert closed.is_set()
    assert not thread.is_usable
    assert "test-loop" not in {thread.name for thread in threading.enumerate()}
    with pytest.raises(LoopEnded):
        thread.run(name_of_thread(), timeout_s=WAIT_S)


@pytest.mark.parametrize("death", [SystemExit, KeyboardInterrupt])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_the_death_of_the_thread_is_told_to_all_that_wait(thread: LoopThread, death: type[BaseException]) -> None:
    async def die() -> None:
        raise death

    begun = threading.Event()

    async def begin() -> None:
        begun.set()
        await hang()

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(thread.run, begin(), timeout_s=WAIT_S)
        assert begun.wait(WAIT_S)
        with pytest.raises((death, LoopEnded)):
            thread.run(die(), timeout_s=WAIT_S)

        with pytest.raises(LoopEnded):
            waiting.result(WAIT_S)

    assert not thread.is_usable


def test_a_forked_process_knows_that_it_has_no_such_thread(thread: LoopThread) -> None:
    child = os.fork()
    if not child:
        os._exit(3 if thread.is_usable else 7)

    _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 7
    assert thread.is_usable
