"""Writes that wait for the student, their undo, and the activity list."""
