"""Everything that would survive without Streamlit and HTTP."""
