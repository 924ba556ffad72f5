"""Tool providers: where tools come from, and the wrappers that each add one behaviour to every call."""
