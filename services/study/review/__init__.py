"""Review: cards and their schedule by FSRS, capped by the exam."""
