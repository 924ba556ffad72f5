"""Planning: the goals of a message, the look-ups that they need, and the next calls."""
