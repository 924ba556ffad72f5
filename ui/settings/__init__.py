"""The cards of the Settings page."""
