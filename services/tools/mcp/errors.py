"""How asking a server can end, other than with an answer."""


class McpCallError(Exception):
    """was_sent: whether the server may have acted on it."""

    was_sent = True


class ServerNotReached(McpCallError):
    """It is down, and was not asked."""

    was_sent = False


class ServerGone(McpCallError):
    """It went away, or talked nonsense, while it was asked."""


class AnswerLate(McpCallError):
    """It did not answer in time."""


class AnswerTooLarge(McpCallError):
    """It answered more than one message may hold."""


class CallRefused(McpCallError):
    """It said no, in the words of `str(error)`: untrusted text."""
