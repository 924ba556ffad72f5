"""Components of the chat page, from the empty chat to the actions under an answer."""
