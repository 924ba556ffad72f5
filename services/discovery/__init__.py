"""Tool discovery: the contexts that a message is about, the tools of these contexts, and what loading only them saves."""
