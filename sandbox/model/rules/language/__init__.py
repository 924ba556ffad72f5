"""Language: words, the lexicon of concepts, patterns, messages and translation, English and Spanish."""
