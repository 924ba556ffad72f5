"""Moodle: the client of the mobile web service. It reads only, by a closed list of functions."""
