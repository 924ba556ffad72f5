"""Slot filling: a tool's arguments from the words of a clause, by the type and name of each parameter."""
