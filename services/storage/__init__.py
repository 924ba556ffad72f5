"""Documents in SQLite or MongoDB, behind one protocol."""
