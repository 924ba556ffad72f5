"""Documents of the campus's courses: read from Markdown sources, laid out as PDF, slides, Word files and web pages."""
