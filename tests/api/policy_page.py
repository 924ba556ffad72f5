"""One of each."""

import pandas as pd
import streamlit as st

st.title("Under the policy")
st.line_chart(pd.DataFrame({"week": [1, 2, 3], "hours": [4, 2, 6]}), x="week", y="hours")
st.dataframe(pd.DataFrame({"course": ["BIO", "CS"], "grade": [91.5, 88.0]}))
st.code("print('hello')", language="python")
st.latex(r"\int_0^1 x^2\,dx = \frac{1}{3}")
st.markdown("Inline $e^{i\\pi}+1=0$ :material/school:\n\n```mermaid\ngraph TD\n  A --> B\n```")
st.html("<p style='color: teal'>styled</p>")
with st.status("Looking up assignments", state="complete"):
    st.json({"due": ["Essay"]})
st.feedback("thumbs")
st.download_button("Export", b"data", "export.txt")
upload = st.file_uploader("File")
if upload is not None:
    st.text(f"got {upload.name}: {upload.read().decode()}")
if said := st.chat_input("Ask", accept_file=True):
    st.chat_message("user").text(f"said {said.text}")
