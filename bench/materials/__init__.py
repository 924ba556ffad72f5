"""Benchmarks of course materials."""
