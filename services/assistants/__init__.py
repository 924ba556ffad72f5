"""Assistants that a student can pick: instructions, tools and limits of each."""
