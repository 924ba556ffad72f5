"""Office documents: slides and Word files, read from their parts without running or fetching anything."""
