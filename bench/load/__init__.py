"""Load generators: the app, the campus and many clients, each in a process of its own."""
