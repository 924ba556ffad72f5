"""Cards of pending actions and questions, and the activity list."""
