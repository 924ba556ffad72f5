"""One folder for each service a student can connect; found by looking."""
