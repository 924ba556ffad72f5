"""What runs without a student looking on."""
