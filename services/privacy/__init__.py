"""Privacy: the inventory of a student's data, its export, and account deletion."""
