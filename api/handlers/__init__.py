"""Endpoint functions, one module for each group of routes, with the models of their bodies."""
