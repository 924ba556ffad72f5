"""Structured outputs: the check of a schema as the API makes it, and answers of the demo model that follow one."""
