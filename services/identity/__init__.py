"""Identity: students, their sign-in sessions, API keys and time zones, and which pages they may see."""
