"""Streamlit components that the pages share."""
