"""Today: the page of an empty chat."""
