"""Tests of exam plans."""
