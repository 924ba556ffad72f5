"""Turns: one question of a student with all that answers it, from the message to the last stored step."""
