"""Pools serve students in turn, also for what their work submits to another pool."""

import threading
from functools import partial

from services.runtime.thread_pools import DaemonPool


def test_what_a_students_work_submits_to_another_pool_waits_in_their_turn() -> None:
    outer, inner = DaemonPool("outer", 1), DaemonPool("inner", 1)
    served, may_begin = list[str](), threading.Event()
    first = inner.submit(may_begin.wait, 10)

    def look_up(student_id: str, times: int) -> None:
        for _ in range(times):
            inner.submit(served.append, student_id)

    for student_id, times in (("ana", 20), ("maya", 1)):
        outer.submit_for(student_id, look_up, student_id, times).result(10)
    may_begin.set()
    first.result(10)
    inner.submit_for("zoe", partial(served.append, "zoe")).result(10)

    assert served.index("maya") <= 1
