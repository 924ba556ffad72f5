"""This week: its days and what can be done with each line."""
