"""The assistants."""
