"""Live answers: sending a message by POST, and following its answer as server-sent events."""
