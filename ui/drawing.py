"""When the page behind a send is drawn: once the questions that others sent at the same moment are with the model."""

import threading

from services.turnstile import INTERPRETER, Pass, Rank

_run = threading.local()


def wait() -> None:
    """Wait for one's turn to draw."""
    end()
    _run.held = INTERPRETER.enter(Rank.PAGE)


def end() -> None:
    """The page is drawn; a run that never comes here is let out by the turnstile itself."""
    held: Pass | None = getattr(_run, "held", None)
    if held is not None:
        held.leave()
        _run.held = None
