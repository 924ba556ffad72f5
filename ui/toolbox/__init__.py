"""The Tools page: its groups, a card for each tool, and what instructors see of their use."""
