"""Many visitors at once, from processes of their own, so that their side slows nothing down that is measured."""

import asyncio
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

PROCESSES = 2
LONGEST_S = 180.0


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Seconds from asking to the first and to the last word, for one visitor."""

    first_s: float
    last_s: float


class Visitor(Protocol):
    """One of the crowd. It travels to another process before it prepares."""

    async def prepare(self) -> None: ...

    async def ask(self) -> Timing: ...

    async def leave(self) -> None: ...


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

    def ask(self, visitors: Sequence[Visitor], *, at_the_gate: Callable[[], None] = lambda: None) -> list[Timing]:
        """Everyone prepares; when all are ready, `at_the_gate` is called, and then all ask at the same moment."""
        shares = [share for i in range(PROCESSES) if (share := visitors[i::PROCESSES])]
        ready, go = (self._manager.Barrier(len(shares) + 1, timeout=LONGEST_S) for _ in range(2))
        running = [self._pool.submit(_visit_all, share, ready, go) for share in shares]
        ready.wait()
        at_the_gate()
        go.wait()
        return [timing for share in running for timing in share.result()]


def _visit_all(visitors: Sequence[Visitor], ready: Any, go: Any) -> list[Timing]:
    return asyncio.run(_visits(visitors, ready, go))


async def _visits(visitors: Sequence[Visitor], ready: Any, go: Any) -> list[Timing]:
    try:
        for visitor in visitors:
            await visitor.prepare()
        await asyncio.to_thread(ready.wait)
        await asyncio.to_thread(go.wait)
        async with asyncio.timeout(LONGEST_S):
            return list(await asyncio.gather(*(visitor.ask() for visitor in visitors)))
    finally:
        await asyncio.gather(*(visitor.leave() for visitor in visitors))
