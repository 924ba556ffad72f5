"""The chat page: from the empty chat to the answer under it."""
