"""Tool discovery: the contexts that a message is about, their tools, and what loading only these saves."""
