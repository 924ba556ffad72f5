"""How asking a server can end, other than with an answer."""


class Outcome(Exception):
    """was_sent: whether the server may have acted on it."""

    was_sent = True


class NotReached(Outcome):
    """It is down, and was not asked."""

    was_sent = False


class Gone(Outcome):
    """It went away, or talked nonsense, while it was asked."""


class Late(Outcome):
    """It did not answer in time."""


class TooLarge(Outcome):
    """It answered more than one message may hold."""


class Refused(Outcome):
    """It said no, in the words of `str(error)`: untrusted text."""
