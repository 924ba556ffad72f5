"""Dialogue state: follow-ups, rephrased requests, references to earlier things, and the tool that serves a clause."""
