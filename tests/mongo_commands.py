"""Commands that the driver sends to MongoDB, counted in a test."""

from collections.abc import Iterator
from contextlib import contextmanager

from pymongo import monitoring


class CommandLog(monitoring.CommandListener):
    """Names of the commands of all clients of this process, while it listens."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._is_listening = False

    @contextmanager
    def listening(self) -> Iterator[list[str]]:
        """The commands from here on, as they come."""
        self.names.clear()
        self._is_listening = True
        try:
            yield self.names
        finally:
            self._is_listening = False

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        if self._is_listening:
            self.names.append(event.command_name)

    def succeeded(self, event: monitoring.CommandSucceededEvent) -> None:
        """Counted when it began."""

    def failed(self, event: monitoring.CommandFailedEvent) -> None:
        """Counted when it began."""


COMMANDS = CommandLog()
# The driver knows no way back; each client that is made later reports to it.
monitoring.register(COMMANDS)
