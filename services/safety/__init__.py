"""Untrusted text and addresses: sanitiser, escaping, provenance, seen addresses, and a safe HTTP client."""
