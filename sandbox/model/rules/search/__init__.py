"""Fallback search: questions whose answer may stand in several places."""
