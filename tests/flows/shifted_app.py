"""`python -m tests.flows.shifted_app SECONDS`: the app as `manage.py serve` starts it, its clock and its campus's so
much ahead. What signs people in goes by the machine's own clock.
"""

import os
import runpy
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from sandbox.campus import Campus
from services.runtime import clock


def main() -> None:
    ahead = timedelta(seconds=float(sys.argv[1]))

    def now(_: Any = None) -> datetime:
        return datetime.now(UTC) + ahead

    clock.utc_now = now
    Campus.now = now  # type: ignore[method-assign]
    # What takes the clock as a default is imported now.
    from commands.serve import command

    def serve_here(settings: Any, environment: Mapping[str, str]) -> None:
        program, environment = command.serving(settings, environment)
        os.environ.update(environment)
        sys.argv = program[2:]
        runpy.run_module("streamlit", run_name="__main__", alter_sys=True)

    command.become_server = serve_here  # type: ignore[assignment]
    command.serve()


if __name__ == "__main__":
    main()
