"""Date parser for English and Spanish: days, hours, lengths, repetition."""
