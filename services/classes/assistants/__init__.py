"""Assistants of a class: drafts, published versions, their history, exam windows, and the check before publishing."""
