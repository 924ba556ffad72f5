"""`make train`: from the labelled messages in `data/` to what the detector reads; nothing here runs in the app."""
