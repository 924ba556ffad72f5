"""Training of the context detector from the labelled messages in `data/`; nothing here runs in the app."""
