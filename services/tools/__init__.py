"""Tools: what one is, the providers that offer and call them, and who may use which."""
