"""What a student connected: sealed credentials, the OAuth dance, and health."""
