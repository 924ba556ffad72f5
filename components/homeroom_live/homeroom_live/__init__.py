"""Assets of the Streamlit component `homeroom-live.chat`; `ui/chat/live_component.py` mounts it."""
