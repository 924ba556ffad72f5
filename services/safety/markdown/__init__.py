"""Markdown sanitiser: a text of the model or a tool is parsed and written anew, so that only what is known stays."""
