"""Relevance of single tools to a message."""
