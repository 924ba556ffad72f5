"""Loading plans: which tools stand in a request, which are deferred, and which a message brings."""
