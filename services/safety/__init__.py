"""Text and addresses that nobody may trust."""
