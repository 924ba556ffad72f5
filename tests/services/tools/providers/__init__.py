"""Wrappers around the tools of the root: each law of one behaviour."""
