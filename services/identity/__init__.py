"""Who somebody is: students, their sign-in sessions, API keys and time zones."""
