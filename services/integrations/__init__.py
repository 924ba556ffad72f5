"""Integrations: one folder for each service that a student can connect, discovered by `extensions`."""
