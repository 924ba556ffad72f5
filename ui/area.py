"""Where the conversation is drawn: a place in which nothing of an earlier run stays behind."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

KEY = "conversation_area"


def follows(turn: str) -> bool:
    """Whether the last run of this page followed this turn, named as for `take`."""
    return bool(st.session_state.get(KEY, (0, None))[1] == turn)


def take(follows: str | None) -> DeltaGenerator:
    """The container for this run. `follows` names the turn that the run will follow, if any.

    What an earlier run drew goes when a run ends, and a container at the same place inherits it until then: a run that
    follows an answer would show old buttons as long as the answer lasts. So each followed turn begins at the other
    one of two places, where there was nothing.
    """
    place, followed = st.session_state.get(KEY, (0, None))
    if follows is not None and follows != followed:
        place = 1 - place
    st.session_state[KEY] = (place, follows)
    return (st.empty(), st.empty())[place].container(key="conversation")
