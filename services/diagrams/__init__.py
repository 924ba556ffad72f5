"""Diagrams in answers: parsed by a strict grammar into a model, and rendered anew for the page."""
