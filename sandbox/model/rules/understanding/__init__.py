"""Understanding of a request: turns, tool results, and the intent of each clause."""
