"""`make soak`: what only hundreds of crashes show."""
