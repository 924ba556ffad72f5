"""Many visitors at once, from processes of their own, so that their side slows nothing down that is measured."""

import asyncio
import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Protocol

from bench.load.event_loop import run

PROCESSES = 2
LONGEST_S = 180.0


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Seconds from asking to the first and to the last word, for one visitor."""

    first_s: float
    last_s: float


class Visitor(Protocol):
    """One of the crowd. It travels to another process before it prepares. `timing` is asked when all have heard."""

    async def prepare(self) -> None: ...

    async def ask(self) -> None: ...

    def timing(self) -> Timing: ...

    async def leave(self) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What a crowd heard. cpu_s: seconds that its own processes computed for each visitor while it asked."""

    timings: list[Timing]
    cpu_s: float


class Crowd:
    """Use `with Crowd() as crowd`."""

    def __enter__(self) -> "Crowd":
        context = multiprocessing.get_context("spawn")
        self._manager = context.Manager()
        self._pool = ProcessPoolExecutor(max_workers=PROCESSES, mp_context=context)
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()
        self._manager.shutdown()

    def ask(
        self,
        visitors: Sequence[Visitor],
        *,
        delays_s: Sequence[float] = (),
        at_the_gate: Callable[[], None] = lambda: None,
        at_the_end: Callable[[], None] = lambda: None,
    ) -> Heard:
        """Everyone prepares; when all are ready `at_the_gate` is called and all ask at once, each after their delay;
        when all have heard the whole answer `at_the_end` is called.
        """
        given = list(zip(visitors, delays_s or [0.0] * len(visitors), strict=True))
        shares = [share for i in range(PROCESSES) if (share := given[i::PROCESSES])]
        ready, go, end = gates = [self._manager.Barrier(len(shares) + 1, timeout=LONGEST_S) for _ in range(3)]
        running = [self._pool.submit(_visit_all, share, gates) for share in shares]
        try:
            ready.wait()
            at_the_gate()
            go.wait()
            end.wait()
            at_the_end()
        finally:
            heard = [share.result() for share in running]
        timings = [timing for share in heard for timing in share.timings]
        return Heard(timings=timings, cpu_s=sum(share.cpu_s for share in heard) / len(visitors))


def _visit_all(share: Sequence[tuple[Visitor, float]], gates: Sequence[Any]) -> Heard:
    with ExitStack() as failing:
        for gate in gates:
            failing.callback(gate.abort)
        heard = run(_visits(share, gates))
        failing.pop_all()
        return heard


async def _visits(share: Sequence[tuple[Visitor, float]], gates: Sequence[Any]) -> Heard:
    ready, go, end = gates
    visitors = [visitor for visitor, _ in share]
    try:
        for visitor in visitors:
            await visitor.prepare()
        await asyncio.to_thread(ready.wait)
        await asyncio.to_thread(go.wait)
        began_s = time.process_time()
        async with asyncio.timeout(LONGEST_S):
            await asyncio.gather(*(_ask(visitor, delay_s) for visitor, delay_s in share))
        cpu_s = time.process_time() - began_s
        await asyncio.to_thread(end.wait)
        return Heard(timings=[visitor.timing() for visitor in visitors], cpu_s=cpu_s)
    finally:
        await asyncio.gather(*(visitor.leave() for visitor in visitors))


async def _ask(visitor: Visitor, delay_s: float) -> None:
    await asyncio.sleep(delay_s)
    await visitor.ask()
