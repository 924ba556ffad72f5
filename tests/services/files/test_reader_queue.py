"""Whoever reads much waits behind themselves: a place is always left for another student."""

import threading
from collections.abc import Callable

from services.files.reader_queue import ReaderQueue, reading_for, reading_owner


def waiting(queue: ReaderQueue, owner: str, order: list[str], name: str) -> threading.Thread:
    """A thread that waits for a place, notes its name when it has one, and gives it back."""

    def wait() -> None:
        if queue.acquire(owner, 30):
            order.append(name)
            queue.release(owner)

    return started(wait, lambda: any(owner == waiter for waiter in queue._waiting), queue)


def started(work: Callable[[], None], is_waiting: Callable[[], bool], queue: ReaderQueue) -> threading.Thread:
    before = sum(map(len, queue._waiting.values()))
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    with queue._changed:
        # The thread announces itself by letting go of the lock, which wakes nobody: it is looked for.
        while sum(map(len, queue._waiting.values())) == before and thread.is_alive():
            queue._changed.wait(0.01)
    assert is_waiting() or not thread.is_alive()
    return thread


def test_one_student_never_has_the_last_place() -> None:
    queue = ReaderQueue(2)

    assert queue.acquire("maya", 0)
    assert not queue.acquire("maya", 0)
    assert queue.acquire("leo", 0)
    assert not queue.acquire("ana", 0)


def test_a_queue_of_one_place_serves_whoever_comes() -> None:
    queue = ReaderQueue(1)

    assert queue.acquire("maya", 0)
    queue.release("maya")
    assert queue.acquire("maya", 0)


def test_a_student_with_many_files_slows_the_others_by_one_place_each() -> None:
    queue, order = ReaderQueue(1), list[str]()
    queue.acquire("maya", 0)
    threads = [waiting(queue, "maya", order, f"maya {n}") for n in range(4)]
    threads += [waiting(queue, "leo", order, f"leo {n}") for n in range(2)]

    queue.release("maya")
    for thread in threads:
        thread.join(30)

    assert order == ["maya 0", "leo 0", "maya 1", "leo 1", "maya 2", "maya 3"]


def test_who_gives_up_waiting_stands_in_nobodys_way() -> None:
    queue = ReaderQueue(1)
    queue.acquire("maya", 0)

    assert not queue.acquire("leo", 0.01)
    queue.release("maya")
    assert queue.acquire("ana", 0)


def test_what_is_read_counts_for_whom_it_is_read() -> None:
    with reading_for("maya"):
        inside = reading_owner()

    assert (inside, reading_owner()) == ("maya", "")
