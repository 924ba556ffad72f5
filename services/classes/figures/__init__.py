"""Figures of a class: what its members ask and what fails, counted by the week and told in groups of five or more."""
