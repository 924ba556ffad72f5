"""What can be done with things."""

from enum import StrEnum


class Action(StrEnum):
    """What a student orders and what a tool does."""

    READ = "read"
    SEARCH = "search"
    OPEN = "open"
    CREATE = "create"
    APPEND = "append"
    CHANGE = "change"
    DELETE = "delete"

    @property
    def is_write(self) -> bool:
        """Whether it changes something."""
        return self in (Action.CREATE, Action.APPEND, Action.CHANGE, Action.DELETE)
