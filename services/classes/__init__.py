"""Classes: who is in a class, its assistants, budgets and figures, and the launch from a school's system."""
