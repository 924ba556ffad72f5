"""Content of a request to the model: the system prompt, the tools that are loaded, and earlier messages."""
