"""A run that follows a turn is drawn where nothing of the run before stood."""

from streamlit.testing.v1 import AppTest


def _page(follows: str | None) -> None:
    import streamlit as st

    from ui.chat import live_transcript

    with live_transcript.take_transcript_slot(follows):
        st.text("here")
    st.session_state["place"] = st.session_state[live_transcript.SLOT][0]


def _places(*turns: str | None) -> list[int]:
    app = AppTest.from_function(_page, default_timeout=10)
    found = []
    for turn in turns:
        app.args = (turn,)
        found.append(app.run().session_state["place"])
    return found


def test_each_followed_turn_begins_at_the_other_place_and_stays_there() -> None:
    assert _places(None, "one", "one", None, "two", None) == [0, 1, 1, 1, 0, 0]


def test_the_same_turn_followed_anew_after_it_waited_begins_afresh() -> None:
    assert _places("one", None, "one") == [1, 1, 0]
