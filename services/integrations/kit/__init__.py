"""Integrations kit: payload parsing, HTTP client, approved writes, localized wording and settings, for all of them."""
