"""Ranked search over the passages of one student's materials."""
