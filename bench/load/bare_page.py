"""The least that a chat in Streamlit can be: a field, the SDK's own stream, and its words joined ten times a second."""

import time

import anthropic
import streamlit as st

PAUSE_S = 0.1


@st.cache_resource
def client() -> anthropic.Anthropic:
    return anthropic.Anthropic(api_key="demo", max_retries=0)


if question := st.chat_input("Ask"):
    st.chat_message("user").markdown(question)
    with st.chat_message("assistant"):
        place = st.empty()
    said, shown_at = "", 0.0
    with client().messages.stream(
        model="claude-haiku-5-5", max_tokens=1000, messages=[{"role": "user", "content": question}]
    ) as stream:
        for piece in stream.text_stream:
            said += piece
            if time.perf_counter() - shown_at >= PAUSE_S:
                place.markdown(said)
                shown_at = time.perf_counter()
    place.markdown(said)
