"""Search by meaning: vectors of passages, made here or by a provider's API, beside the search by words."""
