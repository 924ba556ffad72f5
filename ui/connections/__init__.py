"""Components of the Connections page: cards, the connect dialog, and the sample course."""
