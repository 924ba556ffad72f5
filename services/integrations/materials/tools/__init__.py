"""Tools of course materials."""
