"""`manage.py serve`: one process on the port, or several workers behind a balancer."""
