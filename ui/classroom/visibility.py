"""What instructors see of the students of their classes: said before one joins, and ever after."""

import streamlit as st

from services.i18n import gettext


def draw_visibility() -> None:
    """Two short lists: what the instructors of a class see, and what they never see."""
    st.markdown(
        gettext(
            "**What the instructors see of you:** your name, your e-mail address, and since when you are in the class. "
            "How the class as a whole uses Homeroom, in groups of five people or more: you read the same figures."
        )
    )
    st.markdown(
        gettext(
            "**What they never see:** your chats, your questions and answers, your grades, your calendar, your notes, "
            "your accounts, your quizzes and cards, or when you were here."
        )
    )
