"""Errors of a call to an MCP server."""


class McpCallError(Exception):
    """Base of these errors. was_sent: whether the server may have acted on it."""

    was_sent = True


class ServerNotReached(McpCallError):
    """The server is down, and was not asked."""

    was_sent = False


class ServerGone(McpCallError):
    """The server went away, or sent no valid JSON-RPC."""


class AnswerLate(McpCallError):
    """The server did not answer in time."""


class AnswerTooLarge(McpCallError):
    """The answer is larger than one message may be."""


class CallRefused(McpCallError):
    """The server refused; `str(error)` is its own, untrusted text."""
