"""Conversations as they are stored, drawn, searched, branched, exported and deleted."""
