"""ASGI middleware: each wraps the whole app, pages and routes alike."""
