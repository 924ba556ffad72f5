"""Diagrams in answers: read by a strict grammar into a plain model, and written anew for the page."""
