"""Components of the Insights page: cards, charts and labels."""
