"""The live component's place on the page: what of a running turn the page draws itself."""

from services.conversations.items import ApprovalItem, AssistantText, Item, TurnView
from services.conversations.turn_records import TurnStatus
from ui.chat.chat_state import ChatState
from ui.chat.live_component import drawn_before


def running(*items: Item) -> ChatState:
    view = TurnView(turn_id="t", status=TurnStatus.RUNNING, items=list(items))
    return ChatState(id="c", items=[], running=view)


def test_the_page_draws_a_running_turn_up_to_its_last_card() -> None:
    text, card = AssistantText(text="Hello"), ApprovalItem(approval_id="a")

    assert drawn_before(ChatState(items=[])) == 0
    assert drawn_before(running(text)) == 0
    assert drawn_before(running(text, card, text)) == 2
    assert drawn_before(running(card, text, card)) == 3
