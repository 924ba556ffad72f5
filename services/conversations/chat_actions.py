"""`ChatActions`: what a student can do with their chats besides talking: search, delete, rate, branch."""

from dataclasses import dataclass

from services.conversations.branches import Branches
from services.conversations.conversations import Conversations
from services.conversations.deletion_queue import DeletionQueue
from services.conversations.ratings import Ratings
from services.conversations.search import ChatSearch
from services.conversations.turn_records import TurnRecord


@dataclass(frozen=True, kw_only=True)
class ChatActions:
    conversations: Conversations
    search: ChatSearch
    deletion_queue: DeletionQueue
    ratings: Ratings
    branches: Branches

    def update_after_turn(self, student_id: str, record: TurnRecord) -> None:
        """Index the words of a turn that has ended; the first one makes a better title."""
        self.search.index(student_id, record.conversation_id, is_first_turn=record.first_seq == 1)
