"""Wiring: makes the parts of each room once, for `services.bootstrap`, from settings and a store."""
