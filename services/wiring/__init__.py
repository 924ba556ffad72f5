"""Makes the parts of each room, once, for `services.bootstrap`: settings and a store in, what is shared out."""
