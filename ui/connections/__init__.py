"""The Connections page: a card for each integration, and the way to connect it and back."""
