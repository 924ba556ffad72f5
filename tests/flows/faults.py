"""What goes wrong outside, told to the campus of a running app."""

from typing import Any

from bench.load.app_server import AppServer


def fault(app: AppServer, service: str, kind: str, **fields: Any) -> None:
    """Let a failure happen from now on: `times=0` for ever, else once."""
    app.campus("/faults", {"service": service, "fault": kind, **fields})


def mend(app: AppServer) -> None:
    """Everything works again; what hangs is let go."""
    app.campus("/faults", method="DELETE")


def speak(app: AppServer, *, words_per_second: float) -> None:
    """The model's pace from now on; it lasts until `mend`."""
    fault(app, "anthropic", "pace", words_per_second=words_per_second, times=0)


def written_events(app: AppServer) -> int:
    """How many times anything was written at the campus's Google."""
    return len(app.campus("/log?service=google&writes=1")["entries"])


def model_requests(app: AppServer) -> int:
    return len([e for e in app.campus("/log?service=anthropic")["entries"] if e["path"].endswith("/messages")])
