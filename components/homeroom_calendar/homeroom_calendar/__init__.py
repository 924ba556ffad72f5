"""Assets of the Streamlit component `homeroom-calendar.week`; `ui/week/calendar_component.py` mounts it."""
