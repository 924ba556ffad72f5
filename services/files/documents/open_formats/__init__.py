"""Readers of books, texts and spreadsheets of other programs: EPUB, OpenDocument, RTF, Excel."""
