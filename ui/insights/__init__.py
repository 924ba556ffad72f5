"""The Insights page: its words, its cards and its charts."""
