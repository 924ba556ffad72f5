"""Reminders: the morning digest, nudges, reminders at a time, and the two ways they go out: e-mail and web push."""
