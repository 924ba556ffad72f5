"""Files: what hostile ones cost that come at once, and how fast documents are read by page."""
