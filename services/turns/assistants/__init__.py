"""Assistants in a turn: whether one may answer, delegation to another, and the preview of a draft."""
