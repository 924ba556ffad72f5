"""Study: speed of review, and what a term of it leaves."""
