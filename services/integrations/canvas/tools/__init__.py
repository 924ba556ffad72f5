"""Tools of the Canvas integration."""
