"""`Chats`: what a student can do with their chats besides talking: find, put away, judge, take another way."""

from services.agent.branches import Branches
from services.agent.conversations import Conversations
from services.agent.ratings import Ratings
from services.agent.records import TurnRecord
from services.agent.search import ChatSearch
from services.agent.trash import ChatTrash
from services.agent.turns import TurnRunner
from services.discovery.counters import DailyCounters
from services.runtime.clock import Clock
from services.storage.store import Store


class Chats:
    def __init__(
        self, store: Store, clock: Clock, conversations: Conversations, turns: TurnRunner, counters: DailyCounters
    ) -> None:
        self._conversations = conversations
        self.search = ChatSearch(store, clock, conversations)
        self.trash = ChatTrash(store, clock, conversations, leave=turns.leave)
        self.ratings = Ratings(store, counters)
        self.branches = Branches(store, conversations, turns)
        turns.tell_rest(self._at_rest)

    def _at_rest(self, student_id: str, record: TurnRecord) -> None:
        """After each turn: its words can be found, and the first one makes a better title."""
        if record.first_seq == 1:
            self._conversations.retitle(student_id, record.conversation_id)
        self.search.take_in(student_id, record.conversation_id)
