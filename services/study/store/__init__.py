"""Repositories of study records, each reached with its student only."""
