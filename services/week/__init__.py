"""One week of a student on one page: what is due, what happens, what they planned, and where there is room."""
