"""Optional search by meaning: vectors of passages from a provider's API, merged by rank with the search by words."""
