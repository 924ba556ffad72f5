"""Tools of the calendar category."""
