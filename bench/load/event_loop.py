"""uvloop for what the benchmarks themselves run, so that it takes little from what they measure."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """As `asyncio.run`, on uvloop where there is one."""
    try:
        from uvloop import new_event_loop
    except ImportError:
        return asyncio.run(main)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(main)
