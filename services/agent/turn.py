"""`Turn`: one run of a turn, with the conversation as far as it is stored."""

from concurrent.futures import Future
from dataclasses import dataclass, field

from services.agent.effort import EffortId
from services.agent.messages import Block, StoredMessage
from services.agent.records import TurnRecord
from services.identity.students import Student
from services.tools.base import Watch


class TurnOver(Exception):
    """The turn was ended or taken over by somebody else: its worker stops without another word."""


@dataclass(kw_only=True)
class Turn:
    """A run of a turn. messages: the conversation as stored, from the first one that the model is sent.

    recorded: done when the turn's record is stored. The model is asked meanwhile; nothing is stored before.
    watch: who looks on while its tools run. effort: how much thought its answers get.
    earlier: messages that the model is sent a summary of, or nothing: what they named stays named.
    has_summed: whether this run has tried to make a summary. pieces: of the words that are not stored yet.
    """

    student: Student
    record: TurnRecord
    messages: list[StoredMessage] = field(repr=False)
    next_seq: int
    recorded: Future[None]
    watch: Watch
    effort: EffortId = "quick"
    earlier: list[StoredMessage] = field(default_factory=list, repr=False)
    has_summed: bool = False
    said: bool = False
    pieces: list[str] = field(default_factory=list, repr=False)

    @property
    def words(self) -> str:
        return "".join(self.pieces)

    @property
    def where(self) -> dict[str, str]:
        return {"conversation_id": self.record.conversation_id, "turn_id": self.record.id}

    @property
    def mine(self) -> list[StoredMessage]:
        """The messages of this turn."""
        return [message for message in self.messages if message.meta.get("turn_id") == self.record.id]

    @property
    def calls(self) -> list[Block]:
        return [call for message in self.mine for call in message.tool_calls]
