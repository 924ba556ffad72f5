"""PDF: text by page in reading order, as somebody sees it."""
