"""Limits of what a student attaches to messages: number, bytes, pages, and what one request may hold of it."""

MEGABYTE = 1_000_000
MOST_FILES = 5
"""Files of one message."""
LARGEST_MB = 10
LARGEST_FILE = LARGEST_MB * MEGABYTE
LARGEST_MESSAGE = 20 * MEGABYTE
"""Bytes of all files of one message: as base64 they must fit into a request of 32 MB, with the rest of the talk.

Source: https://docs.claude.com/en/api/overview (request size limits)."""
MOST_PAGES = 60
"""Pages of a PDF. The API takes 100 of a model that reads 200,000 tokens, but full pages of text fill those sooner.

Source: https://docs.claude.com/en/docs/build-with-claude/pdf-support"""
LONGEST_TEXT = 300_000
"""Characters of a text, or of what stands in a Word document."""
MOST_TOKENS = 140_000
"""Estimated, of all files that one request holds: the newest ones; older ones are then only named."""
MOST_KEPT = 400 * MEGABYTE
"""Bytes of all files of one student."""
