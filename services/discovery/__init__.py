"""What a message is about, and which of the student's tools that calls for (rows C1 to C7)."""
