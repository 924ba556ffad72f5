"""Connections of students to services: OAuth, sealed credentials, token refresh, health and revocation."""
