"""Ingestion: materials fetched, read by page in reader processes and stored, for a question or in the background."""
