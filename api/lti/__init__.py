"""HTTP routes of LTI 1.3: what a school's system calls, and the few plain pages between its course and the app."""
