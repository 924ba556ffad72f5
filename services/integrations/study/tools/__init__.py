"""Tools of Study."""
