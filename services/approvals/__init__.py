"""Approvals: writes that wait for the student's decision, their execution and their undo."""
