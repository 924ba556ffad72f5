"""Question generation: passages of sources to the model and back, each question checked against its quotation."""
