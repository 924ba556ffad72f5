"""Card exchange: packages of Anki and CSV files, in and out."""
