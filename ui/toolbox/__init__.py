"""Components of the Tools page: list, cards, and usage for instructors."""
