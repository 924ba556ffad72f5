"""Cards of the Settings page."""
