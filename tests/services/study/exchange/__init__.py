"""Tests of the import and export of cards."""
