"""Documents by page: text and pictures of pages, slides and sections, as a reader process makes them."""
