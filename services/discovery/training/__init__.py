"""`make train`: from the labelled messages in `data/` to the file that the detector reads; nothing here runs in the app."""
