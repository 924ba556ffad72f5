"""`Chats`: what a student can do with their chats besides talking: find, put away, judge, take another way."""

from services.conversations.branches import Branches
from services.conversations.conversations import Conversations
from services.conversations.deletion_queue import DeletionQueue
from services.conversations.ratings import Ratings
from services.conversations.search import ChatSearch
from services.conversations.turn_records import TurnRecord
from services.discovery.daily_counters import DailyCounters
from services.runtime.clock import Clock
from services.storage.store import Store
from services.turns.runner import TurnRunner


class Chats:
    def __init__(
        self, store: Store, clock: Clock, conversations: Conversations, turns: TurnRunner, counters: DailyCounters
    ) -> None:
        self._conversations = conversations
        self.search = ChatSearch(store, clock, conversations)
        self.deletion_queue = DeletionQueue(store, clock, conversations, leave=turns.leave)
        self.ratings = Ratings(store, counters)
        self.branches = Branches(store, conversations, turns)
        turns.tell_rest(self._at_rest)

    def _at_rest(self, student_id: str, record: TurnRecord) -> None:
        """After each turn: its words can be found, and the first one makes a better title."""
        if record.first_seq == 1:
            self._conversations.name_after_first_exchange(student_id, record.conversation_id)
        self.search.index(student_id, record.conversation_id)
