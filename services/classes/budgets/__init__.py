"""Budgets: what students, classes and the deployment may spend at the model, counted exactly over all replicas."""
