"""The live component's place on the page: what of a running turn the page draws itself."""

from streamlit.testing.v1 import AppTest

from services.conversations.items import ApprovalItem, AssistantText, Item, TurnView
from services.conversations.turn_records import TurnStatus
from ui.chat.chat_state import ChatState
from ui.chat.live_component import drawn_before


def running(*items: Item) -> ChatState:
    view = TurnView(turn_id="t", status=TurnStatus.RUNNING, items=list(items))
    return ChatState(id="c", items=[], running=view)


def draws_a_field() -> None:
    import streamlit as st

    from ui.chat.live_component import put_into_field

    st.json(put_into_field(st.session_state.pop("draft", None)) or {})


def test_words_for_the_field_come_with_later_runs_until_there_are_others() -> None:
    page = AppTest.from_function(draws_a_field)
    page.run()
    assert page.json[0].value == "{}"

    page.session_state["draft"] = "What is due?"
    first = page.run().json[0].value
    assert "What is due?" in first
    assert page.run().json[0].value == first
    page.session_state["draft"] = "What is due?"
    assert page.run().json[0].value != first


def test_the_page_draws_a_running_turn_up_to_its_last_card() -> None:
    text, card = AssistantText(text="Hello"), ApprovalItem(approval_id="a")

    assert drawn_before(ChatState(items=[])) == 0
    assert drawn_before(running(text)) == 0
    assert drawn_before(running(text, card, text)) == 2
    assert drawn_before(running(card, text, card)) == 3
